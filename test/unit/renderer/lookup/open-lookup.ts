import { createLookupStore } from '../../../../renderer/lookup/lookup-store.ts';
import { createHeldBridge } from '../stores/held-bridge.ts';
import { makeLastingStore } from '../../../../renderer/stores/make-store.ts';

/** A lookup whose calls and waits stay open until the test ends them. */
export function openLookup(isOffline = false) {
  const held = createHeldBridge();
  const waits = new Set<() => void>();
  const badges: true[] = [];
  const store = createLookupStore(
    makeLastingStore,
    held.bridge,
    () => isOffline,
    (_delayMs, callback) => {
      waits.add(callback);
      return () => waits.delete(callback);
    },
    () => void badges.push(true),
  );
  /** As long as a person notices has passed. */
  const pass = () => {
    waits.forEach((callback) => callback());
    waits.clear();
  };
  const shown = () => {
    const { answer } = store.getState();
    return answer?.kind === 'found' ? answer.cards : [];
  };
  return { ...held, store, shown, pass, badges };
}
