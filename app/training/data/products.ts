import { assortments, brands, units, type Assortment, type UnitOfMeasure } from './vocabulary.ts';

export interface TrainingOption {
  readonly id: bigint;
  readonly name: string;
}

export interface TrainingProduct {
  readonly index: number;
  /** Mostly ordinary integers; some beyond 2^53, for ids are int64 (API v3 §2 "Conventions"). */
  readonly id: bigint;
  readonly code: string;
  readonly name: string;
  readonly department: string;
  readonly unit: UnitOfMeasure;
  /** None, one, or two: EAN-13 first. */
  readonly barcodes: readonly string[];
  readonly options: readonly TrainingOption[];
  readonly isPerishable: boolean;
  /** The shop's other facts, which API v3 does not show; made up. */
  readonly shop: { readonly price: number; readonly supplier: string; readonly aisle: string };
}

/** The moment at which the generated products are the newest, in milliseconds since 1970. */
export const generatedUpTo = Date.parse('2026-01-05T12:00:00-03:00');

const maximumCount = 1_000_000;
const firstId = 1_000_001n;
const beyondDoubles = 2n ** 53n + 1n;
const largestId = 2n ** 63n - 1n;
const hugeEvery = 97;
const largestEvery = 485;
const largestOffset = 48;

/** By department: what ends a code. */
const codeSuffixes: ReadonlyMap<string, string> = new Map([
  ['Papelaria', '-P'],
  ['Ferragens', '-F'],
]);

// GS1 keeps prefix 952 for demonstrations: no real article bears it, in EAN-13 as in EAN-8.
const barcodePrefix = '952';
const ean13Space = 1_000_000_000n;
const ean13Step = 618_033_989n;
const ean8Space = 10_000;
const ean8Every = 29;

function greatestCommonDivisor(left: number, right: number): number {
  return right === 0 ? left : greatestCommonDivisor(right, left % right);
}

/** The check digit of GS1 General Specifications §7.9 for the digits before it. */
function checkDigitOf(digits: string): string {
  let sum = 0;
  for (let position = 0; position < digits.length; position += 1) {
    const weight = (digits.length - position) % 2 === 1 ? 3 : 1;
    sum += Number(digits[position]) * weight;
  }
  return String((10 - (sum % 10)) % 10);
}

function inverseModulo(value: bigint, modulus: bigint): bigint {
  let [previous, current] = [modulus, value];
  let [previousFactor, factor] = [0n, 1n];
  while (current !== 0n) {
    const quotient = previous / current;
    [previous, current] = [current, previous - quotient * current];
    [previousFactor, factor] = [factor, previousFactor - quotient * factor];
  }
  return ((previousFactor % modulus) + modulus) % modulus;
}

const ean13Inverse = inverseModulo(ean13Step, ean13Space);

interface Combination {
  readonly assortment: Assortment;
  readonly variety: string;
  readonly pack: string;
  readonly brand: string;
  readonly unit: string;
}

function combine(): Combination[] {
  const combinations: Combination[] = [];
  for (const [row, assortment] of assortments.entries()) {
    // Six of the brands for each kind of goods: enough to choose from, few enough to look like a shop.
    const own = assortment.isBranded
      ? brands.filter((_brand, place) => (place * 5 + row * 7) % brands.length < 6)
      : [''];
    for (const variety of assortment.varieties) {
      for (const pack of assortment.packs) {
        const unit = pack.startsWith('Lata ') ? 'LATA' : assortment.unit;
        combinations.push(...own.map((brand) => ({ assortment, variety, pack, brand, unit })));
      }
    }
  }
  return combinations;
}

const combinations = combine();

function stepThrough(size: number): number {
  let step = Math.round(size * 0.618_034);
  while (greatestCommonDivisor(step, size) !== 1) {
    step += 1;
  }
  return step;
}

const combinationStep = stepThrough(combinations.length);

/** The generated assortment. Every function takes an index from 0 up to but not including `count`. */
export class Products {
  readonly count: number;
  readonly #seed: number;

  /** Throws RangeError for more than a million products or fewer than none. */
  constructor(count: number, seed: number) {
    if (!Number.isSafeInteger(count) || count < 0 || count > maximumCount) {
      throw new RangeError(`the number of products must be from 0 to ${maximumCount}`);
    }
    this.count = count;
    this.#seed = Math.trunc(seed);
  }

