import type { ManyCounted } from '../../../app/contract/coupons.ts';
import type { QueuedUpdate } from '../../../app/contract/queue.ts';
import type { TerminalState } from '../../../app/contract/terminal-state.ts';
import type { Id } from '../../../app/domain/int64.ts';

/** Earlier answers as somebody at the screen remembers them, so that later calls can be about them. */
export interface CallMemory {
  updates: readonly QueuedUpdate[];
  /** Updates that one call made, the newest last. */
  switched: readonly number[];
  discarded: readonly number[];
  counted: { readonly productIds: readonly Id[]; readonly isEnabled: boolean; readonly counted: ManyCounted } | null;
  setIds: readonly number[];
  planIds: readonly number[];
  moment: { readonly planId: number; readonly day: string; readonly isEnabled: boolean } | null;
  stocktakeIds: readonly number[];
  lineIds: readonly number[];
  /** Steps of counts, the newest last. */
  steps: readonly { readonly stocktakeId: number; readonly step: number | null }[];
  views: { coupons?: number | undefined; stock?: number | undefined; export?: number | undefined };
  /** PINs that somebody wanted to have, by e-mail; whether they were kept is another matter. */
  readonly pins: Map<string, string>;
  /** The codes of badges, by e-mail. */
  readonly badges: Map<string, string>;
  managerPin: string;
  /** The one that was tried out in practice. */
  practicePin: string;
  /** The text of a provisioning file that the terminal made. */
  file: string | null;
  /** The text of a file of practice's lists. */
  lists: string | null;
}

export const managerPins = ['4829', '135790'] as const;

/** The PIN that holds where somebody stands. */
export function pinAt({ managerPin, practicePin }: CallMemory, mode: TerminalState['mode'] | undefined): string {
  return mode === 'practice' ? practicePin : managerPin;
}

/** Makes the memory of somebody who has just come. */
export function createCallMemory(badges: Map<string, string>): CallMemory {
  return {
    updates: [],
    switched: [],
    discarded: [],
    counted: null,
    setIds: [],
    planIds: [],
    moment: null,
    stocktakeIds: [],
    lineIds: [],
    steps: [],
    views: {},
    pins: new Map(),
    badges,
    managerPin: managerPins[0],
    practicePin: managerPins[0],
    file: null,
    lists: null,
  };
}
