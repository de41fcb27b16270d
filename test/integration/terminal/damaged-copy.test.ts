// The proof that a copy of which a row is none that this app wrote begins anew, and makes no call fail unexpectedly.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { everyProduct } from '../../../app/contract/every-product.ts';
import type { Id } from '../../../app/domain/int64.ts';
import { dispatch } from '../../../app/hosts/dispatch.ts';
import type { Terminal } from '../../../app/terminal/terminal.ts';
import { alterRows } from '../../support/loose-tables.ts';
import { openCopied, stateOf } from '../../support/machine.ts';
import { valueOf } from '../../support/value-of.ts';

interface Sought {
  readonly stockId: Id;
  readonly productId: Id;
  readonly text: string;
}

/** What is asked of a copy: each with whether it answered, or failed so that a person can be told. */
async function askAll({ handlers }: Terminal, { stockId, productId, text }: Sought): Promise<readonly string[]> {
  const unexpected: string[] = [];
  const calls: readonly (readonly [channel: string, input: unknown])[] = [
    ['terminal:read', {}],
    ['lookup:listRecent', {}],
    ['lookup:search', { text: 'a', limit: 20 }],
    ['lookup:find', { text, source: 'scan' }],
    ['product:read', { stockId, productId }],
    ['product:readKept', { stockId, productId }],
    ['stock:browse', { query: everyProduct, offset: 0, limit: 200 }],
    ['stock:export', { query: everyProduct, after: 0 }],
    ['catalogue:readAge', {}],
    ['catalogue:listFields', {}],
    ['support:readBundle', {}],
  ];
  for (const [channel, input] of calls) {
    const answer = await dispatch(handlers, channel, input, () => undefined);
    if (!answer.ok && ['unexpected', 'inputInvalid'].includes(answer.failure.kind)) {
      unexpected.push(channel);
    }
  }
  return unexpected;
}

const long = 'hex(zeroblob(300))';

test.each([
  ['a stock whose name is too long', `UPDATE stocks SET name = ${long}`],
  ['a stock whose name is bytes', "UPDATE stocks SET name = x'07'"],
  ['a stock whose id is a text', "UPDATE stocks SET stock_id = 'x' || stock_id"],
  ['a stock with fewer products than none', 'UPDATE stocks SET copied = -1'],
  ['a stock with a count that is a text', "UPDATE stocks SET unreadable = 'x'"],
  ['a product whose id is below zero', 'UPDATE products SET product_id = -product_id'],
  ['a product whose id is a text', "UPDATE products SET product_id = 'x' || product_id"],
  ['a product whose name is bytes', "UPDATE products SET name = x'07'"],
  ['a product without a name', 'UPDATE products SET name = NULL'],
  ['a product whose code is too long', `UPDATE products SET code = ${long}`],
  ['a figure that is infinite', 'UPDATE products SET balance = 9e999'],
  ['a figure of a moment that is a text', "UPDATE products SET balance_as_of = 'x'"],
  ['a turn at a moment that is a text', "UPDATE products SET turned_at = 'x'"],
  ['an element that is bytes', "UPDATE details SET raw = x'07'"],
  ['options that are no JSON', "UPDATE details SET live_options = '['; UPDATE products SET balance_is_live = 1"],
  ['options that are none', "UPDATE details SET live_options = '{}'; UPDATE products SET balance_is_live = 1"],
  ['places of a word that are a text', "UPDATE search_terms SET places = 'x'"],
])('%s: the copy begins anew, and no call fails unexpectedly', async (what, sql) => {
  const { machine, terminal, platform } = await openCopied();
  const [stockId] = platform.stockIds;
  const { id, code } = platform.products.at(0);
  const sought = { stockId: stockId as Id, productId: String(id) as Id, text: code ?? '' };
  valueOf(await terminal.handlers['lookup:find']({ text: sought.text, source: 'scan' }));
  await terminal.close();
  alterRows(join(machine.store, 'catalogue.db'), sql);
  machine.isNetworkDown = true;
  const again = await machine.start();
  expect(await askAll(again, sought)).toEqual([]);
  // A search that finds too little is all that can be known of those places.
  if (!what.startsWith('places')) {
    await expect.poll(() => stateOf(again)).toMatchObject({ notices: [{ kind: 'catalogueRebuilt' }] });
  }
  expect(await askAll(again, sought)).toEqual([]);
});

test.each([
  ['a recent lookup of nothing known', "UPDATE recent_lookups SET answer = 'x'"],
  ['a recent lookup of a text that is bytes', "UPDATE recent_lookups SET text = x'07'"],
  ['a recent lookup of a product below zero', 'UPDATE recent_lookups SET product_id = -5'],
])('%s is left out, and the copy stays', async (_what, sql) => {
  const { machine, terminal, platform } = await openCopied();
  const { code: other } = platform.products.at(1);
  const { id, code } = platform.products.at(0);
  const sought = { stockId: platform.stockIds[0] as Id, productId: String(id) as Id, text: code ?? '' };
  for (const text of [other ?? '', sought.text]) {
    valueOf(await terminal.handlers['lookup:find']({ text, source: 'scan' }));
  }
  const { copied } = (await stateOf(terminal)).catalogue;
  await terminal.close();
  alterRows(join(machine.store, 'catalogue.db'), `${sql} WHERE id = (SELECT max(id) FROM recent_lookups)`);
  machine.isNetworkDown = true;
  const again = await machine.start();
  const recent = valueOf(await again.handlers['lookup:listRecent']({}));
  expect(recent.map(({ text }) => text)).toEqual([other]);
  expect(await askAll(again, sought)).toEqual([]);
  expect(await stateOf(again)).toMatchObject({ catalogue: { copied }, notices: [] });
});

test('a copy that another program has written anew, whose tables take any value, makes way at the start', async () => {
  const { machine, terminal } = await openCopied();
  await terminal.close();
  alterRows(join(machine.store, 'catalogue.db'), "UPDATE stocks SET stock_id = 'x' || stock_id", true);
  machine.isNetworkDown = true;
  expect(await stateOf(await machine.start())).toMatchObject({
    catalogue: { copied: 0 },
    notices: [{ kind: 'catalogueRebuilt' }],
  });
});
