// API v3 leaves the fields of a listing's elements, of `unit_of_measure`, of `balance_options` and of batches open, so
// each shape here is one guess of what a real platform sends; an integrator's code should work with all of them.
import { writeDateTime } from './date-times.ts';
import type { ElementShape, Readings } from './readings.ts';
import type { Batch, ListedProduct, OptionAmount, Product } from './ports.ts';

function writeUnit(shape: ElementShape, unit: Product['unit']): unknown {
  if (unit === null) {
    return null;
  }
  const { id, code, name } = unit;
  return { nested: { id, code, name }, flat: { id, abbreviation: code, name }, bare: { name: code } }[shape];
}

function writeMoment(at: number | null, timeZone: string): string | null {
  return at === null ? null : writeDateTime(at, timeZone);
}

/** One element of `data.stock_products` (API v3 §4.3). */
export function writeElement(
  { elementShape: shape, listedFields, timeZone }: Pick<Readings, 'elementShape' | 'listedFields' | 'timeZone'>,
  { product, amount, updatedAt }: ListedProduct,
): unknown {
  const { id, name, code, barcodes, unit, options } = product;
  const shop = listedFields === 'more' ? product.shop : null;
  if (shape === 'bare') {
    return { id, name };
  }
  if (shape === 'flat') {
    return {
      product_id: id,
      name,
      code,
      barcodes,
      unit: unit?.code ?? null,
      amount,
      ...(shop === null ? {} : { price: shop.price, supplier: shop.supplier, aisle: shop.aisle }),
      updated_at: writeMoment(updatedAt, timeZone),
    };
  }
  return {
    product: {
      id,
      name,
      sku: code,
      // One alone: the second barcode of a product is found by `term`, but is not listed.
      barcode: barcodes[0] ?? null,
      category: product.department === null ? null : { name: product.department },
      unit_of_measure: writeUnit('nested', unit),
      options,
      ...(shop === null
        ? {}
        : { price: shop.price, supplier: shop.supplier === null ? null : { name: shop.supplier } }),
    },
    balance: amount,
    ...(shop === null ? {} : { aisle: shop.aisle }),
    updated_at: writeMoment(updatedAt, timeZone),
  };
}

/** The `product` of a balance or of batches; what API v3 §2 documents is always there. */
export function writeProduct(shape: ElementShape, { id, name, code, unit }: Product): unknown {
  return { id, name, sku: code ?? '', unit_of_measure: writeUnit(shape, unit) ?? {} };
}

/** One element of `balance_options` (API v3 §2). */
export function writeOptionAmount(shape: ElementShape, { option, amount }: OptionAmount): unknown {
  const shapes = {
    nested: { option, balance: amount },
    flat: { option_id: option.id, option_name: option.name, amount },
    bare: { ...option, balance: amount },
  };
  return shapes[shape];
}

/** One element of `stock_movements` (API v3 §2 "Stock product batches response"). */
export function writeBatch(shape: ElementShape, batch: Batch, timeZone: string): unknown {
  const { id, name, amount } = batch;
  const enteredAt = writeMoment(batch.enteredAt, timeZone);
  const expiresAt = writeMoment(batch.expiresAt, timeZone);
  const shapes = {
    nested: { id, batch: name, amount, created_at: enteredAt, expires_at: expiresAt },
    flat: {
      movement_id: id,
      lot_number: name,
      quantity: amount,
      entry_date: enteredAt,
      expiration_date: expiresAt?.slice(0, 10) ?? null,
    },
    bare: { id, quantity: amount },
  };
  return shapes[shape];
}
