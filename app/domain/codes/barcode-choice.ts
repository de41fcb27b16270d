import { barcodeTypes, isBarcodeTypeName, type BarcodeTypeName } from './barcode-types.ts';
import { codeKeys, expandUpcE, hasValidCheckDigit } from './barcode.ts';

/** A code and the type that it is drawn as. */
export interface BarcodeChoice {
  readonly text: string;
  readonly type: BarcodeTypeName;
  /** The type that the platform names for the product, when the code does not fit it. */
  readonly refused: BarcodeTypeName | null;
}

// A value alone says nothing: MSI is a maker of computers, too. The field must speak of a type.
const typeField = /type|tipo|format|symbolog|simbolog|bar_?code|barras/i;

/** The barcode type that a product's fields name; null when none does, or when they differ. */
export function statedType(
  fields: readonly { readonly name: string; readonly value: string }[],
): BarcodeTypeName | null {
  const names = new Set(fields.filter(({ name }) => typeField.test(name)).map(({ value }) => value));
  const stated = [...names].filter(isBarcodeTypeName);
  return stated.length === 1 ? (stated[0] ?? null) : null;
}

/**
 * The type of a code by its form alone: a GTIN with a right check digit by its length (GS1 General Specifications
 * §1.3), else Code 128 or a QR code.
 */
export function typeByForm(text: string): BarcodeTypeName {
  if (/^\d+$/.test(text) && hasValidCheckDigit(text)) {
    switch (text.length) {
      case 8:
        return 'EAN8';
      case 12:
        return 'UPCA';
      case 13:
        return 'EAN13';
      case 14:
        // ITF-14 is Interleaved 2 of 5 with fourteen digits.
        return 'I25';
    }
  }
  // A code that could be both was drawn as an EAN-8 above: every scanner gives that back digit for digit, while many
  // expand a UPC-E.
  if (text.length === 8 && expandUpcE(text) !== null) {
    return 'UPCE';
  }
  return barcodeTypes.C128.carries(text) ? 'C128' : 'QRCODE';
}

/** How a code is drawn; `stated` is what the platform says of the product. Null for a text that no type can carry. */
export function chooseBarcode(text: string, stated: BarcodeTypeName | null): BarcodeChoice | null {
  if (stated !== null && barcodeTypes[stated].carries(text)) {
    return { text, type: stated, refused: null };
  }
  const type = typeByForm(text);
  return barcodeTypes[type].carries(text) ? { text, type, refused: stated } : null;
}

/** The codes of a product to draw: its barcodes, that of the scan first; without any, the product's own code. */
export function codesToDraw(
  { barcodes, code }: { readonly barcodes: readonly string[]; readonly code: string | null },
  scanned: string,
): readonly string[] {
  if (barcodes.length === 0) {
    return code === null ? [] : [code];
  }
  const keys = new Set(codeKeys(scanned));
  const first =
    barcodes.find((barcode) => barcode === scanned) ??
    barcodes.find((barcode) => codeKeys(barcode).some((key) => keys.has(key)));
  return first === undefined ? barcodes : [first, ...barcodes.filter((barcode) => barcode !== first)];
}

const groups: Readonly<Partial<Record<BarcodeTypeName, RegExp>>> = {
  EAN13: /^(\d)(\d{6})(\d{6})$/,
  EAN8: /^(\d{4})(\d{4})$/,
  UPCA: /^(\d)(\d{5})(\d{5})(\d)$/,
  UPCE: /^(\d)(\d{6})(\d)$/,
};

/** The code as it is written below its bars: in the groups of its type, such as "9 520000 000011", else as it is. */
export function readableCode({ text, type }: Pick<BarcodeChoice, 'text' | 'type'>): string {
  return groups[type]?.exec(text)?.slice(1).join(' ') ?? text;
}
