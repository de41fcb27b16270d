// The proof that the list of coupons has every product that it should, in the order of names, whatever happens between
// two slices.
import { expect, test } from 'vitest';
import type { CouponFilter } from '../../../app/contract/coupons.ts';
import { createCouponList } from '../../../app/coupons/list.ts';
import type { Id } from '../../../app/domain/int64.ts';
import { fail, succeed } from '../../../app/domain/result.ts';
import type { OpenCoupon, OpenCouponOfOther } from '../../../app/queue/rows.ts';

interface Shown {
  confirmed: Map<string, boolean>;
  open: OpenCoupon[];
  ofOthers: OpenCouponOfOther[];
  names: Map<string, string>;
  readAt: number | null;
  onPause: () => boolean;
  /** The products that a text fits, in the copy's own order; null: there is no copy. */
  fitting: string[] | null;
  isCopied: boolean;
}

const byId = <Value>(values: Readonly<Record<number, Value>>): Map<string, Value> => new Map(Object.entries(values));

function show(facts: Partial<Shown> = {}) {
  const shown: Shown = {
    confirmed: new Map(),
    open: [],
    ofOthers: [],
    names: new Map(),
    readAt: 1,
    onPause: () => true,
    fitting: [],
    isCopied: true,
    ...facts,
  };
  let asked = 0;
  let searches = 0;
  const list = createCouponList({
    scope: { platform: 'https://platform.example.com', companyId: '7' as Id },
    owner: () => ({ platform: 'https://platform.example.com', companyId: '7' as Id, email: 'ana@example.com' }),
    sendsFor: (email) => email === 'bia@example.com',
    queueRepository: {
      knownOwnerId: () => 1,
      openCoupons: () => shown.open,
      openCouponsOfOthers: () => shown.ofOthers,
      underWay: () => 5,
    },
    coupons: {
      list: () => [...shown.confirmed].map(([productId, isEnabled]) => ({ productId: productId as Id, isEnabled })),
      readAt: () => shown.readAt,
    },
    catalogue: {
      nameOf: (productId) => {
        asked += 1;
        const name = shown.names.get(productId);
        return name === undefined ? null : { name, code: `C${productId}` };
      },
      products: (_term, most) => {
        searches += 1;
        const products = shown.fitting?.map((productId) => ({
          productId: productId as Id,
          name: shown.names.get(productId) ?? '',
          code: `C${productId}`,
        }));
        return Promise.resolve(
          products === undefined
            ? fail({ kind: 'notReady' })
            : succeed({ products: products.slice(0, most), isCut: products.length > most }),
        );
      },
    },
    isCopied: () => shown.isCopied,
    pause: () => Promise.resolve(shown.onPause()),
  });
  const page = async (filter: CouponFilter, offset = 0, limit = 200, term?: string) => {
    const answer = await list.page({ filter, term }, offset, limit);
    return answer.ok
      ? {
          total: answer.value.total,
          isCut: answer.value.isCut,
          names: answer.value.rows.map(({ productName }) => productName),
          rows: answer.value.rows,
        }
      : answer.failure.kind;
  };
  return { shown, list, page, asked: () => asked, searches: () => searches };
}

function update(product: string, state: OpenCoupon['state'], isEnabled: boolean): OpenCoupon {
  return {
    subject_id: product as Id,
    state,
    is_enabled: Number(isEnabled),
    failure: state === 'parked' ? '{"kind":"forbidden"}' : null,
    request_id: state === 'sealed' ? 5 : null,
  };
}

