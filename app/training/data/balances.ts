import type { Changes } from './changes.ts';
import type { Batch, MovementType, OptionAmount, Stock } from '../../service/ports.ts';
import { generatedUpTo, type Products, type TrainingProduct } from './products.ts';
import { holdsEvery, stocks } from './world.ts';

const dayMs = 86_400_000;

const placeOf = ({ id }: Stock): number => stocks.findIndex((stock) => stock.id === id);

// Purposes of `Products.chance`; each stock has a hundred of its own.
function purposeOf(stock: Stock, purpose: number): number {
  return 100 * (placeOf(stock) + 1) + purpose;
}

function thousandths(amount: number): number {
  return Math.round(amount * 1000);
}

function share(
  products: Products,
  index: number,
  purpose: number,
  total: number,
  parts: number,
  grain: number,
): number[] {
  const shares: number[] = [];
  let rest = total;
  for (let part = 0; part < parts - 1; part += 1) {
    const fair = (rest / (parts - part)) * ((products.chance(index, purpose + part) % 1000) / 1000 + 0.5);
    const taken = Math.trunc(fair / grain) * grain;
    shares.push(taken);
    rest -= taken;
  }
  return [...shares, rest];
}

export class Balances {
  readonly #products: Products;
  readonly #changes: Changes;

  constructor(products: Products, changes: Changes) {
    this.#products = products;
    this.#changes = changes;
  }

  /** The product's quantity in the stock; may be negative, and has three decimals for weighed goods. */
  amountOf(stock: Stock, index: number): number {
    return this.#changes.amountOf(stock.id, index) ?? this.#generated(stock, index) / 1000;
  }

  /** When the product or its quantity in the stock last changed, in milliseconds since 1970. */
  updatedAt(stock: Stock, index: number): number {
    return this.#changes.changedAt(stock.id, index) ?? this.#products.updatedAt(index);
  }

  /** Quantities by option, adding up to the quantity; empty for a product without options. Exits are negative. */
  optionAmounts(stock: Stock, product: TrainingProduct, movement: MovementType): OptionAmount[] {
    const sharesOf = (of: MovementType): number[] =>
      share(
        this.#products,
        product.index,
        purposeOf(stock, 20),
        thousandths(this.movementOf(stock, product.index, of)),
        product.options.length,
        1000,
      );
    const shares = sharesOf(movement === 'in' ? 'all' : movement);
    // So that entries and exits add up for each option too.
    const exits = movement === 'in' ? sharesOf('out') : [];
    return product.options.map((option, place) => ({
      option,
      amount: ((shares[place] ?? 0) - (exits[place] ?? 0)) / 1000,
    }));
  }

  /** The sum of all movements, of the entries, or (negative) of the exits; entries and exits add up to all. */
  movementOf(stock: Stock, index: number, movement: MovementType): number {
    const amount = thousandths(this.amountOf(stock, index));
    // A generated zero never moved; what was changed to zero has.
    const isUnmoved = amount === 0 && this.#changes.amountOf(stock.id, index) === undefined;
    const out = isUnmoved ? 0 : Math.max(0, -amount) + (this.#products.chance(index, purposeOf(stock, 2)) % 40) * 1000;
    const sums = { all: amount, in: amount + out, out: 0 - out };
    return sums[movement] / 1000;
  }

  /** The entries of which the stock was made up, oldest first: of all the product, or of these of its options. */
  batchesOf(stock: Stock, product: TrainingProduct, optionIds: ReadonlySet<bigint> | null): Batch[] {
    if (product.options.length === 0) {
      const entered = thousandths(this.movementOf(stock, product.index, 'in'));
      return optionIds === null
        ? this.#batches(
            stock,
            product,
            entered,
            0,
            1 + (this.#products.chance(product.index, purposeOf(stock, 40)) % 3),
          )
        : [];
    }
    // A product of several colours comes in one batch of each.
    return this.optionAmounts(stock, product, 'in')
      .flatMap(({ option, amount }, place) =>
        optionIds === null || optionIds.has(option.id)
          ? this.#batches(stock, product, thousandths(amount), place, 1)
          : [],
      )
      .sort((left, right) => (left.enteredAt ?? 0) - (right.enteredAt ?? 0));
  }

  #batches(stock: Stock, product: TrainingProduct, entered: number, firstPlace: number, parts: number): Batch[] {
    const { index } = product;
    const purpose = purposeOf(stock, 40);
    if (entered <= 0) {
      return [];
    }
    return share(this.#products, index, purpose + 1, entered, parts, 1000).flatMap((part, partPlace) => {
      const place = firstPlace + partPlace;
      const enteredAt =
        generatedUpTo -
        ((this.#products.chance(index, purpose + 10 + firstPlace) % 60) + (parts - partPlace) * 30) * dayMs;
      const shelfLifeDays = 60 + (this.#products.chance(index, purpose + 20 + place) % 700);
      const name = `L${String((index * 7 + place) % 100_000).padStart(5, '0')}`;
      return part === 0
        ? []
        : [
            {
              id: 80_000_000n + BigInt(index * 64 + placeOf(stock) * 16 + place),
              name: product.isPerishable ? name : null,
              amount: part / 1000,
              enteredAt,
              expiresAt: product.isPerishable ? enteredAt + shelfLifeDays * dayMs : null,
            },
          ];
    });
  }

  #generated(stock: Stock, index: number): number {
    if (index % holdsEvery(stock) !== 0) {
      return 0;
    }
    const kind = this.#products.chance(index, purposeOf(stock, 0)) % 100;
    const size = this.#products.chance(index, purposeOf(stock, 1)) / 2 ** 32;
    const grain = this.#products.unitCodeAt(index) === 'KG' ? 5 : 1000;
    if (kind < 12) {
      return 0;
    }
    // Few of most things, many of some: the cube keeps small quantities frequent.
    const quantity = kind < 18 ? -(1 + size * 11) : 1 + 240 * size ** 3;
    return Math.trunc((quantity * 1000) / grain) * grain;
  }
}
