import type { Channel, InvokeInput, InvokeOutput } from '../../../../app/contract/contract.ts';
import { parseId, type Id } from '../../../../app/domain/int64.ts';
import { fail, succeed } from '../../../../app/domain/result.ts';
import type { Bridge } from '../../../../renderer/bridge/bridge.ts';

type Answers = { readonly [Name in Channel]?: (input: InvokeInput<Name>) => InvokeOutput<Name> };

export const heldId = (value: number): Id => parseId(value) as Id;

/** A bridge that answers at once by these functions, and `notReady` to all else. */
export function fakeBridge(answers: Answers): Bridge {
  const call = <Name extends Channel>(channel: Name, input: InvokeInput<Name>) => {
    const answer = answers[channel];
    return Promise.resolve(answer === undefined ? fail({ kind: 'notReady' } as const) : succeed(answer(input)));
  };
  return { call, subscribe: () => undefined } as unknown as Bridge;
}