test('what is on, waits or was refused is listed by name, and each filter has its own', async () => {
  const names = byId({ 1: 'Óleo 10', 2: 'oleo 9', 3: 'Arroz', 4: 'Café', 5: 'Zinco' });
  const confirmed = byId({ 1: true, 2: false, 3: false, 5: true, 6: true });
  const { page } = show({
    names,
    confirmed,
    open: [
      update('2', 'sealed', true),
      update('4', 'parked', true),
      update('5', 'pending', true),
      update('5', 'pending', false),
    ],
  });
  expect(await page('all')).toMatchObject({ total: 6, names: ['Arroz', 'Café', 'oleo 9', 'Óleo 10', 'Zinco', null] });
  expect(await page('enabled')).toMatchObject({ names: ['oleo 9', 'Óleo 10', null] });
  expect(await page('disabled')).toMatchObject({ names: ['Arroz', 'Café', 'Zinco'] });
  const waiting = await page('waiting', 0, 1);
  expect(waiting).toMatchObject({
    total: 2,
    rows: [{ productId: '2', code: 'C2', coupon: { isEnabled: true, status: 'sending' } }],
  });
  expect(await page('waiting', 1)).toMatchObject({ rows: [{ coupon: { isEnabled: false, status: 'waiting' } }] });
  expect(await page('refused')).toMatchObject({
    total: 1,
    rows: [{ coupon: { isEnabled: false, status: 'parked', failure: { kind: 'forbidden' } } }],
  });
});

test('a text narrows the list, and adds products without a setting to All and Off, in order of names', async () => {
  const names = byId({ 1: 'Café', 2: 'Arroz', 3: 'Água', 4: 'Zinco', 5: 'Café forte' });
  const { page, list, searches } = show({
    names,
    confirmed: byId({ 1: true, 2: false }),
    open: [update('5', 'pending', true)],
    fitting: ['5', '4', '3', '1'],
  });
  expect(await page('all', 0, 200, ' caf ')).toMatchObject({
    total: 4,
    isCut: false,
    names: ['Água', 'Café', 'Café forte', 'Zinco'],
  });
  expect(await page('all', 2, 1, ' caf ')).toMatchObject({ total: 4, names: ['Café forte'] });
  expect(await page('disabled', 0, 200, 'caf')).toMatchObject({
    names: ['Água', 'Zinco'],
    rows: [{ coupon: { isEnabled: false, status: 'confirmed' } }, {}],
  });
  expect(await page('enabled', 0, 200, 'caf')).toMatchObject({ names: ['Café', 'Café forte'] });
  expect(await page('waiting', 0, 200, 'caf')).toMatchObject({ names: ['Café forte'] });
  // The same text is looked for once, until the copy has changed.
  expect(searches()).toBe(1);
  list.forgetNames();
  expect(await list.ids({ filter: 'all', term: 'caf' }, 1, 2)).toMatchObject(
    succeed({ total: 4, productIds: ['1', '5'] }),
  );
  expect(searches()).toBe(2);
});

test.each([
  ['a search', { isCopied: false }, { filter: 'all', term: 'caf' }, false],
  ['all that is on', { isCopied: false }, { filter: 'enabled' }, true],
  ['all that is on before the first reading', { readAt: null }, { filter: 'enabled' }, false],
  ['all that waits before the first reading', { readAt: null }, { filter: 'waiting', term: ' ' }, true],
] as const)('what acts on %s needs all that may fit to have been read', async (_name, facts, query, isKnown) => {
  const { list } = show({ fitting: [], ...facts });
  expect(await list.ids(query, 0, 10)).toMatchObject(isKnown ? { ok: true } : fail({ kind: 'notCopied' }));
});

test('before the first reading a product without a setting is not known to be off', async () => {
  const { page } = show({ names: byId({ 3: 'Água' }), fitting: ['3'], readAt: null });
  expect(await page('all', 0, 200, 'ag')).toMatchObject({ rows: [{ coupon: { isEnabled: null, status: 'unknown' } }] });
  expect(await page('disabled', 0, 200, 'ag')).toMatchObject({ total: 0 });
});

