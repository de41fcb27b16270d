/** Those who want to hear of something. */
export interface Listeners<Heard extends readonly unknown[]> {
  /** Answers how to stop listening. */
  readonly add: (listener: (...heard: Heard) => void) => () => void;
  readonly emit: (...heard: Heard) => void;
}

/** Nobody listens yet. */
export function createListeners<Heard extends readonly unknown[] = []>(): Listeners<Heard> {
  const all = new Set<(...heard: Heard) => void>();
  return {
    add: (listener) => {
      all.add(listener);
      return () => {
        all.delete(listener);
      };
    },
    emit: (...heard) => {
      for (const listener of all) {
        listener(...heard);
      }
    },
  };
}
