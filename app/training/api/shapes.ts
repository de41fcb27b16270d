// API v3 leaves the fields of a listing's elements, of `unit_of_measure`, of `balance_options` and of batches open, so
// each shape here is one guess of what a real platform sends; an integrator's code should work with all of them.
import { writeDateTime } from './date-times.ts';
import type { ElementShape, Variants } from '../options/variants.ts';
import type { Batch, OptionAmount } from '../data/balances.ts';
import type { TrainingProduct } from '../data/products.ts';

/** One element of `data.stock_products` (API v3 §4.3). */
export function writeElement(
  { elementShape: shape, listedFields, timeZone }: Pick<Variants, 'elementShape' | 'listedFields' | 'timeZone'>,
  product: TrainingProduct,
  amount: number,
  updatedAt: number,
): unknown {
  const { id, name, code, barcodes, unit, options } = product;
  const { price, supplier, aisle } = product.shop;
  const hasMore = listedFields === 'more';
  if (shape === 'bare') {
    return { id, name };
  }
  if (shape === 'flat') {
    return {
      product_id: id,
      name,
      code,
      barcodes,
      unit: unit.code,
      amount,
      ...(hasMore ? { price, supplier, aisle } : {}),
      updated_at: writeDateTime(updatedAt, timeZone),
    };
  }
  return {
    product: {
      id,
      name,
      sku: code,
      // One alone: the second barcode of a product is found by `term`, but is not listed.
      barcode: barcodes[0] ?? null,
      category: { name: product.department },
      unit_of_measure: { id: unit.id, code: unit.code, name: unit.name },
      options,
      ...(hasMore ? { price, supplier: { name: supplier } } : {}),
    },
    balance: amount,
    ...(hasMore ? { aisle } : {}),
    updated_at: writeDateTime(updatedAt, timeZone),
  };
}

/** The `product` of a balance or of batches; what API v3 §2 documents is always there. */
export function writeProduct(shape: ElementShape, product: TrainingProduct): unknown {
  const { id, name, code: sku, unit } = product;
  const unitOfMeasure = {
    nested: { id: unit.id, code: unit.code, name: unit.name },
    flat: { id: unit.id, abbreviation: unit.code, name: unit.name },
    bare: { name: unit.code },
  };
  return { id, name, sku, unit_of_measure: unitOfMeasure[shape] };
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
  const enteredAt = writeDateTime(batch.enteredAt, timeZone);
  const expiresAt = batch.expiresAt === null ? null : writeDateTime(batch.expiresAt, timeZone);
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
