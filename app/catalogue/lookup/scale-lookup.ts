// The meaning of the labels of a shop's scales in this terminal's copy.
//
//   all layouts that fit ─▶ barcode of the item ─▶ product code as printed, or with fewer or more leading zeros ─▶ id
//
//   C6  Where a label leads one step to different products, all of them are found. Nothing is said that the layouts do
//       not say alike; where they lead to different products, nothing is said of a figure.
//   C7  A label with a weight means a product that is measured, one with pieces a product that is counted, as far as
//       the product's unit is known. Others of the same step are no candidates. Where only others are found, a person
//       chooses: the shop may have listed the unit wrongly. A price says nothing of a unit, but what is measured
//       stands first.
//   C8  What a person chose for such labels answers while it holds (label-choices.ts, S1 and S2), and the answer says so.
import type { ScanRead } from '../../contract/scan.ts';
import type { ScanMeaning, ScanReading } from '../../domain/codes/scan.ts';
import { parseId, type Id } from '../../domain/int64.ts';
import { isMeasured } from '../../domain/units.ts';
import type { ProductReader, RowNumber } from '../repository/product-reader.ts';
import type { LabelChoice, LabelChoices, LabelItem } from './label-choices.ts';

export type ScaleMeaning = Extract<ScanMeaning, { as: 'scaleLabel' }>;

export interface ScaleFinding {
  readonly rows: readonly RowNumber[];
  readonly read: ScanRead;
  /** A person has to choose, also of a single product. */
  readonly isAmbiguous: boolean;
}

/** Where a label leads by one of its layouts. */
interface Way {
  readonly label: ScaleMeaning;
  readonly rows: readonly RowNumber[];
  readonly products: ReadonlySet<Id>;
}

interface Candidates {
  readonly ways: readonly Way[];
  /** None of them is sold in a unit that the label can mean. */
  readonly areOfOtherUnits: boolean;
}

const codeLengths = [4, 5, 6, 7, 8];

export function isScale(meaning: ScanMeaning): meaning is ScaleMeaning {
  return meaning.as === 'scaleLabel';
}

export function withoutZeros(item: string): string {
  return item.replace(/^0+(?=\d)/, '');
}

/** The item's number as printed, with no leading zeros, and with as many as codes of four to eight digits have. */
function formsOf(item: string): readonly string[] {
  const bare = withoutZeros(item);
  return [...new Set([item, bare, ...codeLengths.map((length) => bare.padStart(length, '0'))])];
}

function firstFound(codes: readonly string[], find: (code: string) => readonly RowNumber[]): readonly RowNumber[] {
  for (const code of codes) {
    const rows = find(code);
    if (rows.length > 0) {
      return rows;
    }
  }
  return [];
}

const itemSteps: readonly ((reader: ProductReader, label: ScaleMeaning) => readonly RowNumber[])[] = [
  (reader, { zeroed }) => firstFound(zeroed, (code) => reader.findByBarcode(code)),
  (reader, { item }) => firstFound(formsOf(item), (code) => reader.findByCode(code)),
  (reader, { item }) => {
    const id = parseId(withoutZeros(item));
    return id === null ? [] : reader.findById(id);
  },
];

const itemOf = ({ layout, item }: ScaleMeaning): LabelItem => ({ layout, item });

/** Whether what is sold in this unit can bear such a label (C7). */
function canBear(label: ScaleMeaning, unit: string | null): boolean {
  const measured = isMeasured(unit);
  const says = (kind: 'netWeightKg' | 'pieces'): boolean => label.facts.some((fact) => fact.kind === kind);
  // mutant: a scale's label with a weight means what is sold by the piece as well (C7)
  // mutant: a scale's label with pieces means what is sold by weight as well (C7)
  return measured === null || (measured ? !says('pieces') : !says('netWeightKg'));
}

/** The rows of the products that can bear the label; a product can that does in one of its stocks. */
function bearing(reader: ProductReader, { label, rows }: Way): Way {
  const fitting = new Set(
    rows.filter((row) => canBear(label, reader.hit(row)?.unit ?? null)).map((row) => reader.productOf(row)),
  );
  return wayOf(
    reader,
    label,
    rows.filter((row) => fitting.has(reader.productOf(row))),
  );
}

function wayOf(reader: ProductReader, label: ScaleMeaning, rows: readonly RowNumber[]): Way {
  return { label, rows, products: new Set(rows.flatMap((row) => reader.productOf(row) ?? [])) };
}

/** The first step that leads to a product which the label can mean, with what it passed by; null where none leads to any. */
function findCandidates(reader: ProductReader, labels: readonly ScaleMeaning[]): Candidates | null {
  const passed: Way[] = [];
  for (const step of itemSteps) {
    const ways = labels.map((label) => wayOf(reader, label, step(reader, label))).filter(({ rows }) => rows.length > 0);
    const fitting = ways.map((way) => bearing(reader, way)).filter(({ rows }) => rows.length > 0);
    if (fitting.length > 0) {
      // The products of an earlier step are the nearer meaning, but for their unit.
      return { ways: [...fitting, ...passed], areOfOtherUnits: false };
    }
    passed.push(...ways);
  }
  return passed.length === 0 ? null : { ways: passed, areOfOtherUnits: true };
}

const productsOf = (ways: readonly Way[]): readonly Id[] => [...new Set(ways.flatMap(({ products }) => [...products]))];

