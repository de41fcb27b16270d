// The consumption-coupon settings of the training platform and their two operations (API v3 §4.6, §4.7).
import { parseJson } from '../../domain/json.ts';
import { parseId, type Id } from '../../domain/int64.ts';
import {
  answerJson,
  answerNothing,
  problem,
  refuse,
  refuseFields,
  type ErrorCode,
  type PlatformAnswer,
  type Problem,
} from './answers.ts';
import type { Changes } from '../data/changes.ts';
import type { Variants } from '../options/variants.ts';
import type { Products } from '../data/products.ts';
import { Query } from './query.ts';
import type { TrainingStore } from '../data/store.ts';
import { places, type Company } from '../data/world.ts';

/** One setting that a request has changed, in the order in which it happened. */
export interface CouponEffect {
  readonly order: number;
  readonly at: number;
  readonly companyId: Id;
  readonly productId: Id;
  readonly isEnabled: boolean;
  /** Null when the change was made at the platform itself. */
  readonly idempotencyKey: string | null;
  readonly clientId: string | null;
  readonly userId: string | null;
}

/** Who changes a setting, and when. */
export type CouponCause = Pick<CouponEffect, 'at' | 'idempotencyKey' | 'clientId' | 'userId'>;

// A shop sets coupons for some of its goods only: of the first products every 25th has one, and every 25th, ten places
// on, has it switched off. The second company has it the other way round.
const presetCount = 5000;
const presetEvery = 25;
const presetOffset = 10;
const maximumEffects = 100_000;

function readRefusal(refusal: Variants['couponsOffRefusal']): [status: number, code: ErrorCode] {
  const [status = '', code = ''] = refusal.split(':');
  return [Number(status), code as ErrorCode];
}

/** Whether the company has coupons enabled in the ERP settings (API v3 §4.7). */
export function hasCoupons(companyId: Id, variants: Variants): boolean {
  return companyId === places.companyId ? variants.hasCoupons : variants.secondHasCoupons;
}

export class CouponOperations {
  readonly #store: TrainingStore;
  readonly #products: Products;
  readonly #changes: Changes;
  readonly #effects: CouponEffect[] = [];
  #effectCount = 0;

  constructor(store: TrainingStore, products: Products, changes: Changes) {
    this.#store = store;
    this.#products = products;
    this.#changes = changes;
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
    for (const [productId, isEnabled] of this.#store.listCoupons(companyId)) {
      settings.set(productId, isEnabled);
    }
    for (const productId of settings.keys()) {
      if (!this.#exists(BigInt(productId))) {
        settings.delete(productId);
      }
    }
    return settings;
  }

  /** API v3 §4.6. */
  list(companyId: Id, parameters: URLSearchParams, variants: Variants): PlatformAnswer {
    const query = new Query(parameters);
    const productId = query.id('product_id');
    const isEnabled = query.isTrue('is_enabled');
    const refusal = query.refusal(variants);
    if (refusal !== null) {
      return refusal;
    }
    const items = this.settingsOf(companyId, variants.unsetCoupons)
      .entries()
      .map(([id, setting]) => ({
        product_id: BigInt(id),
        is_enabled: setting,
        ...(variants.elementShape === 'flat' ? { product_name: this.#nameOf(BigInt(id)) } : {}),
      }))
      .filter(
        (item) =>
          (productId === null || item.product_id === productId) &&
          (isEnabled === null || item.is_enabled === isEnabled),
      );
    return answerJson(200, { items: [...items] });
  }

  /** API v3 §4.7. */
  update(company: Company, body: string | null, cause: CouponCause, variants: Variants): PlatformAnswer {
    const document = parseJson(body ?? '');
    if (typeof document !== 'object' || document === null || Array.isArray(document)) {
      return refuse(400, 'bad_request', 'O corpo da requisição não é um JSON válido.');
    }
    if (!hasCoupons(company.id, variants)) {
      return refuse(
        ...readRefusal(variants.couponsOffRefusal),
        'A empresa não tem o cupom de consumo de produtos habilitado nas configurações do ERP.',
      );
    }
    const items = 'items' in document ? document.items : undefined;
    if (!Array.isArray(items) || (items.length === 0 && variants.emptyItems === 'refused')) {
      return refuseFields([problem('items', items === undefined || Array.isArray(items) ? 'required' : 'array')]);
    }
    const problems: Problem[] = [];
    const wanted = items.map((item: unknown, place) =>
      this.#readItem(item, `items.${place + variants.itemsFrom}`, problems, variants),
    );
    if (problems.length === 0 || variants.partialUpdates === 'goodOnes') {
      for (const setting of wanted.filter((read) => read !== null)) {
        this.change(company.id, setting.productId, setting.isEnabled, cause);
      }
    }
    return problems.length > 0 ? refuseFields(problems) : answerNothing();
  }

  /** Changes one setting and takes note of it. */
  change(companyId: Id, productId: Id, isEnabled: boolean, cause: CouponCause): void {
    this.#store.writeCoupon(companyId, productId, isEnabled);
    this.#effectCount += 1;
    this.#effects.push({ order: this.#effectCount, companyId, productId, isEnabled, ...cause });
    if (this.#effects.length > maximumEffects) {
      this.#effects.shift();
    }
  }

  #readItem(
    item: unknown,
    field: string,
    problems: Problem[],
    variants: Variants,
  ): { readonly productId: Id; readonly isEnabled: boolean } | null {
    if (typeof item !== 'object' || item === null) {
      problems.push(problem(field, 'object'));
      return null;
    }
    const given = item as Readonly<Record<string, unknown>>;
    const before = problems.length;
    const productId = typeof given['product_id'] === 'string' ? null : parseId(given['product_id']);
    if (productId === null) {
      problems.push(problem(`${field}.product_id`, given['product_id'] === undefined ? 'required' : 'integer'));
    } else if (!this.#exists(BigInt(productId))) {
      problems.push(
        problem(`${field}.product_id`, 'exists', variants.itemValues === 'product' ? [BigInt(productId)] : []),
      );
    }
    const isEnabled = given['is_enabled'];
    if (typeof isEnabled !== 'boolean') {
      problems.push(problem(`${field}.is_enabled`, isEnabled === undefined ? 'required' : 'boolean'));
    }
    return productId === null || typeof isEnabled !== 'boolean' || problems.length > before
      ? null
      : { productId, isEnabled };
  }

  #nameOf(id: bigint): string | null {
    const index = this.#products.indexOfId(id);
    return index === null ? null : (this.#changes.nameOf(index) ?? this.#products.nameAt(index));
  }

  #exists(id: bigint): boolean {
    const index = this.#products.indexOfId(id);
    return index !== null && !this.#changes.isRemoved(index);
  }
}
