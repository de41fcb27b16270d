// Proves that a set's search means the stocks that it was saved in, whichever profile of its company is open.
import { expect, test } from 'vitest';
import type { Id } from '../../../app/domain/int64.ts';
import { fail } from '../../../app/domain/result.ts';
import { connect, copied, openMachine, openPlatformForTest, signIn } from '../../support/machine.ts';
import { valueOf } from '../../support/value-of.ts';

test('P4: in a profile of more stocks it finds what its own stocks list, and in one without them nothing', async () => {
  const platform = await openPlatformForTest();
  const terminal = await openMachine().start();
  const { handlers: call } = terminal;
  const open = (...stocks: string[]) => connect(terminal, platform, { stockIds: stocks as Id[] });
  const [shop, depot] = ['1201', '1202'];
  await open(depot);
  await signIn(terminal, platform);
  await copied(terminal);
  // What the depot alone lists is found by no other word in the shop.
  const names = Array.from({ length: 50 }, (_, index) => platform.products.nameAt(index).split(' ')[0] ?? '');
  const sets = new Map<string, number>();
  for (const term of new Set(names.map((name) => name.toLowerCase()))) {
    const how = { kind: 'search', filter: 'all', term } as const;
    sets.set(term, valueOf(await call['couponSet:save']({ setId: null, name: term, how })).setId);
  }
  const found = async (): Promise<Record<string, unknown>> => {
    const all = [...sets].map(async ([term, setId]) => [term, await call['couponSet:read']({ setId })] as const);
    return Object.fromEntries(await Promise.all(all));
  };
  const atDepot = await found();
  await open(shop, depot);
  await copied(terminal);
  const listed = [...sets.keys()].map((term) => call['coupon:listIds']({ filter: 'all', term, offset: 0, limit: 100 }));
  const isMore = (await Promise.all(listed)).map((answer, place) => {
    const own = atDepot[[...sets.keys()][place] ?? ''] as Awaited<ReturnType<(typeof call)['couponSet:read']>>;
    return valueOf(answer).productIds.length > valueOf(own).productIds.length;
  });
  expect(isMore).toContain(true);
  expect(await found()).toEqual(atDepot);

  await open(shop);
  await copied(terminal);
  const [setId = 0] = sets.values();
  expect(await call['couponSet:read']({ setId })).toEqual(fail({ kind: 'otherStocks' }));
  const [set] = valueOf(await call['couponSet:list']({})).sets;
  expect(set?.how).toMatchObject({ kind: 'search', elsewhere: [depot] });
});
