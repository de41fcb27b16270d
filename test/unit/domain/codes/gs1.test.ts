// The proof of reading GS1 element strings: the table, published examples, and that any string made by the rules is
// read back.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkDigitOf } from '../../../../app/domain/codes/barcode.ts';
import { factsOf } from '../../../../app/domain/codes/code-facts.ts';
import {
  faultOf,
  isBracketed,
  readBracketed,
  readElementString,
  readGs1Date,
  separator,
  writeBracketed,
  type Gs1Element,
} from '../../../../app/domain/codes/gs1.ts';
import {
  gs1Identifiers,
  type CharacterSet,
  type Gs1Identifier,
  type Gs1Part,
} from '../../../../app/domain/codes/gs1-table.ts';

const characters: Readonly<Record<CharacterSet, string>> = {
  N: '0123456789',
  X: `!"%&'*+,-./0123456789:;<=>?ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz`,
  Y: '#-/0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ',
  Z: '-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz=',
};

function partOf({ set, shortest, longest, check }: Gs1Part): fc.Arbitrary<string> {
  if (check === 'date' || check === 'dateOrMonth') {
    return fc
      .tuple(fc.nat(99), fc.integer({ min: 1, max: 12 }), fc.integer({ min: check === 'date' ? 1 : 0, max: 28 }))
      .map((numbers) => numbers.map((number) => String(number).padStart(2, '0')).join(''));
  }
  const text = fc.string({ unit: fc.constantFrom(...characters[set]), minLength: shortest, maxLength: longest });
  return check === null ? text : text.map((digits) => digits.slice(0, -1) + checkDigitOf(digits.slice(0, -1)));
}

/** A value that is right under the identifier; its last part may be absent where the table says so. */
function valueOf({ parts }: Gs1Identifier): fc.Arbitrary<string> {
  const needed = parts.filter((part) => !part.isOptional);
  const all = parts.every((part) => part.shortest === part.longest) ? parts : needed;
  return fc
    .constantFrom(parts, needed, all)
    .chain((some) => fc.tuple(...some.map(partOf)))
    .map((texts) => texts.join(''));
}

const elementArbitrary: fc.Arbitrary<Gs1Element> = fc
  .constantFrom(...gs1Identifiers.values())
  .chain((identifier) => valueOf(identifier).map((value) => ({ identifier, value })));
const elementsArbitrary = fc.array(elementArbitrary, { minLength: 1, maxLength: 8 });

function write(elements: readonly Gs1Element[], alwaysSeparate: boolean): string {
  return elements
    .map(
      ({ identifier, value }, place) =>
        `${identifier.identifier}${value}${place < elements.length - 1 && (alwaysSeparate || identifier.predefinedLength === null) ? separator : ''}`,
    )
    .join('');
}

function describeReading(text: string): readonly string[] {
  return readElementString(text).elements.map(({ identifier, value }) => `${identifier.identifier}=${value}`);
}

describe('the table', () => {
  test('has every identifier of the Barcode Syntax Dictionary, and none is the beginning of another', () => {
    const identifiers = [...gs1Identifiers.keys()];
    expect(identifiers).toHaveLength(541);
    expect(identifiers.filter((one) => identifiers.some((other) => other !== one && other.startsWith(one)))).toEqual(
      [],
    );
  });

  test('has the predefined lengths of the General Specifications (§7.8.5), by the first two digits', () => {
    const lengths = {
      '00': 20,
      '01': 16,
      '02': 16,
      '03': 16,
      '11': 8,
      '12': 8,
      '13': 8,
      '15': 8,
      '16': 8,
      '17': 8,
      '20': 4,
      '31': 10,
      '32': 10,
      '33': 10,
      '34': 10,
      '35': 10,
      '36': 10,
      '41': 16,
    };
    const predefined = [...gs1Identifiers.values()].filter(({ predefinedLength }) => predefinedLength !== null);
    for (const { identifier, predefinedLength } of predefined) {
      expect(identifier.length + (predefinedLength ?? 0), identifier).toBe(
        lengths[identifier.slice(0, 2) as keyof typeof lengths],
      );
    }
    expect(new Set(predefined.map(({ identifier }) => identifier.slice(0, 2)))).toEqual(new Set(Object.keys(lengths)));
  });
});

