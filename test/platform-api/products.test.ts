import { describe, expect, it } from 'vitest';
import { parseId } from '../../app/domain/int64.ts';
import { Products } from '../../app/training/data/products.ts';

// API v3 §2 "Units of measure".
const documentedUnits =
  `AMPOLA BALDE BANDEJ BARRA BISNAG BLOCO BOBINA BOMB CAPS CART CENTO CJ CM CM2 CX CX2 CX3 CX5 CX10 CX15 CX20 CX25 CX50
  CX100 DISP DUZIA EMBAL FARDO FOLHA FRASCO GALAO GF GRAMAS JOGO KG KIT LATA LITRO M M2 M3 MILHEI ML MWH PACOTE PALETE PARES PC POTE K
  RESMA ROLO SACO SACOLA TAMBOR TANQUE TON TUBO UNID VASIL VIDRO`.split(/\s+/);

/** Modulo 10 as GS1 describes it, from the right: 3, 1, 3... for the digits before the check digit. */
function isValidGtin(text: string): boolean {
  const digits = Array.from(text, Number).toReversed();
  return digits.reduce((sum, digit, place) => sum + digit * (place % 2 === 1 ? 3 : 1), 0) % 10 === 0;
}

const products = new Products(5000, 1);
const all = Array.from({ length: products.count }, (_unused, index) => products.at(index));

describe('the usual assortment', () => {
  it('has names of its own, with accents, from every department', () => {
    expect(new Set(all.map((product) => product.name)).size).toBe(5000);
    expect(all.filter((product) => /[áàâãéêíóôõúç]/i.test(product.name)).length).toBeGreaterThan(1500);
    expect(new Set(all.map((product) => product.department)).size).toBe(9);
    expect(all.every((product) => product.name.length <= 80 && !/\s\s|^\s|\s$|undefined/.test(product.name))).toBe(
      true,
    );
  });

  it('measures in documented units only, at least a dozen of them', () => {
    const used = new Set(all.map((product) => product.unit.code));
    expect([...used].filter((code) => !documentedUnits.includes(code))).toEqual([]);
    expect(used.size).toBeGreaterThan(12);
  });

  it('bears valid EAN-13 and EAN-8, each once, with GS1 demonstration prefix, and sometimes none or two', () => {
    const barcodes = all.flatMap((product) => product.barcodes);
    expect(barcodes.filter((barcode) => !isValidGtin(barcode) || !barcode.startsWith('952'))).toEqual([]);
    expect(new Set(barcodes).size).toBe(barcodes.length);
    expect(new Set(barcodes.map((barcode) => barcode.length))).toEqual(new Set([13, 8]));
    expect(all.some((product) => product.barcodes.length === 0)).toBe(true);
    expect(all.some((product) => product.barcodes.length === 2)).toBe(true);
  });

  it('has ids that are int64, each once, some beyond what a number holds', () => {
    const ids = all.map((product) => product.id);
    expect(new Set(ids).size).toBe(5000);
    expect(ids.every((id) => parseId(id) === String(id))).toBe(true);
    const huge = ids.filter((id) => id > BigInt(Number.MAX_SAFE_INTEGER));
    expect(huge.length).toBeGreaterThan(30);
    expect(huge.length).toBeLessThan(500);
    expect(huge.some((id) => BigInt(Number(id)) !== id)).toBe(true);
  });

  it('offers colours and sizes for some, with option ids of their own', () => {
    const options = all.flatMap((product) => product.options);
    expect(options.length).toBeGreaterThan(500);
    expect(new Set(options.map((option) => option.id)).size).toBe(options.length);
  });
});

describe('the seed', () => {
  it('makes the same products again, and others from another', () => {
    const again = new Products(5000, 1);
    expect([0, 77, 4999].map((index) => again.at(index))).toEqual([0, 77, 4999].map((index) => all[index]));
    const other = new Products(5000, 2);
    expect(other.at(0).name).not.toBe(all[0]?.name);
    expect(other.at(0).barcodes).not.toEqual(all[0]?.barcodes);
  });
});

describe('a million products', () => {
  const many = new Products(1_000_000, 3);

  it('finds each by id, code and barcode, and names each differently', () => {
    const names = new Set<string>();
    for (let index = 0; index < many.count; index += 199) {
      expect(many.indexOfId(many.idAt(index))).toBe(index);
      expect(many.indexOfCode(many.codeAt(index))).toBe(index);
      expect(
        many.barcodesAt(index).every((barcode) => isValidGtin(barcode) && many.indexOfBarcode(barcode) === index),
      ).toBe(true);
      names.add(many.nameAt(index));
    }
    expect(names.size).toBe(Math.ceil(many.count / 199));
  });

  it('finds nothing that is not there', () => {
    expect(products.indexOfId(0n)).toBeNull();
    expect(products.indexOfId(1_005_001n)).toBeNull();
    expect(products.indexOfId(2n ** 63n - 1n)).toBeNull();
    // Index 96 has an id beyond 2^53, so the ordinary one in its place is nobody's.
    expect(products.indexOfId(1_000_097n)).toBeNull();
    expect(products.indexOfCode('005001')).toBeNull();
    expect(products.indexOfCode('')).toBeNull();
    expect(products.indexOfBarcode('9520000000000')).toBeNull();
    expect(products.indexOfBarcode(many.barcodesAt(900_002)[0] ?? '')).toBeNull();
  });

  it('refuses more than a million', () => {
    expect(() => new Products(1_000_001, 1)).toThrow(RangeError);
    expect(() => new Products(-1, 1)).toThrow(RangeError);
  });
});
