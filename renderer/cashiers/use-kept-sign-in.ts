import { useState } from 'react';
import { useStores, useWords } from '../stores/context.tsx';

/** Whether the keychain keeps one's sign-in, as a PIN and a badge need: asked before anything is typed. */
export interface KeptSignIn {
  /** Why not, and what can be done; null where it does, or was not asked yet. */
  readonly why: string | null;
  readonly isAsking: boolean;
  /** Answers true where it does; false also while it is asked already. */
  readonly ask: () => Promise<boolean>;
}

/** Begins without having asked. */
export function useKeptSignIn(): KeptSignIn {
  const { t } = useWords();
  const { bridge } = useStores();
  const [why, setWhy] = useState<string | null>(null);
  const [isAsking, setAsking] = useState(false);
  return {
    why,
    isAsking,
    ask: async () => {
      if (isAsking) {
        return false;
      }
      setAsking(true);
      const kept = await bridge.call('session:keep', {});
      setAsking(false);
      if (kept.ok) {
        setWhy(kept.value.outcome === 'kept' ? null : t('cashiers.keptSignIn.nothingToKeep'));
        return kept.value.outcome === 'kept';
      }
      const { kind } = kept.failure;
      const isOfKeychain = kind === 'vaultLocked' || kind === 'vaultUnavailable';
      setWhy(
        isOfKeychain ? t(`cashiers.keptSignIn.${kind}`) : `${t(`failure.${kind}.says`)} ${t(`failure.${kind}.advice`)}`,
      );
      return false;
    },
  };
}