describe('an element string', () => {
  test.each([
    ['0109520123456788', ['01=09520123456788']],
    ['01095201234567881726083110ABC123', ['01=09520123456788', '17=260831', '10=ABC123']],
    [`${separator}010952012345678810ABC1${separator}17260831`, ['01=09520123456788', '10=ABC1', '17=260831']],
    [
      `010952012345678810ABC1${separator}${separator}17260831${separator}21X`,
      ['01=09520123456788', '10=ABC1', '17=260831', '21=X'],
    ],
    ['01995201234567813103001243392299', ['01=99520123456781', '3103=001243', '3922=99']],
    ['01095201234567883103000500', ['01=09520123456788', '3103=000500']],
    ['00095201234567891235', ['00=095201234567891235']],
    [`421076ABC12${separator}422076`, ['421=076ABC12', '422=076']],
    ['8005000365', ['8005=000365']],
    ['253952012345678801', ['253=952012345678801']],
  ])('%j is read', (text, expected) => {
    expect(describeReading(text)).toEqual(expected);
    expect(readElementString(text).fault).toBeNull();
  });

  test.each([
    ['0109520123456789', 'gs1CheckDigit', '01'],
    ['00095201234567891234', 'gs1CheckDigit', '00'],
    ['01095201234567', 'gs1CutOff', '01'],
    [`01095201${separator}17260831`, 'gs1CutOff', '01'],
    ['01095201234567881726', 'gs1CutOff', '17'],
    ['010952012345678810', 'gs1CutOff', '10'],
    ['8008260831', 'gs1CutOff', '8008'],
    ['010952012345678817261331', 'gs1Form', '17'],
    ['010952012345678817260230', 'gs1Form', '17'],
    ['01095201234567884326260800', 'gs1Form', '4326'],
    [`010952012345678810${'A'.repeat(21)}`, 'gs1Form', '10'],
    ['010952012345678810A#B', 'gs1Form', '10'],
    ['01095201234567883103A00500', 'gs1Form', '3103'],
    ['0109520123456788 17260831', 'gs1Identifier', '172'],
    ['010952012345678805X', 'gs1Identifier', '05X'],
    ['010952012345678831061234', 'gs1Identifier', '3106'],
  ])('%j has the fault %s at %s', (text, why, about) => {
    expect(readElementString(text).fault).toEqual({ why, about });
  });

  test('any sequence of right elements is read back, with needed separators and with one everywhere', () => {
    fc.assert(
      fc.property(elementsArbitrary, fc.boolean(), (elements, alwaysSeparate) => {
        const reading = readElementString(write(elements, alwaysSeparate));
        expect(reading).toEqual({ elements, fault: null });
      }),
    );
  });

  test('any other check digit is refused, whatever stands around it', () => {
    const checked = [...gs1Identifiers.values()].filter(({ parts }) =>
      parts.some(({ check }) => check === 'checkDigit'),
    );
    fc.assert(
      fc.property(
        elementsArbitrary,
        fc.constantFrom(...checked),
        elementsArbitrary,
        fc.integer({ min: 1, max: 9 }),
        (before, identifier, after, by) => {
          const place = (identifier.parts[0]?.longest ?? 0) - 1;
          const [value = ''] = fc.sample(valueOf(identifier), { numRuns: 1, seed: by });
          const wrong = value.slice(0, place) + String((Number(value[place]) + by) % 10) + value.slice(place + 1);
          const reading = readElementString(write([...before, { identifier, value: wrong }, ...after], true));
          expect(reading.fault).toEqual({ why: 'gs1CheckDigit', about: identifier.identifier });
          expect(reading.elements).toHaveLength(before.length);
        },
      ),
    );
  });

  test('no text makes the reading throw, and it always ends', () => {
    const pieces = fc.constantFrom(
      '01',
      '10',
      '17',
      '(01)',
      '(10)',
      '(',
      ')',
      separator,
      '0109520123456788',
      '3103',
      '99',
      'A',
      '€',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary', maxLength: 500 }),
          fc.array(pieces, { maxLength: 60 }).map((some) => some.join('')),
        ),
        (text) => {
          for (const reading of [readElementString(text), readBracketed(text)]) {
            expect(reading.elements.length).toBeLessThanOrEqual(60);
            expect(reading.elements.every(({ identifier, value }) => faultOf(identifier, value) === null)).toBe(true);
          }
        },
      ),
    );
  });
});

