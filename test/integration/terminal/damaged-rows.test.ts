// The proof that no value that a damaged disk, or another program, leaves in a row makes a call fail unexpectedly, and so
// hides what lies beside it.
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import type { EventName } from '../../../app/contract/contract.ts';
import type { Id } from '../../../app/domain/int64.ts';
import { checkEvent, dispatch } from '../../../app/hosts/dispatch.ts';
import { StorageError } from '../../../app/storage/database.ts';
import { alterRows } from '../../support/loose-tables.ts';
import { openCopied, openMachine } from '../../support/machine.ts';
import { isNight } from '../../support/night.ts';
import { createSeededRandom } from '../../support/seeded-random.ts';
import { valueOf } from '../../support/value-of.ts';

type Call = readonly [channel: string, input: unknown];

const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
const timeMs = Date.UTC(2026, 10, 1);

/** A till with a row in every list, of which the network is down, closed. */
async function leaveTill() {
  const { machine, terminal, platform } = await openCopied();
  const { handlers } = terminal;
  const stockId = String(platform.stockIds[0]) as Id;
  const [product, other, third] = [0, 1, 2].map((at) => String(platform.products.at(at).id) as Id);
  if (product === undefined || other === undefined || third === undefined) {
    throw new Error('a platform without products');
  }
  const text = platform.products.at(0).barcodes[0] ?? '';
  valueOf(await handlers['lookup:find']({ text, source: 'scan' }));
  valueOf(await handlers['product:refresh']({ stockId, productId: product }));
  valueOf(await handlers['product:readMovements']({ stockId, productId: product, optionIds: [] }));
  valueOf(await handlers['product:readBatches']({ stockId, productId: product, optionIds: [] }));
  valueOf(
    await handlers['watchList:set']({
      minima: [product, other].map((productId) => ({ stockId, productId, minimum: 5 })),
    }),
  );
  valueOf(await handlers['coupon:switch']({ productId: product, isEnabled: true }));
  await expect.poll(async () => valueOf(await handlers['terminal:read']({})).queue.delivered).toBe(1);
  machine.isNetworkDown = true;
  valueOf(await handlers['coupon:switch']({ productId: other, isEnabled: true }));
  valueOf(await handlers['user:restore']({ userId: '5' as Id }));
  const { setId } = valueOf(
    await handlers['couponSet:save']({
      setId: null,
      name: 'Weekend',
      how: { kind: 'list', productIds: [other, third] },
    }),
  );
  valueOf(
    await handlers['couponSet:save']({ setId: null, name: 'All', how: { kind: 'search', filter: 'all', term: 'a' } }),
  );
  valueOf(await handlers['couponSet:plan']({ setId, times: { repeats: 'weekly', day, on: '08:00', off: '20:00' } }));
  valueOf(await handlers['couponSet:skip']({ planId: 1, day, isEnabled: true, isSkipped: true }));
  const { id: stocktakeId } = valueOf(await handlers['stocktake:start']({ name: 'Shelf', stockId, filter: null }));
  valueOf(await handlers['stocktake:scan']({ stocktakeId, text, source: 'scan' }));
  valueOf(await handlers['stocktake:scan']({ stocktakeId, text: '4006381333931', source: 'scan' }));
  await terminal.close();
  put(join(machine.store, 'batches.db'), `INSERT INTO expiries SELECT id, '${day}', 'a', 3, 'L1' FROM products`);
  put(
    join(machine.store, 'queue.db'),
    `INSERT INTO label_choices SELECT platform, company_id, stock_id, '2CCCC0TTTTTTV', '1234', product_id, '[]', 1, ${timeMs}, 'ana@example.com' FROM minima LIMIT 1`,
  );
  const calls: readonly Call[] = [
    ['terminal:read', {}],
    ['lookup:find', { text, source: 'scan' }],
    ['product:read', { stockId, productId: product }],
    ['labelChoice:list', {}],
    ['coupon:list', { filter: 'all', offset: 0, limit: 200 }],
    ['couponSet:list', {}],
    ['couponSet:listPlanned', {}],
    ['queue:list', { statuses: [], offset: 0, limit: 200 }],
    ['queue:history', { updateId: 1 }],
    ['queue:export', { after: 0 }],
    ['queue:readDay', {}],
    ['user:readRestoration', { userId: '5' }],
    ['expiring:list', { span: '90', term: '', offset: 0, limit: 200 }],
    ['expiring:readCoverage', {}],
    ['stocktake:list', { offset: 0, limit: 200 }],
    ['stocktake:read', { stocktakeId }],
    ['stocktake:listLines', { stocktakeId, state: null, offset: 0, limit: 200 }],
    ['stocktake:export', { stocktakeId, after: 0 }],
    ['rateLimit:read', {}],
    ['audit:list', { group: 'all', offset: 0, limit: 200 }],
    ['audit:export', { group: 'all', after: 0 }],
    ['support:readBundle', {}],
    ['stocktake:scan', { stocktakeId, text, source: 'scan' }],
    ['stocktake:undo', { stocktakeId, step: text }],
    ['coupon:switch', { productId: third, isEnabled: true }],
    ['terminal:read', {}],
  ];
  return { machine, calls };
}

function put(path: string, sql: string): void {
  const database = new DatabaseSync(path);
  database.exec(sql);
  database.close();
}

