// The proof that a scan which comes while one shop makes way for another is answered by the next one, under its name.
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Failure } from '../../../../app/domain/failure.ts';
import { failed } from './held-bridge.ts';
import { readyState } from '../../../ui/ready-state.ts';
import { bea, openPage } from './open-page.ts';

beforeAll(() => {
  vi.stubGlobal('document', { querySelector: () => null });
});
afterAll(() => {
  vi.unstubAllGlobals();
});

/** A page at its first shop, whose lookups stay without an answer until told. */
function openScannedPage() {
  const found: { readonly text: string; readonly answer: (kind: Failure['kind']) => void }[] = [];
  const page = openPage((channel, input) =>
    channel === 'lookup:find'
      ? new Promise((resolve) => {
          const { text } = input as { readonly text: string };
          found.push({ text, answer: (kind) => resolve(failed(kind)) });
        })
      : Promise.resolve(failed('notReady')),
  );
  return { ...page, found };
}

const settled = () =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

/** The same once its shop has refused a scan. */
async function openRefusedPage() {
  const page = openScannedPage();
  page.stores.scans.getState().receive('code');
  await settled();
  page.found[0]?.answer('notReady');
  await settled();
  return page;
}

const next = { profileId: 2 };

it.each([
  ['that was refused for its sake', next, 'notReady', ['code', 'code']],
  ['that has no answer yet', next, null, ['code', 'code']],
  ['that failed otherwise', next, 'storageFailed', ['code']],
  ['of the one before', bea, 'notReady', ['code']],
] as const)('whoever comes is asked for a scan %s', async (_which, whoComes, answer, asked) => {
  const { stores, come, found } = openScannedPage();
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
  const { stores, come, found } = openScannedPage();
  void stores.lookup.getState().find('typed', 'typed');
  await settled();
  come(next);
  await settled();
  expect(found).toHaveLength(1);
});

it.each([
  ['refused', 'notReady', null, ['code', 'code']],
  ['failed otherwise', 'storageFailed', null, ['code']],
  ['refused, where somebody types since', 'notReady', 'typed', ['code']],
] as const)(
  'a shop that is opened anew is asked again for a scan that was %s',
  async (_which, answer, typed, asked) => {
    const { stores, come, found } = openScannedPage();
    stores.scans.getState().receive('code');
    await settled();
    found[0]?.answer(answer);
    await settled();
    if (typed !== null) stores.lookup.getState().type(typed);
    come({});
    come({});
    await settled();
    expect(found.map(({ text }) => text)).toEqual(asked);
  },
);

it('a newer scan that has no answer yet is asked once, whatever was refused before', async () => {
  const { stores, come, found } = await openRefusedPage();
  stores.scans.getState().receive('newer');
  come({});
  await settled();
  expect(found.map(({ text }) => text)).toEqual(['code', 'newer']);
});

it('a shop that is still away is not asked again for a refused scan', async () => {
  const { come, found } = await openRefusedPage();
  const { catalogue } = readyState(0);
  come({ catalogue: { ...catalogue, stocks: [] } });
  await settled();
  expect(found).toHaveLength(1);
  come({});
  await settled();
  expect(found).toHaveLength(2);
});