test('however many fit a text, what has a setting is found; the others are cut off, and that is said', async () => {
  const many = Array.from({ length: 10_001 }, (_unused, place) => String(1000 + place));
  const names = new Map([
    ...many.map((id): [string, string] => [id, `Agulha ${id}`]),
    ['1', 'Água tônica'],
    ['2', 'Tônica'],
    ['3', 'Arroz'],
  ]);
  const { page } = show({ names, confirmed: byId({ 1: true, 2: true, 3: true, 90007: true }), fitting: many });
  expect(await page('enabled', 0, 200, 'agu ton')).toMatchObject({ names: ['Água tônica'] });
  expect(await page('enabled', 0, 200, '9000')).toMatchObject({ rows: [{ productId: '90007' }] });
  expect(await page('all', 0, 1, 'agu')).toMatchObject({ total: 10_001, isCut: true });
});

test('without a copy, what has a setting is found by its name all the same', async () => {
  const { page } = show({ names: byId({ 1: 'Água' }), confirmed: byId({ 1: true }), fitting: null });
  expect(await page('all', 0, 200, 'agua')).toMatchObject({ names: ['Água'], isCut: true });
});

test('settings are read once, until they may have changed', async () => {
  const { page, shown, list } = show({ confirmed: byId({ 1: true }) });
  expect(await page('enabled')).toMatchObject({ total: 1 });
  shown.confirmed.set('1', false);
  list.forgetSettings();
  expect(await page('enabled')).toMatchObject({ total: 0 });
});

test('before the first reading nobody knows what a refused one is', async () => {
  expect(await show({ readAt: null, open: [update('4', 'parked', true)] }).page('all')).toMatchObject({
    rows: [{ coupon: { isEnabled: null, status: 'parked' } }],
  });
});

test('a long list is named slice by slice, then remembered until names may have changed', async () => {
  const ids = Array.from({ length: 2500 }, (_unused, place) => String(place + 1));
  const { page, asked, list, shown } = show({
    confirmed: new Map(ids.map((id) => [id, true])),
    names: new Map(ids.map((id) => [id, `P ${5000 - Number(id)}`])),
  });
  let pauses = 0;
  shown.onPause = () => {
    pauses += 1;
    if (pauses === 2) {
      // The copy goes on, and somebody switches one off, before the list is whole.
      shown.names.set('1', 'A');
      shown.confirmed.set('2', false);
      list.forgetSettings();
      list.forgetNames();
    }
    return true;
  };
  expect(await page('enabled', 0, 2)).toMatchObject({ total: 2499, names: ['A', 'P 2500'] });
  const before = asked();
  expect(await page('enabled', 2498, 2)).toMatchObject({ names: ['P 4997'] });
  expect(asked()).toBe(before);
  shown.names.set('2500', 'Z');
  list.forgetNames();
  expect(await page('enabled', 2498, 2)).toMatchObject({ names: ['Z'] });
});

test('a store that closes meanwhile is said', async () => {
  const { page } = show({
    confirmed: new Map(Array.from({ length: 1001 }, (_unused, place) => [String(place + 1), true])),
    onPause: () => false,
  });
  expect(await page('all')).toBe('notReady');
});

test('while the copy changes all the time, a list comes all the same', async () => {
  const ids = Array.from({ length: 1500 }, (_unused, place) => String(place + 1));
  const { page, list, shown } = show({
    confirmed: new Map(ids.map((id) => [id, true])),
    names: new Map(ids.map((id) => [id, `P ${id}`])),
  });
  shown.onPause = () => {
    list.forgetNames();
    list.forgetSettings();
    return true;
  };
  expect(await page('enabled', 0, 2)).toMatchObject({ total: 1500, names: ['P 1', 'P 2'] });
});

