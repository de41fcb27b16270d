import type { StoreApi } from 'zustand/vanilla';
import type { MakeStore } from './make-store.ts';

export interface Drafts {
  /** By field, as it was typed. */
  readonly typed: Readonly<Record<string, string>>;
  readonly type: (field: string, text: string) => void;
  readonly drop: (fields: readonly string[]) => void;
}

/** Opens an empty store. */
export function createDraftStore(make: MakeStore): StoreApi<Drafts> {
  return make<Drafts>({}, (set, get) => ({
    typed: {},
    type(field, text) {
      set({ typed: { ...get().typed, [field]: text } });
    },
    drop(fields) {
      set({ typed: Object.fromEntries(Object.entries(get().typed).filter(([field]) => !fields.includes(field))) });
    },
  }));
}
