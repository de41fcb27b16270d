import { foldText } from '../../service/fold.ts';
import type { Changes } from './changes.ts';
import type { Products } from './products.ts';

type Order = 'id' | 'code' | 'name';

export class ProductIndex {
  readonly #products: Products;
  readonly #changes: Changes;
  readonly #orders = new Map<Order, Uint32Array>();
  #names: string[] | null = null;
  #nameRevision = 0;

  constructor(products: Products, changes: Changes) {
    this.#products = products;
    this.#changes = changes;
  }

  nameAt(index: number): string {
    return this.#changes.nameOf(index) ?? this.#products.nameAt(index);
  }

  /** All indexes, ascending by the field; equal ones by id. */
  order(by: Order): Uint32Array {
    this.#forgetOldNames();
    const known = this.#orders.get(by);
    if (known !== undefined) {
      return known;
    }
    const order = this.#sort(by);
    this.#orders.set(by, order);
    return order;
  }

  /** The indexes that a term finds anywhere in name, code or barcode (API v3 §4.3 "term"). */
  findAnywhere(term: string): ReadonlySet<number> {
    const folded = foldText(term);
    const isWithin = (name: string, index: number): boolean =>
      [name, foldText(this.#products.codeAt(index)), ...this.#products.barcodesAt(index)].some((text) =>
        text.includes(folded),
      );
    return new Set(
      this.#foldedNames()
        .keys()
        .filter((index) => isWithin(this.#foldedNames()[index] ?? '', index)),
    );
  }

  /**
   * The indexes that a term finds: the one product that bears it as barcode or code, else all whose name holds each of
   * its words, or whose code or barcode begins with it (API v3 §4.3 "term").
   */
  find(term: string): ReadonlySet<number> {
    const exact = this.#products.indexOfBarcode(term) ?? this.#products.indexOfCode(term.toUpperCase());
    if (exact !== null) {
      return new Set([exact]);
    }
    const words = foldText(term)
      .split(/\s+/)
      .filter((word) => word !== '');
    const found = new Set<number>();
    for (const [index, name] of this.#foldedNames().entries()) {
      if (words.every((word) => name.includes(word))) {
        found.add(index);
      }
    }
    if (/^\d{3,}/.test(term)) {
      for (let index = 0; index < this.#products.count; index += 1) {
        if (
          this.#products.codeAt(index).startsWith(term.toUpperCase()) ||
          this.#products.barcodesAt(index).some((barcode) => barcode.startsWith(term))
        ) {
          found.add(index);
        }
      }
    }
    return found;
  }

  #foldedNames(): string[] {
    this.#forgetOldNames();
    this.#names ??= Array.from({ length: this.#products.count }, (_unused, index) => foldText(this.nameAt(index)));
    return this.#names;
  }

  #sort(by: Order): Uint32Array {
    switch (by) {
      case 'id':
        return this.#byId();
      case 'name':
        return this.#byName();
      case 'code':
        return Uint32Array.from({ length: this.#products.count }, (_unused, index) => index);
    }
  }

  #byId(): Uint32Array {
    const ids = BigUint64Array.from({ length: this.#products.count }, (_unused, index) =>
      this.#products.idAt(index),
    ).sort();
    return Uint32Array.from(ids, (id) => this.#products.indexOfId(id) ?? 0);
  }

  #byName(): Uint32Array {
    const names = this.#foldedNames();
    const place = new Uint32Array(names.length);
    for (const [rank, index] of this.order('id').entries()) {
      place[index] = rank;
    }
    const compare = (left: number, right: number): number => {
      const [leftName = '', rightName = ''] = [names[left], names[right]];
      if (leftName === rightName) {
        return (place[left] ?? 0) - (place[right] ?? 0);
      }
      return leftName < rightName ? -1 : 1;
    };
    return Uint32Array.from(names.keys()).sort(compare);
  }

  #forgetOldNames(): void {
    if (this.#nameRevision !== this.#changes.nameRevision) {
      this.#nameRevision = this.#changes.nameRevision;
      this.#names = null;
      this.#orders.delete('name');
    }
  }
}
