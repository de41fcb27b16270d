import { readGs1Date, type Gs1Element } from './gs1.ts';

export const textFacts = ['lot', 'serial', 'variant', 'addOn', 'item'] as const;
export const dateFacts = ['production', 'due', 'packaging', 'bestBefore', 'sellBy', 'expiry'] as const;
export const amountFacts = [
  'netWeightKg',
  'grossWeightKg',
  'netWeightLb',
  'grossWeightLb',
  'pieces',
  'price',
  'payable',
  'pricePerUnit',
] as const;

export type CodeFact =
  | { readonly kind: (typeof textFacts)[number]; readonly text: string }
  /** "2027-03-31", or "2027-03": then the month's last day holds (GS1 General Specifications §3.4). */
  | { readonly kind: (typeof dateFacts)[number]; readonly date: string }
  /** `currency`: of ISO 4217, in digits where this app has no letters for it; null when the code does not say. */
  | { readonly kind: (typeof amountFacts)[number]; readonly amount: number; readonly currency: string | null }
  /** An identifier that has no place of its own, under GS1's data title. */
  | { readonly kind: 'other'; readonly identifier: string; readonly title: string; readonly text: string };

const textKinds: Readonly<Record<string, (typeof textFacts)[number]>> = {
  '10': 'lot',
  '20': 'variant',
  '21': 'serial',
};
const dateKinds: Readonly<Record<string, (typeof dateFacts)[number]>> = {
  '11': 'production',
  '12': 'due',
  '13': 'packaging',
  '15': 'bestBefore',
  '16': 'sellBy',
  '17': 'expiry',
  '7003': 'expiry',
};
// By the first three digits: the fourth is the number of decimals.
const amountKinds: Readonly<Record<string, (typeof amountFacts)[number]>> = {
  '30': 'pieces',
  '37': 'pieces',
  '310': 'netWeightKg',
  '320': 'netWeightLb',
  '330': 'grossWeightKg',
  '340': 'grossWeightLb',
  '390': 'payable',
  '391': 'payable',
  '392': 'price',
  '393': 'price',
  '395': 'pricePerUnit',
};
const withCurrency = new Set(['391', '393']);

const currencies: Readonly<Record<string, string>> = {
  '032': 'ARS',
  '036': 'AUD',
  '068': 'BOB',
  '124': 'CAD',
  '152': 'CLP',
  '156': 'CNY',
  '170': 'COP',
  '392': 'JPY',
  '484': 'MXN',
  '600': 'PYG',
  '604': 'PEN',
  '756': 'CHF',
  '826': 'GBP',
  '840': 'USD',
  '858': 'UYU',
  '978': 'EUR',
  '986': 'BRL',
};

function scaled(digits: string, decimals: number): number {
  // By text, so that no figure gains a decimal that the code does not have.
  return Number(`${digits}e-${decimals}`);
}

/** The fact in one element. `year` is this year, for the century of its date. */
function factOf({ identifier: { identifier, title, decimals }, value }: Gs1Element, year: number): CodeFact {
  const textKind = textKinds[identifier];
  if (textKind !== undefined) {
    return { kind: textKind, text: value };
  }
  const dateKind = dateKinds[identifier];
  const date = dateKind === undefined ? null : readGs1Date(value.slice(0, 6), year);
  if (dateKind !== undefined && date !== null) {
    return { kind: dateKind, date };
  }
  const stem = identifier.slice(0, 3);
  const amountKind = amountKinds[stem];
  if (amountKind !== undefined) {
    const currency = withCurrency.has(stem) ? value.slice(0, 3) : null;
    return {
      kind: amountKind,
      amount: scaled(currency === null ? value : value.slice(3), decimals ?? 0),
      currency: currency === null ? null : (currencies[currency] ?? currency),
    };
  }
  return { kind: 'other', identifier, title, text: decimals === null ? value : String(scaled(value, decimals)) };
}

/** The facts in the elements, in their order, but for those that name the product. */
export function factsOf(elements: readonly Gs1Element[], year: number): readonly CodeFact[] {
  return elements
    .filter(({ identifier }) => !['01', '02', '03'].includes(identifier.identifier))
    .map((element) => factOf(element, year));
}
