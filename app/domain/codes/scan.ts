//   text ─▶ cleaned ─▶ as it came
//                  └─▶ an address: Digital Link                                     else a fault: webAddress
//                  └─▶ an element string of GS1: in brackets, with GS or a symbology that says so, or without either but right to its end
//                  └─▶ digits: with an add-on, a case, a scale's label, a UPC-E of six or seven digits
//
//   R1  Every meaning names a GTIN or an item's code; lot, weight and the like are facts beside it, never part of it.
//   R2  An element string that nothing marks as one counts only when all of it is right and it names a product.
//   R3  A GTIN that was read before the fault in its string still means its product; the fault is told beside it.
//   R4  A case (GTIN-14, indicators 1 to 8) means itself first, and then the unit inside. Of variable measure
//       (indicator 9) it means itself alone.
//   R5  No plain code is longer than 100 signs: several scans have run together. A name has blanks, and an element
//       string its identifiers.
//   R6  Some scanners drop the separators of an element string. Without any, a last value that may have run together
//       with what follows it is told as a fault, and never taken for a lot, a serial number or a count.
import { cleanCode, expandUpcE, expandUpcE7, splitAddOn, unitInCase, unreadableCodes, defaultGtin } from './barcode.ts';
import { factsOf, type CodeFact } from './code-facts.ts';
import { isWebAddress, readDigitalLink } from './digital-link.ts';
import {
  doubtLast,
  gs1Faults,
  isBracketed,
  readBracketed,
  readElementString,
  separator,
  writeBracketed,
  type Gs1Reading,
} from './gs1.ts';
import { readScaleLabel, type ScaleLayout } from './scale-label.ts';

/** Why a text says nothing that could be looked up. */
export const scanFaults = [...unreadableCodes, ...gs1Faults, 'notAProduct', 'webAddress', 'figureVerifier'] as const;

export interface ScanFault {
  readonly why: (typeof scanFaults)[number];
  /**
   * The application identifier that it is about, or the characters that are none; null where there is nothing to name.
   */
  readonly about: string | null;
}

/** Something that the text may stand for, beside what it is as it came. */
export type ScanMeaning =
  | {
      readonly as: 'gs1' | 'digitalLink' | 'caseUnit' | 'addOn' | 'upcE';
      /** In its usual form; with a right check digit. */
      readonly gtin: string;
      /** The GTIN-14 of the case that it is inside of. */
      readonly ofCase: string | null;
      readonly facts: readonly CodeFact[];
    }
  | {
      readonly as: 'scaleLabel';
      readonly item: string;
      readonly zeroed: readonly string[];
      readonly layout: string;
      readonly facts: readonly CodeFact[];
    };

export interface ScanReading {
  /**
   * How the text is shown and remembered; an element string stands in it with brackets. At most 500 characters; read
   * again it means the same, but for the fault.
   */
  readonly text: string;
  /** To be tried before all meanings; null when no product can bear it. */
  readonly code: string | null;
  readonly meanings: readonly ScanMeaning[];
  readonly fault: ScanFault | null;
}

export interface ScanRules {
  /** This year, for the century of GS1's dates. */
  readonly year: number;
  readonly layouts: readonly ScaleLayout[];
}

/** Code 128 and its like are printed with a few dozen signs at most; a GS1 string and an address may be longer. */
const maxPlainCodeLength = 100;

// GS1's own symbols by their symbology identifiers (GS1 General Specifications §5.1.3): GS1-128, DataBar and composite,
// DataMatrix, QR Code, DotCode; each also with extended channels.
const gs1Symbologies = new Set(['C1', 'e0', 'd2', 'd5', 'Q3', 'Q4', 'J1', 'J4']);

const gtinIdentifiers = new Set(['01', '02', '03', '8006', '8026']);

function gtinOf({ elements }: Gs1Reading): string | null {
  return elements.find(({ identifier }) => gtinIdentifiers.has(identifier.identifier))?.value.slice(0, 14) ?? null;
}

function withUnit(as: 'gs1' | 'digitalLink', gtin14: string, facts: readonly CodeFact[]): readonly ScanMeaning[] {
  const unit = unitInCase(gtin14);
  const own = { as, gtin: defaultGtin(gtin14), ofCase: null, facts };
  return unit === null ? [own] : [own, { as: 'caseUnit', gtin: unit, ofCase: gtin14, facts }]; // R4
}

