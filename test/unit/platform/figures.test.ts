import { describe, expect, test } from 'vitest';
import type { Id } from '../../../app/domain/int64.ts';
import { succeed } from '../../../app/domain/result.ts';
import { createPlatformClient } from '../../../app/platform/client.ts';
import type { Purpose } from '../../../app/rate-limit/lanes.ts';
import { idleSlot } from '../../support/idle-slot.ts';
import { fixedTokens } from '../../support/tokens.ts';

const place = { stockId: '7' as Id, productId: '1' as Id };
const balance = { stock: { id: 7 }, product: { id: 1, name: 'Café' }, balance: 4 };

/** The first page of these rows. */
function pageOf(rows: readonly object[], path: string): object {
  const perPage = Number(new URLSearchParams(path.split('?')[1]).get('per_page'));
  const meta = { current_page: 1, last_page: Math.ceil(rows.length / perPage), per_page: perPage, total: rows.length };
  return { data: { stock_products: rows.slice(0, perPage) }, meta };
}

/** A platform that answers with one status, and a hub at which others wait for these once the slot is granted. */
function clientOf(wanted: readonly string[], status = 200, rows: readonly object[] = []) {
  const paths: string[] = [];
  const purposes: (Purpose | undefined)[] = [];
  let isGranted = false;
  const client = createPlatformClient({
    exchange: ({ path }) => {
      paths.push(path);
      const body = path.includes('/balance') ? balance : pageOf(rows, path);
      return Promise.resolve(succeed({ status, headers: {}, body: JSON.stringify(body) }));
    },
    rateLimit: {
      take: (_lane, _signal, purpose) => {
        purposes.push(purpose);
        isGranted = true;
        return Promise.resolve(succeed(idleSlot));
      },
      slowDown: () => undefined,
      wantedFigures: (scope) => (isGranted && scope === '42/7' ? (wanted as readonly Id[]) : []),
    },
    tokens: fixedTokens('token'),
    companyId: '42' as Id,
  });
  return { paths, purposes, read: () => client.readFigures(place, { lane: 'person' }) };
}

const idsIn = (path = ''): string[] => (new URLSearchParams(path.split('?')[1]).get('product_ids') ?? '').split(',');

describe('a figure (H15)', () => {
  test('is asked for as a balance where nobody else waits for one of the stock', async () => {
    const { paths, purposes, read } = clientOf([]);
    expect(await read()).toMatchObject({ ok: true, value: { kind: 'balance', balance: { balance: 4 } } });
    expect(paths).toEqual(['/api/v3/stocks/7/products/1/balance']);
    expect(purposes).toEqual([{ kind: 'balance', subject: '1', figure: { scope: '42/7', productId: '1' } }]);
  });

  test('is asked for with those of others by one listing', async () => {
    const { paths, read } = clientOf(['2', '1', '3', '2']);
    const read1 = await read();
    expect(read1).toMatchObject({ ok: true, value: { kind: 'listing', productIds: ['1', '2', '3'] } });
    expect(paths).toEqual(['/api/v3/stocks/7/products?product_ids=1%2C2%2C3&amount_in_stock=all&page=1&per_page=100']);
  });

  test('is not taken from a page that has only some of the rows', async () => {
    const rows = [1, 2, 3].map((part) => ({ id: 1, name: 'Café', option_names: `${part}`, balance: part }));
    const { read } = clientOf(['2'], 200, [{ id: 2, name: 'Chá', balance: 9 }, ...rows]);
    const figures = (answer: Awaited<ReturnType<typeof read>>) =>
      answer.ok && answer.value.kind === 'listing' && answer.value.elements.ok
        ? answer.value.elements.value.map(({ product }) => product?.balance)
        : answer;
    expect(figures(await read())).toEqual([9, null, null, null]);
    const many = Array.from({ length: 101 }, (_, at) => ({ id: 1 + (at % 2), name: 'Café', balance: at }));
    expect(figures(await clientOf(['2'], 200, many).read())).toEqual([]);
  });

  test('is asked for with as many as a page has', async () => {
    const { paths, read } = clientOf(Array.from({ length: 150 }, (_, at) => String(at + 1)));
    await read();
    expect(idsIn(paths[0])).toHaveLength(100);
    expect(paths[0]).toContain('per_page=100');
  });

  test('says how a listing failed, and fails itself as a balance does', async () => {
    const failure = { kind: 'notFound' };
    const listed = await clientOf(['2'], 404).read();
    expect(listed).toMatchObject({ ok: true, value: { kind: 'listing', elements: { ok: false, failure } } });
    expect(await clientOf([], 404).read()).toMatchObject({ ok: false, failure });
  });
});
