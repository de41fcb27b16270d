import type { Slot } from '../../app/rate-limit/slots.ts';

/** A slot that any call may use and end. */
export const idleSlot: Slot = {
  leave: () => null,
  settle: () => undefined,
  abandon: () => undefined,
  giveBack: () => undefined,
};
