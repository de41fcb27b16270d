import { useState } from 'react';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import type { TerminalState } from '../../app/contract/terminal-state.ts';
import type { Failure } from '../../app/domain/failure.ts';
import { useStores, useTerminal } from './context.tsx';
import type { Choices } from './settings.ts';

export interface Setting<Value, Kept> {
  /** The last choice, also while it is being saved; after a failure, the kept value. */
  readonly value: Value | Kept;
  readonly failure: Failure | null;
  /** Answers whether the value is kept. */
  readonly save: (value: Value) => Promise<boolean>;
}

/** A setting and how it is saved; `read` takes it from the terminal's state. */
export function useSetting<Name extends keyof Choices, Kept extends Choices[Name] | null>(
  name: Name,
  read: (state: TerminalState) => Kept,
): Setting<Choices[Name], Kept> {
  const { settings } = useStores();
  const kept = useTerminal(useShallow(read));
  const { value } = useStore(settings, (store) => store.chosen[name]) ?? { value: kept };
  const [failure, setFailure] = useState<Failure | null>(null);
  return {
    value,
    failure,
    async save(next) {
      const saved = await settings.getState().save(name, next, read);
      // Whoever gives up the question for the PIN knows it.
      setFailure(saved.ok || saved.failure.kind === 'locked' ? null : saved.failure);
      return saved.ok;
    },
  };
}
