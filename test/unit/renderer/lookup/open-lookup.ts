import { createLookupStore } from '../../../../renderer/lookup/lookup-store.ts';
import type { ProductCard } from '../../../../app/contract/products.ts';
import { createHeldBridge, failed, found, id, ok } from '../stores/held-bridge.ts';
import { settlePromises } from '../../../support/manual-clock.ts';
import { makeLastingStore } from '../../../../renderer/stores/make-store.ts';

/** Answers what is asked about the product in both stocks: it is in those of the cards alone. */
export async function answerStocks(
  next: ReturnType<typeof createHeldBridge>['next'],
  ...cards: readonly (ProductCard | undefined)[]
): Promise<void> {
  for (const stockId of ['1', '2']) {
    const read = cards.find((one) => one?.stockId === stockId);
    await next('product:read').answer(read === undefined ? failed('notFoundHere') : ok(read));
  }
}

/** A lookup whose calls and waits stay open until the test ends them. */
export function openLookup(isOffline = false) {
  const held = createHeldBridge();
  const waits = new Set<() => void>();
  const badges: true[] = [];
  const close = new Set<() => void>();
  const dialog = { isOpen: false };
  const store = createLookupStore(makeLastingStore, {
    bridge: held.bridge,
    cannotAsk: () => isOffline,
    stockIds: () => [id('1'), id('2')],
    dialogs: { isOpen: () => dialog.isOpen, closed: () => new Promise((resolve) => close.add(() => resolve())) },
    later: (_delayMs, callback) => {
      waits.add(callback);
      return () => waits.delete(callback);
    },
    onBadge: () => void badges.push(true),
  });
  const openDialog = (): void => void (dialog.isOpen = true);
  const closeDialog = async (): Promise<void> => {
    dialog.isOpen = false;
    close.forEach((callback) => callback());
    await settlePromises();
  };
  /** As long as a person notices has passed. */
  const pass = () => {
    waits.forEach((callback) => callback());
    waits.clear();
  };
  const shown = () => {
    const { answer } = store.getState();
    return answer?.kind === 'found' ? answer.cards : [];
  };
  /** A scan that these cards answer. */
  const scan = async (text: string, ...cards: readonly ProductCard[]): Promise<void> => {
    void store.getState().find(text, 'scan');
    await held.next('lookup:find').answer(found(text, ...cards));
  };
  return { ...held, store, shown, pass, scan, badges, openDialog, closeDialog };
}
