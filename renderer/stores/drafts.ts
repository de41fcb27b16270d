import { createStore, type StoreApi } from 'zustand/vanilla';

export interface Drafts {
  /** By field, as it was typed. */
  readonly typed: Readonly<Record<string, string>>;
  readonly type: (field: string, text: string) => void;
  /** Forgets these fields; all of them when none are named. */
  readonly drop: (fields?: readonly string[]) => void;
}

/** Opens an empty store. */
export function createDraftStore(): StoreApi<Drafts> {
  return createStore<Drafts>((set, get) => ({
    typed: {},
    type(field, text) {
      set({ typed: { ...get().typed, [field]: text } });
    },
    drop(fields) {
      set({
        typed:
          fields === undefined
            ? {}
            : Object.fromEntries(Object.entries(get().typed).filter(([field]) => !fields.includes(field))),
      });
    },
  }));
}
