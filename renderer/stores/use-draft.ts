import { useStore } from 'zustand';
import { useStores } from './context.tsx';

/** The text of the field, by its name among all drafts; until something is typed, `first`. Emptying is typing too. */
export function useDraft(field: string, first: string): readonly [string, (text: string) => void] {
  const { drafts } = useStores();
  const text = useStore(drafts, (state): string | undefined => state.typed[field]);
  return [text ?? first, (next) => drafts.getState().type(field, next)];
}
