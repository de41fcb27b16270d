import { drawFrom, type Conditions } from './options/network-conditions.ts';
import type { Products } from './data/products.ts';
import { places } from './data/world.ts';

/** The data that others may change; the service is one. */
export interface ChangingWorld {
  readonly products: Products;
  readonly conditions: Conditions;
  amountOf(stockId: string, productId: string): number;
  changeBalance(stockId: string, productId: string, amount: number): void;
  renameProduct(productId: string, name: string): void;
  removeProduct(productId: string, isRemoved: boolean): void;
  couponSettings(): ReadonlyMap<string, boolean>;
  changeCouponSetting(productId: string, isEnabled: boolean): void;
}

const maxRemoved = 20;
const maxEventsAtOnce = 500;
const labels = ['nova embalagem', 'fornecedor novo', 'edição de verão', 'leve mais'];

export class SimulatedActivity {
  readonly #world: ChangingWorld;
  readonly #draw: () => number;
  readonly #due = { movements: 0, products: 0, coupons: 0 };
  #removed: readonly string[] = [];

  constructor(world: ChangingWorld, seed: number) {
    this.#world = world;
    this.#draw = drawFrom(seed + 1);
  }

  /** Does what falls into so many milliseconds at the present rates. */
  letPass(elapsedMs: number): void {
    const { movementsPerMinute, productChangesPerMinute, couponChangesPerMinute } = this.#world.conditions.values;
    if (this.#world.products.count === 0) {
      return;
    }
    this.#repeat('movements', (movementsPerMinute * elapsedMs) / 60_000, () => {
      this.#move();
    });
    this.#repeat('products', (productChangesPerMinute * elapsedMs) / 60_000, () => {
      this.#changeProduct();
    });
    this.#repeat('coupons', (couponChangesPerMinute * elapsedMs) / 60_000, () => {
      this.#changeCoupon();
    });
  }

  #repeat(kind: 'movements' | 'products' | 'coupons', share: number, act: () => void): void {
    // A machine that slept does not catch up on the whole night.
    this.#due[kind] = Math.min(this.#due[kind] + share, maxEventsAtOnce);
    for (; this.#due[kind] >= 1; this.#due[kind] -= 1) {
      act();
    }
  }

  #move(): void {
    const index = this.#any(this.#world.products.count);
    const productId = String(this.#world.products.idAt(index));
    const stockId = places.stockIds[this.#any(places.stockIds.length)] ?? '';
    const isWeighed = this.#world.products.unitCodeAt(index) === 'KG';
    const moved = isWeighed ? (1 + this.#any(400)) * 5 : (1 + this.#any(3)) * 1000;
    // Many small sales, now and then a delivery.
    const isDelivery = this.#draw() < 0.1;
    const change = isDelivery ? moved * 12 : -moved;
    this.#world.changeBalance(
      stockId,
      productId,
      Math.round(this.#world.amountOf(stockId, productId) * 1000 + change) / 1000,
    );
  }

  #changeProduct(): void {
    const [maxAway] = this.#removed;
    const isBack = maxAway !== undefined && (this.#removed.length >= maxRemoved || this.#draw() < 0.3);
    if (isBack) {
      this.#removed = this.#removed.slice(1);
      this.#world.removeProduct(maxAway, false);
      return;
    }
    const index = this.#any(this.#world.products.count);
    const productId = String(this.#world.products.idAt(index));
    if (this.#draw() < 0.5) {
      this.#world.renameProduct(
        productId,
        `${this.#world.products.nameAt(index)} (${labels[this.#any(labels.length)] ?? ''})`,
      );
    } else if (!this.#removed.includes(productId)) {
      this.#removed = [...this.#removed, productId];
      this.#world.removeProduct(productId, true);
    }
  }

  #changeCoupon(): void {
    const settings = [...this.#world.couponSettings()];
    const chosen = settings[this.#any(settings.length)];
    if (chosen !== undefined) {
      this.#world.changeCouponSetting(chosen[0], !chosen[1]);
    }
  }

  #any(count: number): number {
    return Math.floor(this.#draw() * count);
  }
}
