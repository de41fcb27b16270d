import { useMemo } from 'react';
import { useTerminal } from '../stores/context.tsx';

/** The table has room for so many, in a wide window alone. */
export const maxTableFields = 2;

/** The shop's names for what it shows of the listing in the table, in its order. */
export function useTableFields(): readonly string[] {
  const shownFields = useTerminal((state) => state.shownFields);
  return useMemo(() => shownFields.filter(({ on }) => on.includes('table')).map(({ name }) => name), [shownFields]);
}