/** The facts on which these ways agree (C6). */
function readAlike(ways: readonly Way[], { fault }: ScanReading): ScanRead {
  const [first] = ways;
  const factSets = ways.map(({ label }) => new Set(label.facts.map((fact) => JSON.stringify(fact))));
  const facts = first?.label.facts.filter((fact) => factSets.every((one) => one.has(JSON.stringify(fact)))) ?? [];
  return { as: 'scaleLabel', ofCase: null, layout: first?.label.layout ?? null, facts, fault };
}

/** Of one product, by the ways that lead to it. */
function findingOf(reader: ProductReader, ways: readonly Way[], productId: Id, reading: ScanReading): ScaleFinding {
  const own = ways.filter(({ products }) => products.has(productId));
  const rows = [...new Set(own.flatMap((way) => way.rows))].filter((row) => reader.productOf(row) === productId);
  return { rows, read: readAlike(own, reading), isAmbiguous: false };
}

/** All candidates, what is measured first where the label leaves that open. */
function listingOf(reader: ProductReader, ways: readonly Way[], reading: ScanReading): ScaleFinding {
  const counted = (row: RowNumber): number => (isMeasured(reader.hit(row)?.unit ?? null) === false ? 1 : 0);
  const hasPieces = ways.some(({ label }) => label.facts.some(({ kind }) => kind === 'pieces'));
  const rows = [...new Set(ways.flatMap((way) => way.rows))];
  const products = productsOf(ways);
  const isByLayout = ways.some((way) => way.products.size !== products.length);
  const read = readAlike(ways, reading);
  return {
    rows: hasPieces ? rows : rows.toSorted((one, other) => counted(one) - counted(other)),
    read: isByLayout ? { ...read, layout: null, facts: [] } : read,
    isAmbiguous: true,
  };
}

const isOfUnit = (reader: ProductReader, { ways }: Candidates, productId: Id): boolean =>
  ways.some((way) => way.products.has(productId) && bearing(reader, way).products.has(productId));

/**
 * The product that was chosen for these labels; null where none holds (S1 to S3), `gone` where what was chosen is no
 * candidate any more, or is sold in another way.
 */
function chosenOf(
  reader: ProductReader,
  candidates: Candidates,
  chosen: readonly LabelChoice[],
): LabelChoice | 'gone' | null {
  const [choice] = chosen;
  if (choice === undefined || chosen.some(({ productId }) => productId !== choice.productId)) {
    return null; // S3
  }
  const products = productsOf(candidates.ways);
  if (!products.includes(choice.productId) || isOfUnit(reader, candidates, choice.productId) !== choice.isOfUnit) {
    // mutant: what is left over answers for what was chosen for a scale's label and has gone (S2)
    return 'gone'; // S2
  }
  // mutant: what was chosen for a scale's label answers among products that it was not chosen among (S1)
  return products.every((productId) => choice.among.includes(productId)) ? choice : null; // S1
}

/** The meaning of a label; null when the copy has nothing for it. Throws StorageError. */
export function findScaleLabel(
  reader: ProductReader,
  reading: ScanReading,
  choices: Pick<LabelChoices, 'find'> | null,
): ScaleFinding | null {
  const labels = reading.meanings.filter(isScale);
  const candidates = findCandidates(reader, labels);
  if (candidates === null) {
    return null;
  }
  const { ways, areOfOtherUnits } = candidates;
  const chosen = chosenOf(reader, candidates, choices?.find(labels.map(itemOf)) ?? []);
  const [only, ...others] = productsOf(ways);
  if (chosen === null || chosen === 'gone') {
    if (only !== undefined && others.length === 0 && !areOfOtherUnits && chosen === null) {
      return findingOf(reader, ways, only, reading);
    }
    const listing = listingOf(reader, ways, reading);
    const doubt = chosen ?? (areOfOtherUnits ? 'unit' : null);
    return doubt === null ? listing : { ...listing, read: { ...listing.read, doubt } };
  }
  const finding = findingOf(reader, ways, chosen.productId, reading);
  // Where it is the only one, the label says it by itself.
  // mutant: an answer does not say that a person chose it for a scale's label (C8)
  return others.length === 0 && !areOfOtherUnits
    ? finding
    : { ...finding, read: { ...finding.read, chosenAt: chosen.at } };
}

/** A product chosen for a label, and what is to be remembered of it. */
export interface ChosenForLabel {
  readonly finding: ScaleFinding;
  /** By the way that leads to it; without who chose it, and when. */
  readonly choice: Omit<LabelChoice, 'at' | 'email'>;
  /** All that the label may be. */
  readonly items: readonly LabelItem[];
}

/** The answer for a product that a person chooses; null when the label does not lead to it. Throws StorageError. */
export function chooseForLabel(reader: ProductReader, reading: ScanReading, productId: Id): ChosenForLabel | null {
  const labels = reading.meanings.filter(isScale);
  const candidates = findCandidates(reader, labels);
  const way = candidates?.ways.find(({ products }) => products.has(productId));
  if (candidates === null || way === undefined) {
    return null;
  }
  return {
    finding: findingOf(reader, candidates.ways, productId, reading),
    choice: {
      ...itemOf(way.label),
      productId,
      among: productsOf(candidates.ways),
      isOfUnit: isOfUnit(reader, candidates, productId),
    },
    items: labels.map(itemOf),
  };
}