/** What fails unexpectedly, in calls and events, where this was done to the till's file; what the start says in words. */
async function failuresOf({ machine: left, calls }: Awaited<ReturnType<typeof leaveTill>>, file: string, sql: string) {
  const machine = openMachine(structuredClone(left.settings()));
  cpSync(left.folder, machine.folder, { recursive: true });
  for (const [name, secret] of left.secrets) {
    machine.secrets.set(name, secret);
  }
  machine.isNetworkDown = true;
  alterRows(join(machine.folder, file), sql);
  const failures: string[] = [];
  try {
    const terminal = await machine.start();
    terminal.subscribe((name: EventName, payload: unknown) => {
      checkEvent(name, payload, () => failures.push(name));
    });
    for (const [channel, input] of calls) {
      const answer = await dispatch(terminal.handlers, channel, input, () => undefined);
      if (!answer.ok && ['unexpected', 'inputInvalid'].includes(answer.failure.kind)) {
        failures.push(channel);
      }
      if (channel === 'terminal:read' && answer.ok) {
        const lists = await terminal.handlers['shopLists:export']({});
        const text = lists.ok ? lists.value.text : null;
        const seen = text === null ? null : await terminal.handlers['shopLists:foresee']({ text });
        failures.push(...(seen?.ok === true && seen.value.fault !== null ? [`lists ${seen.value.fault}`] : []));
      }
    }
    await terminal.close();
  } catch (error) {
    failures.push(...(error instanceof StorageError ? [] : [`start ${String(error)}`]));
  }
  return failures;
}

const long = 'hex(zeroblob(1000))';

const known: readonly (readonly [file: string, sql: string])[] = [
  ['store/queue.db', `UPDATE owners SET email = ${long}`],
  ['store/queue.db', "UPDATE confirmed_settings SET product_id = 'x' || product_id"],
  ['store/queue.db', "UPDATE updates SET subject_id = 'x'"],
  ['store/queue.db', `UPDATE updates SET name = ${long}, plan = ${long}`],
  ['store/queue.db', `UPDATE requests SET idempotency_key = ${long}`],
  ['store/queue.db', `UPDATE coupon_sets SET email = ${long} || id`],
  ['store/queue.db', "UPDATE plan_moments SET why = 'x'"],
  ['store/queue.db', "UPDATE plan_moments SET day = 'x' || day"],
  ['store/queue.db', "UPDATE coupon_sets SET name = ''"],
  ['store/queue.db', 'UPDATE coupon_sets SET product_ids = NULL, search = NULL'],
  ['store/queue.db', 'UPDATE minima SET minimum = 9e999'],
  ['store/queue.db', 'UPDATE minima SET minimum = -5'],
  ['store/queue.db', "UPDATE minima SET product_id = product_id || 'x'"],
  ['store/queue.db', `UPDATE label_choices SET item = ${long}`],
  ['store/queue.db', `UPDATE label_choices SET email = ${long}`],
  ['store/batches.db', "UPDATE expiries SET day = day || 'x'"],
  ['store/batches.db', `UPDATE expiries SET lot = ${long}`],
  ['store/batches.db', 'UPDATE expiries SET quantity = 9e999'],
  ['store/stocktakes.db', "UPDATE stocktakes SET name = ''"],
  ['store/stocktakes.db', `UPDATE stocktakes SET name = ${long}, stock_name = ${long}, started_by = ${long}`],
  ['store/stocktakes.db', 'UPDATE tallies SET lines = -1'],
  ['store/stocktakes.db', 'UPDATE lines SET quantity = -5, figure = 9e999'],
  [
    'store/stocktakes.db',
    `UPDATE lines SET code = ${long} || id, name = ${long}, unit = ${long}, counted_by = ${long}`,
  ],
  ['store/stocktakes.db', "UPDATE lines SET miss = 'x'"],
  ['store/stocktakes.db', `UPDATE entries SET quantity = -5, figure = 9e999, email = ${long}`],
];

test('a row that was altered hides none beside it, and makes no call fail', async () => {
  const till = await leaveTill();
  for (const [file, sql] of known) {
    expect([sql, await failuresOf(till, file, sql)]).toEqual([sql, []]);
  }
});

const values = ["'x'", "''", long, "x'07'", 'NULL', '-1', '1.5', '9e999', "'[null]'", "'{}'"];

/** Each column that is no key, with its file and table. */
function columnsOf(folder: string): readonly (readonly [file: string, table: string, column: string])[] {
  return ['audit.db', 'store/batches.db', 'store/catalogue.db', 'store/queue.db', 'store/stocktakes.db'].flatMap(
    (file) => {
      const database = new DatabaseSync(join(folder, file), { readOnly: true });
      const columns = database.prepare(
        "SELECT tables.name AS tableName, columns.name AS name FROM sqlite_schema AS tables JOIN pragma_table_info(tables.name) AS columns WHERE tables.type = 'table' AND tables.name NOT LIKE 'sqlite%' AND columns.pk = 0",
      );
      const found = columns.all().map(({ tableName, name }) => [file, String(tableName), String(name)] as const);
      database.close();
      return found;
    },
  );
}

test('whatever is written into a column, no call fails unexpectedly', { timeout: 600_000 }, async () => {
  const till = await leaveTill();
  const random = createSeededRandom('columns');
  const columns = columnsOf(till.machine.folder);
  const chosen = isNight ? columns : Array.from({ length: 50 }, () => random.pick(columns));
  for (const [file, table, column] of chosen) {
    for (const value of isNight ? values : [random.pick(values)]) {
      const sql = `UPDATE OR IGNORE ${table} SET ${column} = ${value}`;
      expect([file, sql, await failuresOf(till, file, sql)]).toEqual([file, sql, []]);
    }
  }
});
