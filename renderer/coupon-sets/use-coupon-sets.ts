import { useCallback, useEffect, useState } from 'react';
import type { CouponSet, Planned } from '../../app/contract/coupon-sets.ts';
import type { Failure } from '../../app/domain/failure.ts';
import type { Result } from '../../app/domain/result.ts';
import { useMissed, useStores } from '../stores/context.tsx';

/** The answer of a call, read again whenever updates, sets or plans have changed, or that may have been missed. */
function useFresh<Value>(read: () => Promise<Result<Value, Failure>>): {
  readonly value: Value | null;
  readonly failure: Failure | null;
  readonly readAgain: () => void;
} {
  const { bridge } = useStores();
  const missed = useMissed();
  const [answer, setAnswer] = useState<Result<Value, Failure> | null>(null);
  const readAgain = useCallback(() => {
    // A lost answer says nothing of what was read before: it stays until it is read again.
    void read().then((now) => setAnswer((before) => (!now.ok && now.failure.kind === 'cancelled' ? before : now)));
  }, [read]);
  useEffect(() => {
    readAgain();
    return bridge.subscribe({ 'queue:changed': readAgain });
  }, [bridge, readAgain, missed]);
  return {
    value: answer?.ok === true ? answer.value : null,
    failure: answer?.ok === false ? answer.failure : null,
    readAgain,
  };
}

/** The sets of this company. */
export function useCouponSets(): ReturnType<typeof useFresh<{ readonly sets: readonly CouponSet[] }>> {
  const { bridge } = useStores();
  return useFresh(useCallback(() => bridge.call('couponSet:list', {}), [bridge]));
}

/** The plans' moments: to come, done and missed. */
export function usePlanned(): ReturnType<typeof useFresh<Planned>> {
  const { bridge } = useStores();
  return useFresh(useCallback(() => bridge.call('couponSet:listPlanned', {}), [bridge]));
}
