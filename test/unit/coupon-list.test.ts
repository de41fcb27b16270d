// Owns the proof that the list of coupons has every product that it should, in the order of names, whatever happens between two slices.
import { expect, test } from 'vitest';
import { createCouponList, type CouponFilter } from '../../app/coupon-list.ts';
import type { Id } from '../../app/domain/int64.ts';
import type { OpenCoupon } from '../../app/queue/rows.ts';

interface Shown {
  confirmed: Map<string, boolean>;
  open: OpenCoupon[];
  names: Map<string, string>;
  readAt: number | null;
  onPause: () => boolean;
}

function show(facts: Partial<Shown> = {}) {
  const shown: Shown = { confirmed: new Map(), open: [], names: new Map(), readAt: 1, onPause: () => true, ...facts };
  let asked = 0;
  const list = createCouponList({
    scope: { platform: 'https://platform.example.com', companyId: '7' as Id },
    owner: () => ({ platform: 'https://platform.example.com', companyId: '7' as Id, email: 'ana@example.com' }),
    queueStore: { knownOwnerId: () => 1, openCoupons: () => shown.open },
    coupons: { list: () => [...shown.confirmed].map(([productId, isEnabled]) => ({ productId: productId as Id, isEnabled })), readAt: () => shown.readAt },
    catalogue: {
      nameOf: (productId) => {
        asked += 1;
        const name = shown.names.get(productId);
        return name === undefined ? null : { name, code: `C${productId}` };
      },
    },
    pause: () => Promise.resolve(shown.onPause()),
  });
  const page = async (filter: CouponFilter, offset = 0, limit = 200) => {
    const answer = await list.page(filter, offset, limit);
    return answer.ok ? { total: answer.value.total, names: answer.value.rows.map(({ productName }) => productName), rows: answer.value.rows } : answer.failure.kind;
  };
  return { shown, list, page, asked: () => asked };
}

function update(product: string, state: OpenCoupon['state'], isEnabled: boolean): OpenCoupon {
  return { subject_id: product as Id, state, is_enabled: Number(isEnabled), failure: state === 'parked' ? '{"kind":"forbidden"}' : null };
}

test('what is on, waits or was refused is listed by name, and each filter has its own', async () => {
  const names = new Map([['1', 'Óleo 10'], ['2', 'oleo 9'], ['3', 'Arroz'], ['4', 'Café'], ['5', 'Zinco']]);
  const confirmed = new Map([['1', true], ['2', false], ['3', false], ['5', true], ['6', true]]);
  const { page } = show({ names, confirmed, open: [update('2', 'sealed', true), update('4', 'parked', true), update('5', 'pending', true), update('5', 'pending', false)] });
  expect(await page('all')).toMatchObject({ total: 5, names: [null, 'Café', 'oleo 9', 'Óleo 10', 'Zinco'] });
  expect(await page('enabled')).toMatchObject({ names: [null, 'oleo 9', 'Óleo 10'] });
  const waiting = await page('waiting', 1, 1);
  expect(waiting).toMatchObject({ total: 3, rows: [{ productId: '2', code: 'C2', coupon: { isEnabled: true, standing: 'sending' } }] });
  expect(await page('waiting')).toMatchObject({ rows: [{ coupon: { isEnabled: false, standing: 'parked', failure: { kind: 'forbidden' } } }, {}, { coupon: { isEnabled: false, standing: 'waiting' } }] });
});

test('before the first reading nobody knows what a refused one is', async () => {
  expect(await show({ readAt: null, open: [update('4', 'parked', true)] }).page('all')).toMatchObject({ rows: [{ coupon: { isEnabled: null, standing: 'parked' } }] });
});

test('a long list is named slice by slice, then remembered until names may have changed', async () => {
  const ids = Array.from({ length: 2500 }, (_unused, place) => String(place + 1));
  const { page, asked, list, shown } = show({ confirmed: new Map(ids.map((id) => [id, true])), names: new Map(ids.map((id) => [id, `P ${5000 - Number(id)}`])) });
  let pauses = 0;
  shown.onPause = () => {
    pauses += 1;
    if (pauses === 2) {
      // The copy goes on, and somebody switches one off, before the list is whole.
      shown.names.set('1', 'A');
      shown.confirmed.set('2', false);
      list.forgetNames();
    }
    return true;
  };
  expect(await page('all', 0, 2)).toMatchObject({ total: 2499, names: ['A', 'P 2500'] });
  const before = asked();
  expect(await page('all', 2498, 2)).toMatchObject({ names: ['P 4997'] });
  expect(asked()).toBe(before);
  shown.names.set('2500', 'Z');
  list.forgetNames();
  expect(await page('all', 2498, 2)).toMatchObject({ names: ['Z'] });
});

test('a store that closes meanwhile is said', async () => {
  const { page } = show({ confirmed: new Map(Array.from({ length: 1001 }, (_unused, place) => [String(place + 1), true])), onPause: () => false });
  expect(await page('all')).toBe('notReady');
});
