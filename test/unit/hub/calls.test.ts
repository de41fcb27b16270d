import { expect, test } from 'vitest';
import { createHubHandlers, type HubCallParts } from '../../../app/hub/calls.ts';
import { hubAddressText } from '../../support/hub-register.ts';

test('a hub that passes late is not joined in a shop that was opened meanwhile, with as many arrivals', async () => {
  let [workspace, kept] = [{}, 0];
  const parts = {
    membership: {
      test: () => {
        workspace = {};
        return Promise.resolve(null);
      },
      keep: () => {
        kept += 1;
        return Promise.resolve({ ok: true, value: null });
      },
      endFormer: () => Promise.resolve(),
    },
    shop: { workspace: () => workspace, practice: () => null },
    account: () => 'test',
    arrivals: () => 1,
    inTurn: (action: () => unknown) => action(),
    reopen: () => Promise.resolve(),
  };
  const handlers = createHubHandlers(parts as unknown as HubCallParts);
  const joined = await handlers['hub:join']({ address: hubAddressText, name: 'Caixa 1' });
  expect([joined, kept]).toEqual([{ ok: false, failure: { kind: 'cancelled' } }, 0]);
});
