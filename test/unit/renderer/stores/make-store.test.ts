// The proof that what one person typed, chose or was shown is gone when another comes: by how each store is made.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { StoreApi } from 'zustand/vanilla';
import type { LookupAnswer } from '../../../../app/contract/lookup.ts';
import { createPersonStores, makeLastingStore } from '../../../../renderer/stores/make-store.ts';
import { readyState } from '../../../ui/ready-state.ts';
import { createHeldBridge, failed, id, ok } from './held-bridge.ts';
import { bea, openPage } from './open-page.ts';
import { createCouponStores } from '../../../../renderer/coupons/coupons-store.ts';
import { createQueueStores } from '../../../../renderer/queue/queue-store.ts';

/** The stores that outlive who is here, and why. */
const lasting: Readonly<Record<string, string>> = {
  'cashiers/badge-store.ts': 'what became of a badge is told to whoever it has let in',
  'files/file-lines.tsx': 'lines that a dialog shows; they go with it',
  'labels/left-printing.ts': 'the paper lies there for whoever comes; no person or product is named',
  'shell/tour-store.ts': 'whether the tour was seen is a setting of the terminal',
  'station/station-store.ts': "a customer's, in no person's name; it goes with the station",
  'stores/navigation.ts': 'the page’s address',
  'stores/terminal.ts': 'the state of the terminal',
};

