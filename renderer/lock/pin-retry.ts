import type { Channel, InvokeInput, InvokeOutput } from '../../app/contract/contract.ts';
import { callOf, lockOf } from '../../app/contract/access.ts';
import type { Failure } from '../../app/domain/failure.ts';
import type { Result } from '../../app/domain/result.ts';
import type { Bridge } from '../bridge/bridge.ts';
import { purposeOf, type PinPurpose } from './pin-purpose.ts';
import type { AskedRule } from './pin-store.ts';

/**
 * The same bridge; a call that fails with `locked` waits for the PIN and is made again with the same input, or fails so
 * when a person gives up, or another person or shop than `whose` named has come.
 */
export function askingForPin(
  bridge: Bridge,
  ask: (rule: AskedRule, purpose: PinPurpose | null) => Promise<boolean>,
  whose: () => string,
): Bridge {
  return {
    subscribe: (listener) => bridge.subscribe(listener),
    async call<Name extends Channel>(
      channel: Name,
      input: InvokeInput<Name>,
      whole = input,
    ): Promise<Result<InvokeOutput<Name>, Failure>> {
      // Whether a retry overwrites anything only the main process knows; it answers `locked` only if it does.
      const rule = lockOf(callOf(channel, input, () => true));
      const asker = whose();
      let answer = await bridge.call(channel, input);
      if (rule === 'none') {
        return answer;
      }
      // An unlocking for one action may have gone to another call that waited.
      while (
        !answer.ok &&
        answer.failure.kind === 'locked' &&
        whose() === asker &&
        (await ask(rule, purposeOf(channel, whole)))
      ) {
        answer = await bridge.call(channel, input);
      }
      return answer;
    },
  };
}
