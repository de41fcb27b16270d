import type { Id } from '../domain/int64.ts';
import type { CouponCause, Coupons, CouponSetting, Effect } from '../service/ports.ts';
import type { Changes } from './data/changes.ts';
import type { Products } from './data/products.ts';
import type { TrainingRepository } from './data/repository.ts';
import { places } from './data/world.ts';
import type { Variants } from './options/variants.ts';

/** One setting that was changed, in the order in which it happened; without a key when it was at the platform itself. */
export interface CouponEffect extends CouponCause, CouponSetting {
  readonly order: number;
  readonly companyId: Id;
}

// A shop sets coupons for some of its goods only: of the first products every 25th has one, and every 25th, ten places
// on, has it switched off. The second company has it the other way round.
const presetCount = 5000;
const presetEvery = 25;
const presetOffset = 10;
const maximumEffects = 100_000;

/** The made-up shop's coupon settings. */
export class TrainingCoupons implements Coupons {
  readonly #repository: TrainingRepository;
  readonly #products: Products;
  readonly #changes: Changes;
  readonly #variants: () => Variants;
  readonly #effects: CouponEffect[] = [];
  #effectCount = 0;

  constructor(repository: TrainingRepository, products: Products, changes: Changes, variants: () => Variants) {
    this.#repository = repository;
    this.#products = products;
    this.#changes = changes;
    this.#variants = variants;
  }

  /** The latest changes, oldest first, of this run. */
  get effects(): readonly CouponEffect[] {
    return this.#effects;
  }

  /** All settings of the company by product id; a product that nobody ever set is as `unset` says. */
  settingsOf(companyId: Id, unset: Variants['unsetCoupons'] = 'absent'): ReadonlyMap<string, boolean> {
    const settings = new Map<string, boolean>();
    const unsetCount = unset === 'off' ? this.#products.count : 0;
    for (let index = 0; index < unsetCount; index += 1) {
      settings.set(String(this.#products.idAt(index)), false);
    }
    const isFirst = companyId === places.companyId;
    for (let index = 0; index < Math.min(presetCount, this.#products.count); index += 1) {
      const isOnPlace = index % presetEvery === 0;
      if (isOnPlace || index % presetEvery === presetOffset) {
        settings.set(String(this.#products.idAt(index)), isOnPlace === isFirst);
      }
    }
    for (const [productId, isEnabled] of this.#repository.listCoupons(companyId)) {
      settings.set(productId, isEnabled);
    }
    for (const productId of settings.keys()) {
      if (this.#nameOf(BigInt(productId)) === null) {
        settings.delete(productId);
      }
    }
    return settings;
  }

  list(companyId: Id, productId: bigint | null) {
    return [...this.settingsOf(companyId, this.#variants().unsetCoupons)]
      .filter(([id]) => productId === null || BigInt(id) === productId)
      .map(([id, isEnabled]) => ({ productId: id as Id, isEnabled, productName: this.#nameOf(BigInt(id)) }));
  }

  change(companyId: Id, settings: readonly CouponSetting[], cause: CouponCause): Effect {
    return () => {
      for (const setting of settings) {
        this.#repository.writeCoupon(companyId, setting.productId, setting.isEnabled);
        this.#effectCount += 1;
        this.#effects.push({ order: this.#effectCount, companyId, ...setting, ...cause });
        if (this.#effects.length > maximumEffects) {
          this.#effects.shift();
        }
      }
    };
  }

  /** Null for a product that is not there, or no more. */
  #nameOf(id: bigint): string | null {
    const index = this.#products.indexOfId(id);
    return index === null || this.#changes.isRemoved(index)
      ? null
      : (this.#changes.nameOf(index) ?? this.#products.nameAt(index));
  }
}