// A page without a dialog.
beforeEach(() => {
  vi.stubGlobal('document', { querySelector: () => null });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

const productOf = (text: string): LookupAnswer => ({ kind: 'found', text, cards: [] });

const isStore = (value: unknown): value is StoreApi<object> =>
  typeof value === 'object' && value !== null && 'getInitialState' in value;

/** All stores within, by name. */
function storesIn(parts: object): readonly (readonly [string, StoreApi<object>])[] {
  return Object.entries(parts).flatMap(([name, part]: readonly [string, unknown]) => {
    if (isStore(part)) {
      return [[name, part] as const];
    }
    const inner = typeof part === 'object' && part !== null ? storesIn(part) : [];
    return inner.map(([own, store]) => [`${name}.${own}`, store] as const);
  });
}

describe('when another person comes', () => {
  it.each([
    ['another person', bea],
    ['a lock', { phase: 'locked', cashiers: { ...readyState(0).cashiers, lockedEmail: 'ana@example.com' } }],
    ['another profile', { profileId: 2 }],
    ['practice', { mode: 'practice' }],
    ['nobody', { phase: 'signIn' }],
  ])('(%s) every store of a person is as it was made, and only what is the terminal’s stays', (_who, more) => {
    const { stores, come } = openPage();
    const all = storesIn(stores);
    expect(all.length).toBeGreaterThan(20);
    all.forEach(([, store]) => store.setState({ leftBehind: 'by Ana' }));
    come(more);
    expect(all.filter(([, store]) => 'leftBehind' in store.getState()).map(([name]) => name)).toEqual([
      'badge',
      'terminal',
      'tour',
      'navigation',
    ]);
  });

  it('the help that somebody has opened stands before nobody else, nor before the locked till', () => {
    const { stores, come } = openPage();
    const helpAfter = (more: object): unknown => {
      stores.navigation.getState().showHelp({ part: 'keys' });
      come(more);
      return stores.navigation.getState().help;
    };
    expect(helpAfter({})).toEqual({ part: 'keys' });
    const cashiers = { ...readyState(0).cashiers, lockedEmail: 'ana@example.com' };
    expect([helpAfter({ phase: 'signIn', cashiers }), helpAfter(bea)]).toEqual([null, null]);
  });

  it('what was looked up while it was nobody’s is theirs, and nothing else', () => {
    const { stores, come } = openPage();
    come({ phase: 'signIn' });
    const all = storesIn(stores);
    all.forEach(([, store]) => store.setState({ leftBehind: 'by whoever stood there' }));
    come(bea);
    expect(all.filter(([, store]) => 'leftBehind' in store.getState()).map(([name]) => name)).toEqual([
      'badge',
      'terminal',
      'lookup',
      'details',
      'expiry',
      'tour',
      'links',
      'navigation',
      'scans',
    ]);
  });

  it.each([
    ['ended', { session: { ...readyState(0).session, state: 'ended', email: null } }],
    ['locked', { cashiers: { ...readyState(0).cashiers, lockedEmail: 'ana@example.com' } }],
  ])(
    'the product that somebody was shown is theirs again after a sign-in that was %s, and nobody else’s',
    (_how, how) => {
      const shownAfter = (...comings: readonly object[]): unknown => {
        const { stores, come } = openPage();
        const { lookup } = stores;
        lookup.setState({ answer: productOf('coffee') });
        for (const coming of comings) {
          come(coming);
          if ('phase' in coming) {
            expect(lookup.getState().answer).toBeNull();
          }
        }
        return lookup.getState().answer;
      };
      const away = { phase: 'signIn', ...how };
      expect(shownAfter(away, {})).toEqual(productOf('coffee'));
      expect(shownAfter(away, away, {})).toEqual(productOf('coffee'));
      expect([shownAfter(away, bea), shownAfter(away, bea, {}), shownAfter(away, { profileId: 2 })]).toEqual([
        null,
        null,
        null,
      ]);
      expect(shownAfter({ phase: 'signIn' }, {}), 'who signs out leaves nothing').toBeNull();
    },
  );

  it('a product that another scan was to take the place of is not given back', () => {
    const { stores, come } = openPage(() => new Promise(() => undefined));
    stores.lookup.setState({ answer: productOf('coffee') });
    void stores.lookup.getState().find('tea', 'scan');
    come({ phase: 'signIn', cashiers: { ...readyState(0).cashiers, lockedEmail: 'ana@example.com' } });
    come({});
    expect(stores.lookup.getState().answer).toBeNull();
  });

  it('what was looked up since takes the place of what was left', () => {
    const { stores, come } = openPage();
    stores.lookup.setState({ answer: productOf('coffee') });
    come({ phase: 'signIn', session: { ...readyState(0).session, state: 'ended', email: null } });
    stores.scans.getState().receive('tea');
    come({});
    expect(stores.lookup.getState().answer).toBeNull();
  });

  it('nothing is dropped while the same one stays, nor what is the terminal’s', () => {
    const people = createPersonStores();
    const theirs = people.make<{ text: string }>({}, () => ({ text: '' }));
    const ours = makeLastingStore<{ text: string }>({}, () => ({ text: '' }));
    people.take('ana', false);
    [theirs, ours].forEach((store) => store.setState({ text: 'typed' }));
    people.take('ana', false);
    expect(theirs.getState().text).toBe('typed');
    people.take('bea', false);
    expect([theirs.getState().text, ours.getState().text]).toEqual(['', 'typed']);
  });

  it('what is under way is ended first, what it keeps stays, and an answer is known to be too late', () => {
    const people = createPersonStores();
    const ended: string[] = [];
    const store = people.make<{ text: string; work: number; ask: () => () => boolean }>(
      { end: ({ text }) => ended.push(text), keeps: ['work'] },
      (_set, _get, visit) => ({ text: '', work: 0, ask: visit }),
    );
    store.setState({ text: 'typed', work: 3 });
    const isStillHere = store.getState().ask();
    expect(isStillHere()).toBe(true);
    people.take('bea', false);
    expect([ended, store.getState().text, store.getState().work, isStillHere()]).toEqual([['typed'], '', 3, false]);
  });

  it('why a switch, a decision or a reading of the one before has failed is not told to them', async () => {
    const people = createPersonStores();
    const { bridge, next } = createHeldBridge();
    const later = (): (() => void) => () => undefined;
    const coupons = createCouponStores(people.make, bridge, () => () => undefined, later);
    const queue = createQueueStores(people.make, bridge, later);
    void coupons.store.getState().move(id('7'), true);
    void coupons.store.getState().refresh();
    void queue.store.getState().retry(4);
    void queue.store.getState().discard(5);
    people.take('bea', false);
    await next('coupon:switch').answer(failed('storageFull'));
    await next('coupon:refresh').answer(failed('storageFull'));
    await next('queue:retry').answer(failed('notFoundHere'));
    await next('queue:discard').answer(ok({}));
    expect(coupons.store.getState()).toMatchObject({ switchFailure: null, refreshFailure: null, isRefreshing: false });
    expect(coupons.store.getState().moved.size).toBe(0);
    expect(queue.store.getState().failure).toBeNull();
    expect(queue.store.getState().busy.size).toBe(0);
    expect(queue.many.getState().outcome).toBeNull();
  });
});

/** Where a source makes what outlives a person, though it is not listed. */
function othersThatLast(path: string, text: string): string[] {
  const found = [
    path !== 'stores/make-store.ts' &&
    /import \{[^}]*\bcreate(?:Store|WithEqualityFn)?\b[^}]*\} from 'zustand/.test(text)
      ? 'makes a store without make-store.ts'
      : null,
    path !== 'stores/make-store.ts' && !Object.hasOwn(lasting, path) && /\bmakeLastingStore\b/.test(text)
      ? 'makes a lasting store'
      : null,
    // A clock and what was loaded of the help are the page's.
    !['dom/clock.ts', 'help/help-pages.ts'].includes(path) &&
    /^(?:export )?(?:let |const \w+(?:: [^=]+)? = new (?:Weak)?(?:Map|Set)(?:<.*>)?\(\))/m.test(text)
      ? 'keeps something for as long as the page is open'
      : null,
  ];
  return found.filter((one) => one !== null).map((one) => `${path} ${one}`);
}

describe('a source of the page', () => {
  const folder = join(import.meta.dirname, '../../../../renderer');
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));

  it('makes stores by the one function that drops them, but for those that are the terminal’s', () => {
    const texts = sources.map(
      (file) => [file.replaceAll('\\', '/'), readFileSync(join(folder, file), 'utf8')] as const,
    );
    expect(texts.flatMap(([path, text]) => othersThatLast(path, text))).toEqual([]);
    expect(texts.filter(([path, text]) => Object.hasOwn(lasting, path) && !text.includes('makeLastingStore'))).toEqual(
      [],
    );
  });

  it.each([
    "import { createStore, type StoreApi } from 'zustand/vanilla';",
    "import { create } from 'zustand';",
    "import { createWithEqualityFn } from 'zustand/traditional';",
    "import { makeLastingStore } from '../stores/make-store.ts';",
    'const choices = new WeakMap<StoreApi<StockStore>, StockChoice>();',
    'export let typed = 1;',
  ])('that does it by %s would be found', (text) => {
    expect(othersThatLast('a/b.ts', text)).toHaveLength(1);
  });
});