describe('an element string in brackets', () => {
  test.each([
    ['(01)09520123456788(10)ABC', ['01=09520123456788', '10=ABC']],
    ['(01) 09520123456788 (10) ABC (17) 260831', ['01=09520123456788', '10=ABC', '17=260831']],
    ['(10)A(B)C(21)7', ['10=A(B)C', '21=7']],
    ['(10)A(05)C', ['10=A(05)C']],
  ])('%j is read', (text, expected) => {
    expect(isBracketed(text)).toBe(true);
    expect(readBracketed(text).elements.map(({ identifier, value }) => `${identifier.identifier}=${value}`)).toEqual(
      expected,
    );
    expect(readBracketed(text).fault).toBeNull();
  });

  test('what is written is read back', () => {
    fc.assert(
      fc.property(elementsArbitrary, (elements) => {
        expect(readBracketed(writeBracketed(elements))).toEqual({ elements, fault: null });
      }),
    );
  });

  test.each([
    ['(01)09520123456789', 'gs1CheckDigit', '01'],
    ['(05)1', 'gs1Identifier', '(05)1'],
    ['(01)0952', 'gs1CutOff', '01'],
  ])('%j has the fault %s', (text, why, about) => {
    expect(readBracketed(text).fault).toEqual({ why, about });
  });
});

describe('dates', () => {
  test.each([
    ['260831', 2026, '2026-08-31'],
    ['260200', 2026, '2026-02'],
    ['280229', 2026, '2028-02-29'],
    ['270229', 2026, null],
    ['261301', 2026, null],
    ['260001', 2026, null],
    ['260832', 2026, null],
    ['760101', 2026, '2076-01-01'],
    ['770101', 2026, '1977-01-01'],
    ['010101', 2051, '2101-01-01'],
    ['020101', 2051, '2002-01-01'],
    ['990101', 2049, '2099-01-01'],
    ['990101', 2048, '1999-01-01'],
    ['26083', 2026, null],
  ])('%s in %i is %s (§7.12)', (digits, year, date) => {
    expect(readGs1Date(digits, year)).toBe(date);
  });

  test('lie at most 50 years behind or ahead of this year', () => {
    fc.assert(
      fc.property(fc.nat(99), fc.integer({ min: 2000, max: 2199 }), (two, year) => {
        const full = Number(readGs1Date(`${String(two).padStart(2, '0')}0101`, year)?.slice(0, 4));
        expect(full % 100).toBe(two);
        expect(Math.abs(full - year)).toBeLessThanOrEqual(50);
      }),
    );
  });
});

test('what a string says beside the product, in its order', () => {
  const text = `(01)09520123456788(10)L7(11)260101(15)261200(17)270131(21)S1(20)01(30)12(3103)001234(3300)000002(3922)1999(3932)986250(3953)001500(422)076(7003)2701311230`;
  expect(factsOf(readBracketed(text).elements, 2026)).toEqual([
    { kind: 'lot', text: 'L7' },
    { kind: 'production', date: '2026-01-01' },
    { kind: 'bestBefore', date: '2026-12' },
    { kind: 'expiry', date: '2027-01-31' },
    { kind: 'serial', text: 'S1' },
    { kind: 'variant', text: '01' },
    { kind: 'pieces', amount: 12, currency: null },
    { kind: 'netWeightKg', amount: 1.234, currency: null },
    { kind: 'grossWeightKg', amount: 2, currency: null },
    { kind: 'price', amount: 19.99, currency: null },
    { kind: 'price', amount: 2.5, currency: 'BRL' },
    { kind: 'pricePerUnit', amount: 1.5, currency: null },
    { kind: 'other', identifier: '422', title: 'ORIGIN', text: '076' },
    { kind: 'expiry', date: '2027-01-31' },
  ]);
});