function readGs1(
  reading: Gs1Reading,
  as: 'gs1' | 'digitalLink',
  year: number,
): Pick<ScanReading, 'meanings' | 'fault'> {
  const gtin = gtinOf(reading);
  if (gtin !== null) {
    return { meanings: withUnit(as, gtin, factsOf(reading.elements, year)), fault: reading.fault }; // R1, R3
  }
  const [first] = reading.elements;
  return {
    meanings: [],
    fault: reading.fault ?? {
      why: 'notAProduct',
      about: first === undefined ? null : `(${first.identifier.identifier}) ${first.identifier.title}`,
    },
  };
}

/** The element string that the text is, and how sure that is; null when it is none. */
function findElementString(
  text: string,
  symbology: string | null,
  hasSeparators: boolean,
): { readonly reading: Gs1Reading; readonly isMarked: boolean } | null {
  if (isBracketed(text)) {
    return { reading: readBracketed(text), isMarked: true };
  }
  if (text.includes(separator) || (symbology !== null && gs1Symbologies.has(symbology))) {
    const reading = readElementString(text);
    return { reading: hasSeparators ? reading : doubtLast(reading), isMarked: true }; // R6
  }
  const reading = /^\d{16}/.test(text) ? readElementString(text) : null;
  const isRight =
    reading !== null &&
    reading.fault === null &&
    (gtinOf(reading) !== null || reading.elements[0]?.identifier.identifier === '00');
  return isRight ? { reading: hasSeparators ? reading : doubtLast(reading), isMarked: false } : null; // R2, R6
}

function shownText(text: string, reading: Gs1Reading): string {
  const { elements, fault } = reading;
  const isWhole = fault === null && elements.length > 0;
  const shown = isWhole || gtinOf(reading) !== null ? writeBracketed(elements) : text.replaceAll(separator, ' ').trim(); // R3
  // Brackets may make the longest string longer than what is kept.
  return shown.length <= 500 ? shown : text.replaceAll(separator, ' ').trim();
}

const factKinds = { weight: 'netWeightKg', price: 'price', pieces: 'pieces' } as const;

function readDigits(text: string, layouts: readonly ScaleLayout[]): Pick<ScanReading, 'meanings' | 'fault'> {
  const meanings: ScanMeaning[] = [];
  const split = splitAddOn(text);
  if (split !== null) {
    meanings.push({ as: 'addOn', gtin: split.code, ofCase: null, facts: [{ kind: 'addOn', text: split.addOn }] });
  }
  const unit = unitInCase(text);
  if (unit !== null) {
    meanings.push({ as: 'caseUnit', gtin: unit, ofCase: text, facts: [] }); // R4
  }
  const { readings, isMisread } = readScaleLabel(text, layouts);
  for (const { layout, item, amount, zeroed } of readings) {
    const kind = factKinds[layout.figure];
    meanings.push({
      as: 'scaleLabel',
      item,
      zeroed,
      layout: layout.text,
      facts: [
        { kind: 'item', text: item },
        { kind, amount, currency: null },
      ],
    });
  }
  const upcE = text.length === 6 ? [expandUpcE(text)].filter((code) => code !== null) : expandUpcE7(text);
  meanings.push(...upcE.map((gtin) => ({ as: 'upcE' as const, gtin, ofCase: null, facts: [] })));
  return { meanings, fault: isMisread ? { why: 'figureVerifier', about: null } : null };
}

/** Reads any text; takes a time that grows with its length alone. */
export function readScan(given: string, { year, layouts }: ScanRules): ScanReading {
  const { text, symbology, unreadable } = cleanCode(given);
  if (unreadable !== null) {
    return {
      text: text.replaceAll(/\p{Cc}/gu, '�'),
      code: null,
      meanings: [],
      fault: { why: unreadable, about: null },
    };
  }
  if (isWebAddress(text)) {
    const link = readDigitalLink(text);
    return {
      text,
      code: text,
      ...(link === null
        ? { meanings: [], fault: { why: 'webAddress', about: null } }
        : readGs1(link, 'digitalLink', year)),
    };
  }
  // Also one at either end, which is no part of the text: a scanner that sends it drops none.
  const found = findElementString(text, symbology, given.includes(separator));
  if (found === null && text.length > maxPlainCodeLength && !/\s/u.test(text)) {
    return { text, code: null, meanings: [], fault: { why: 'tooLong', about: null } }; // R5
  }
  if (found === null) {
    return { text, code: text, ...readDigits(text, layouts) };
  }
  return {
    text: shownText(text, found.reading),
    code: text.includes(separator) ? null : text,
    ...readGs1(found.reading, 'gs1', year),
  };
}