test('L1: a listed row stays though it no longer fits, and new ones come in; a new view has only what fits', async () => {
  const names = byId({ 1: 'Arroz', 2: 'Café', 3: 'Zinco', 4: 'Feijão' });
  const { shown, list } = show({
    names,
    confirmed: byId({ 1: true, 2: true, 3: true, 4: false }),
    fitting: ['1', '2', '3', '4'],
  });
  const read = async (view: number | undefined, filter: CouponFilter = 'enabled', term?: string) => {
    const answer = await list.page({ filter, term, view }, 0, 200);
    return answer.ok
      ? {
          view: answer.value.view,
          total: answer.value.total,
          rows: answer.value.rows.map(({ productName, coupon }) => `${productName} ${coupon.isEnabled}`),
        }
      : null;
  };
  const first = await read(undefined);
  shown.open = [update('2', 'pending', false), update('4', 'pending', true)];
  list.forgetSettings();
  const after = ['Arroz true', 'Café false', 'Feijão true', 'Zinco true'];
  expect(await read(first?.view)).toEqual({ view: first?.view, total: 4, rows: after });
  // Also when it is asked for again, when names come anew, and by the places of what is not in sight.
  list.forgetNames();
  expect(await read(first?.view)).toMatchObject({ rows: after });
  expect(await list.ids({ filter: 'enabled', view: first?.view }, 1, 2)).toMatchObject(
    succeed({ productIds: ['2', '4'] }),
  );
  expect(await read(first?.view, 'disabled')).toMatchObject({ rows: ['Café false'] });
  const anew = await read(undefined);
  expect(anew).toMatchObject({ rows: ['Arroz true', 'Feijão true', 'Zinco true'] });
  expect(anew?.view).not.toBe(first?.view);
  // A view that is not the last one is another one's.
  expect(await read(first?.view)).toMatchObject({ total: 3 });
  // A product without a setting that gets one under Off stays once.
  shown.confirmed.delete('4');
  shown.open = [];
  list.forgetSettings();
  const off = await read(undefined, 'disabled', 'x');
  expect(off).toMatchObject({ rows: ['Feijão false'] });
  shown.open = [update('4', 'pending', true)];
  list.forgetSettings();
  expect(await read(off?.view, 'disabled', 'x')).toMatchObject({ total: 1, rows: ['Feijão true'] });
  shown.open = [];
  list.forgetSettings();
  expect(await read(off?.view, 'disabled', 'x')).toMatchObject({ total: 1, rows: ['Feijão false'] });
});

test('what another user has asked for is listed with their name, where it waits or needs a decision', async () => {
  const names = byId({ 1: 'Arroz', 2: 'Café', 3: 'Leite', 4: 'Sal' });
  const ofOthers: OpenCouponOfOther[] = [
    { subject_id: '1' as Id, state: 'pending', is_enabled: 1, email: 'bia@example.com' },
    { subject_id: '2' as Id, state: 'parked', is_enabled: 0, email: 'caio@example.com' },
    { subject_id: '4' as Id, state: 'sealed', is_enabled: 0, email: 'bia@example.com' },
  ];
  const { page } = show({
    names,
    confirmed: byId({ 1: false, 3: true }),
    open: [update('4', 'pending', true)],
    ofOthers,
  });
  expect(await page('all')).toMatchObject({ names: ['Arroz', 'Café', 'Leite', 'Sal'] });
  const waiting = await page('waiting');
  expect(waiting).toMatchObject({
    rows: [
      {
        productName: 'Arroz',
        coupon: {
          isEnabled: false,
          status: 'confirmed',
          ofOther: { email: 'bia@example.com', isEnabled: true, isParked: false, isSignInNeeded: false },
        },
      },
      {
        productName: 'Sal',
        coupon: { isEnabled: true, status: 'waiting', ofOther: { email: 'bia@example.com', isEnabled: false } },
      },
    ],
  });
  expect(await page('refused')).toMatchObject({
    rows: [
      { productName: 'Café', coupon: { ofOther: { email: 'caio@example.com', isParked: true, isSignInNeeded: true } } },
    ],
  });
  // The platform's setting is shown, not the one that another asks for.
  expect(await page('enabled')).toMatchObject({ names: ['Leite', 'Sal'] });
});

test('what the copy does not have yet stands behind all names', async () => {
  const { page } = show({
    names: byId({ 1: 'Zinco', 2: '15 velas' }),
    confirmed: new Map(['4', '3', '2', '1'].map((productId) => [productId, true])),
  });
  expect(await page('all')).toMatchObject({ names: ['15 velas', 'Zinco', null, null] });
});
