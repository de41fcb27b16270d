// The proof that a scan which comes while one shop makes way for another is answered by the next one, under its name.
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { HostBridge } from '../../../../app/contract/bridge.ts';
import type { Failure } from '../../../../app/domain/failure.ts';
import { openStores } from '../../../../renderer/stores/stores.ts';
import { readyState } from '../../../ui/ready-state.ts';
import { failed } from './held-bridge.ts';

beforeAll(() => {
  vi.stubGlobal('document', { querySelector: () => null });
});
afterAll(() => {
  vi.unstubAllGlobals();
});

/** A page at its first shop, whose lookups stay without an answer until told. */
function openPage() {
  const found: { readonly text: string; readonly answer: (kind: Failure['kind']) => void }[] = [];
  const host: HostBridge = {
    invoke: (channel, input) =>
      channel === 'lookup:find'
        ? new Promise((resolve) => {
            const { text } = input as { readonly text: string };
            found.push({ text, answer: (kind) => resolve(failed(kind)) });
          })
        : Promise.resolve(failed('notReady')),
    subscribe: () => () => undefined,
  };
  const stores = openStores(
    host,
    { fragment: '', show: () => undefined },
    { read: () => null, write: () => undefined },
  );
  let revision = 1;
  const come = (more: object): void => {
    revision += 1;
    stores.terminal.getState().take({ ...readyState(0), revision, ...more });
  };
  come({});
  return { stores, come, found };
}

const settled = () =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

const next = { profileId: 2 };
const bea = { session: { ...readyState(0).session, email: 'bea@example.com' } };

it.each([
  ['that was refused for its sake', next, 'notReady', ['code', 'code']],
  ['that has no answer yet', next, null, ['code', 'code']],
  ['that failed otherwise', next, 'storageFailed', ['code']],
  ['of the one before', bea, 'notReady', ['code']],
] as const)('whoever comes is asked for a scan %s', async (_which, whoComes, answer, asked) => {
  const { stores, come, found } = openPage();
  stores.scans.getState().receive('code');
  await settled();
  if (answer !== null) {
    found[0]?.answer(answer);
    await settled();
  }
  come(whoComes);
  await settled();
  expect(found.map(({ text }) => text)).toEqual(asked);
  // What the shop before has to say is no longer heard.
  found[0]?.answer('storageFailed');
  await settled();
  expect(stores.lookup.getState().failure).toBeNull();
});

it('a typed text is not asked again at the next shop', async () => {
  const { stores, come, found } = openPage();
  void stores.lookup.getState().find('typed', 'typed');
  await settled();
  come(next);
  await settled();
  expect(found).toHaveLength(1);
});
