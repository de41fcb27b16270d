import type { OptionTable } from '../../contract/training-panel.ts';
import { defaultsOf, type OptionValues } from '../../service/option.ts';
import type { Fault } from './faults.ts';

const percent = (says: string) => ({ from: 0, to: 100, default: 0, says }) as const;
const perMinute = (says: string) => ({ from: 0, to: 6000, default: 0, says }) as const;

export const conditionTable = {
  isNetworkDown: { of: [false, true], default: false, says: 'No request arrives.' },
  latencyMs: { from: 0, to: 60_000, default: 0, says: 'Every request takes so many milliseconds to arrive.' },
  answerLatencyMs: { from: 0, to: 60_000, default: 0, says: 'Every answer takes so many milliseconds to come back.' },
  lossPercent: percent('So many requests in a hundred are lost: half of them on the way there, half on the way back.'),
  tooManyPercent: percent(
    'So many requests in a hundred are answered 429 (API v3 §8), as if other terminals had used up the minute.',
  ),
  serverErrorPercent: percent(
    'So many requests in a hundred are answered 500; with an idempotency key, kept under it (API v3 §8 rule 3).',
  ),
  doServerErrorsTakeEffect: {
    of: [false, true],
    default: false,
    says: 'Whether a request that is answered 500 was carried out all the same.',
  },
  movementsPerMinute: perMinute('So many quantities change by themselves in a minute, as others sell and receive.'),
  productChangesPerMinute: perMinute(
    'So many products are renamed, taken away or brought back in a minute, also while a listing is being read.',
  ),
  couponChangesPerMinute: perMinute('So many coupon settings are changed by somebody else in a minute.'),
} as const satisfies OptionTable;

export type ConditionValues = OptionValues<typeof conditionTable>;

export const defaultConditions: ConditionValues = defaultsOf(conditionTable);

/** Numbers from 0 up to but not including 1, the same ones for the same seed (Mulberry32). */
export function drawFrom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const retryAfterSeconds = 5;

export class Conditions {
  #values: ConditionValues = defaultConditions;
  readonly #draw: () => number;

  constructor(seed: number) {
    this.#draw = drawFrom(seed);
  }

  get values(): ConditionValues {
    return this.#values;
  }

  /** Changes some of the conditions; the others stay. */
  change(values: Partial<ConditionValues>): void {
    this.#values = { ...this.#values, ...values };
  }

  /**
   * The fault that befalls the next request; null when there is none. A second till takes its network down by itself.
   */
  meet(isOfSecondTill: boolean): Fault | null {
    const { isNetworkDown, lossPercent, tooManyPercent, serverErrorPercent, doServerErrorsTakeEffect } = this.#values;
    if (isNetworkDown && !isOfSecondTill) {
      return { kind: 'dropBeforeEffect' };
    }
    if (this.#happens(lossPercent)) {
      return { kind: this.#happens(50) ? 'dropBeforeEffect' : 'dropAfterEffect' };
    }
    if (this.#happens(tooManyPercent)) {
      return { kind: 'answer', status: 429, retryAfterSeconds };
    }
    return this.#happens(serverErrorPercent)
      ? { kind: 'answer', status: 500, isEffectApplied: doServerErrorsTakeEffect }
      : null;
  }

  #happens(chancePercent: number): boolean {
    return chancePercent > 0 && this.#draw() * 100 < chancePercent;
  }
}
