import { useEffect, useState } from 'react';
import type { PanelChange, PanelState } from '../../app/contract/training-panel.ts';
import { fail, succeed, type Result } from '../../app/domain/result.ts';
import { later } from '../dom/clock.ts';

const readEveryMs = 1000;

/** `lost` and `noKey` end the page; anything else is what the platform says of a change that it refused. */
export type PanelFailure = { readonly kind: 'lost' | 'noKey' } | { readonly kind: 'refused'; readonly message: string };

async function exchange(path: string, key: string, change?: PanelChange): Promise<Result<PanelState, PanelFailure>> {
  try {
    const response = await fetch(path, {
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(change === undefined ? {} : { method: 'POST', body: JSON.stringify(change) }),
    });
    const answer = (await response.json()) as PanelState & { readonly message?: string };
    return response.ok
      ? succeed(answer)
      : fail(
          response.status === 401
            ? { kind: 'noKey' }
            : { kind: 'refused', message: answer.message ?? String(response.status) },
        );
  } catch {
    return fail({ kind: 'lost' });
  }
}

export interface Platform {
  /** Null before the first answer. */
  readonly state: PanelState | null;
  /** Why there is nothing to show any more. */
  readonly ended: 'lost' | 'noKey' | null;
  /** The outcome of the last change; null before the first. */
  readonly outcome: Result<PanelState, PanelFailure> | null;
  readonly send: (change: PanelChange) => Promise<void>;
}

/** The training platform as it says it is, read once a second while the page can be seen. */
export function usePlatform(key: string): Platform {
  const [state, setState] = useState<PanelState | null>(null);
  const [ended, setEnded] = useState<Platform['ended']>(null);
  const [outcome, setOutcome] = useState<Platform['outcome']>(null);
  const take = (answer: Result<PanelState, PanelFailure>): void => {
    if (answer.ok) {
      setState(answer.value);
    } else if (answer.failure.kind !== 'refused') {
      setEnded(answer.failure.kind);
    }
  };
  useEffect(() => {
    let cancel = (): void => undefined;
    const read = async (): Promise<void> => {
      if (document.visibilityState === 'visible') {
        take(await exchange('state', key));
      }
      cancel = later(readEveryMs, () => void read());
    };
    if (ended === null) {
      void read();
    }
    return () => cancel();
  }, [key, ended]);
  return {
    state,
    ended,
    outcome,
    send: async (change) => {
      const answer = await exchange('change', key, change);
      setOutcome(answer);
      take(answer);
    },
  };
}
