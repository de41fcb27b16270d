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
  /** Why the last choice was not saved; with a field, only if that is what was to be changed. */
  readonly failure: (field?: keyof Value) => Failure | null;
  readonly save: (value: Value) => Promise<boolean>;
}

const textOf = (value: unknown, field: PropertyKey): string | undefined =>
  JSON.stringify((value as Readonly<Record<PropertyKey, unknown>> | null)?.[field]);

/** A setting and how it is saved; `read` takes it from the terminal's state. */
export function useSetting<Name extends keyof Choices, Kept extends Choices[Name] | null>(
  name: Name,
  read: (state: TerminalState) => Kept,
): Setting<Choices[Name], Kept> {
  type Value = Choices[Name];
  const { settings } = useStores();
  const kept = useTerminal(useShallow(read));
  const { value } = useStore(settings, (store) => store.chosen[name]) ?? { value: kept };
  const [refused, setRefused] = useState<{ readonly value: Value; readonly failure: Failure } | null>(null);
  return {
    value,
    failure: (field) =>
      refused === null || (field !== undefined && textOf(refused.value, field) === textOf(value, field))
        ? null
        : refused.failure,
    async save(next) {
      const saved = await settings.getState().save(name, next, read);
      // Whoever gives up the question for the PIN knows it.
      setRefused(saved.ok || saved.failure.kind === 'locked' ? null : { value: next, failure: saved.failure });
      return saved.ok;
    },
  };
}
