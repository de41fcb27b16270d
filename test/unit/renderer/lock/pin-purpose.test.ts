import { expect, test } from 'vitest';
import type { Id } from '../../../../app/domain/int64.ts';
import { fail, succeed } from '../../../../app/domain/result.ts';
import type { Bridge } from '../../../../renderer/bridge/bridge.ts';
import type { PinPurpose } from '../../../../renderer/lock/pin-purpose.ts';
import { askingForPin } from '../../../../renderer/lock/pin-retry.ts';
import { setMinima } from '../../../../renderer/watch-list/set-minima.ts';

test.each<[string, (place: number) => number, PinPurpose]>([
  ['one figure', () => 5, { does: 'minima', count: 250, minimum: 5 }],
  ['another one after the first slice', (place) => (place < 100 ? 5 : 9000), { does: 'mixedMinima', count: 250 }],
])('the question for the PIN names all minimums that are set in slices: %s', async (_what, minimumAt, purpose) => {
  const asked: unknown[] = [];
  let isOpen = false;
  const locked = {
    call: (_channel: string, { minima }: { readonly minima: readonly unknown[] }) =>
      Promise.resolve(isOpen ? succeed({ kept: minima.length }) : fail({ kind: 'locked' })),
  } as unknown as Bridge;
  const ask = (_rule: unknown, forWhat: unknown): Promise<boolean> => {
    asked.push(forWhat);
    isOpen = true;
    return Promise.resolve(true);
  };
  const bridge = askingForPin(locked, ask, () => 'ana');
  const minima = Array.from({ length: 250 }, (_, place) => ({
    stockId: '12' as Id,
    productId: String(place + 1) as Id,
    minimum: minimumAt(place),
  }));
  const set = await setMinima(bridge, minima, () => undefined, new AbortController().signal);
  expect([set.kept, asked]).toEqual([250, [purpose]]);
});