  /** A number from 0 to 2^32 - 1 that depends on the seed, the index and the purpose alone. */
  chance(index: number, purpose: number): number {
    let hash =
      Math.imul(index + 1, 0x9e3779b1) ^ Math.imul(purpose + 1, 0x85ebca6b) ^ Math.imul(this.#seed | 0, 0xc2b2ae35);
    hash = Math.imul(hash ^ (hash >>> 16), 0x7feb352d);
    hash = Math.imul(hash ^ (hash >>> 15), 0x846ca68b);
    return (hash ^ (hash >>> 16)) >>> 0;
  }

  idAt(index: number): bigint {
    if (index % hugeEvery === hugeEvery - 1) {
      return beyondDoubles + 2n * BigInt(index);
    }
    return index % largestEvery === largestOffset ? largestId - BigInt(index) : firstId + BigInt(index);
  }

  /** The index of the product with this id; null when there is none. */
  indexOfId(id: bigint): number | null {
    for (const candidate of [id - firstId, (id - beyondDoubles) / 2n, largestId - id]) {
      if (candidate >= 0n && candidate < BigInt(this.count) && this.idAt(Number(candidate)) === id) {
        return Number(candidate);
      }
    }
    return null;
  }

  codeAt(index: number): string {
    const department = this.#combinationAt(index).assortment.department;
    const digits = String(index + 1).padStart(6, '0');
    return digits + (codeSuffixes.get(department) ?? '');
  }

  /** The index of the product with exactly this code; null when there is none. */
  indexOfCode(code: string): number | null {
    const index = Number(/^(\d{6,7})(-[PF])?$/.exec(code)?.[1] ?? 0) - 1;
    return index >= 0 && index < this.count && this.codeAt(index) === code ? index : null;
  }

  nameAt(index: number): string {
    const { assortment, variety, pack, brand } = this.#combinationAt(index);
    const line = Math.floor(index / combinations.length);
    const words = [assortment.noun, variety, brand, pack, line === 0 ? '' : `Linha ${line + 1}`];
    return words.filter((word) => word !== '').join(' ');
  }

  barcodesAt(index: number): readonly string[] {
    const { assortment } = this.#combinationAt(index);
    const barcodes: string[] = [];
    // Weighed and prepared goods have no maker's barcode; of the rest, about one in twenty-five goes without.
    if (assortment.isBranded && assortment.unit !== 'KG' && this.chance(index, 1) % 25 !== 0) {
      barcodes.push(this.#ean13At(index));
    }
    if (index % ean8Every === 3 && index / ean8Every < ean8Space) {
      const digits =
        barcodePrefix +
        String((Math.floor(index / ean8Every) * 6173 + this.#offset(ean8Space)) % ean8Space).padStart(4, '0');
      barcodes.push(digits + checkDigitOf(digits));
    }
    return barcodes;
  }

  /** The index of the product that bears exactly this barcode; null when there is none. */
  indexOfBarcode(barcode: string): number | null {
    if (!/^952(\d{5}|\d{10})$/.test(barcode)) {
      return null;
    }
    const body = Number(barcode.slice(barcodePrefix.length, -1));
    const candidate =
      barcode.length === 13
        ? Number(
            ((((BigInt(body) - BigInt(this.#offset(Number(ean13Space)))) * ean13Inverse) % ean13Space) + ean13Space) %
              ean13Space,
          )
        : this.#ean8IndexOf(body);
    return candidate < this.count && this.barcodesAt(candidate).includes(barcode) ? candidate : null;
  }

  optionsAt(index: number): readonly TrainingOption[] {
    return this.#combinationAt(index).assortment.options.map((name, place) => ({
      id: 50_000_000n + BigInt(index * 16 + place),
      name,
    }));
  }

  unitCodeAt(index: number): string {
    return this.#combinationAt(index).unit;
  }

  /** When it was last changed, in milliseconds since 1970: within the 400 days before `generatedUpTo`. */
  updatedAt(index: number): number {
    return generatedUpTo - (this.chance(index, 2) % (400 * 86_400)) * 1000;
  }

  at(index: number): TrainingProduct {
    const { assortment, unit: unitCode } = this.#combinationAt(index);
    const unit = units.get(unitCode);
    if (unit === undefined) {
      throw new Error(`no unit of measure ${unitCode}`);
    }
    return {
      index,
      id: this.idAt(index),
      code: this.codeAt(index),
      name: this.nameAt(index),
      department: assortment.department,
      unit,
      barcodes: this.barcodesAt(index),
      options: this.optionsAt(index),
      isPerishable: assortment.isPerishable,
      shop: this.#shopFactsAt(index, assortment.department),
    };
  }

  #shopFactsAt(index: number, department: string): TrainingProduct['shop'] {
    return {
      price: (150 + (this.chance(index, 3) % 9_850)) / 100,
      supplier: `Distribuidora Exemplo ${1 + (this.chance(index, 4) % 12)}`,
      // Goods of one department stand together.
      aisle: `${department.charAt(0)}${1 + (this.chance(department.length, 5) % 9)}-${String(1 + (this.chance(index, 6) % 24)).padStart(2, '0')}`,
    };
  }

  #combinationAt(index: number): Combination {
    // A step of the golden ratio's length visits every combination once and mixes the departments well.
    const place = (index * combinationStep + this.#offset(combinations.length)) % combinations.length;
    const combination = combinations[place];
    if (combination === undefined) {
      throw new RangeError(`no product ${index}`);
    }
    return combination;
  }

  #ean13At(index: number): string {
    const body = (BigInt(index) * ean13Step + BigInt(this.#offset(Number(ean13Space)))) % ean13Space;
    const digits = barcodePrefix + String(body).padStart(9, '0');
    return digits + checkDigitOf(digits);
  }

  #ean8IndexOf(body: number): number {
    const inverse = Number(inverseModulo(6173n, BigInt(ean8Space)));
    const row = ((((body - this.#offset(ean8Space)) * inverse) % ean8Space) + ean8Space) % ean8Space;
    return row * ean8Every + 3;
  }

  #offset(space: number): number {
    return this.chance(0, space) % space;
  }
}
