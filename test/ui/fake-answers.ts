import type { Handlers } from '../../app/contract/bridge.ts';
import type { Channel, EventName, InvokeInput, InvokeOutput } from '../../app/contract/contract.ts';
import type { LookupAnswer } from '../../app/contract/lookup.ts';
import type { TerminalState } from '../../app/contract/terminal-state.ts';
import { fail as no, succeed as ok } from '../../app/domain/result.ts';
import type { Scene } from './fake-bridge.ts';
import { createCards, findCards, hitOf, plain } from './scene-copy.ts';

/** What answers the calls of some channels, as Results; what they are is looked at by the contract alone. */
export type Answers = { readonly [Name in Channel]?: (input: InvokeInput<Name>) => unknown };

/** The terminal of a scene. */
export interface SceneTerminal {
  state(): TerminalState;
  change(part: Partial<TerminalState>): unknown;
  emit(name: EventName, payload: unknown): unknown;
  /** Asks the real queue and its coupons. */
  switchCoupon: Handlers['coupon:switch'];
  /** What the page's clock says. */
  now(): number;
}

const minute = 60_000;

/** The pretended answers to what depends on what was done before. */
export function createFakeAnswers(scene: Scene, { state, change, emit, switchCoupon, now }: SceneTerminal): Answers {
  const { nowMs } = scene;
  const minima = new Map<string, number | null>(Object.entries(scene.minima ?? {}));
  let hub: Record<string, unknown> | null = null;
  let cards = createCards(nowMs).map((card) => ({
    ...card,
    minimum: minima.get(`${card.stockId} ${card.productId}`) ?? null,
  }));
  let recent: InvokeOutput<'lookup:listRecent'> = [];

  const find = (text: string): LookupAnswer => {
    const wanted = text.trim().replace(/^\][A-Za-z][0-9A-Za-z](?=.)/, '');
    const found = findCards(cards, text, wanted);
    if (found !== null) return found;
    if (/^\d{13}$/.test(wanted) && wanted.startsWith('2')) return { kind: 'unreadable', text, why: 'checkDigit' };
    const { phase, copied, total, completeAt, unreadable } = state().catalogue;
    return phase === 'copying'
      ? { kind: 'notCopied', text, copied, total, completeAt, asked: false }
      : { kind: 'unknown', text, asked: false, ...(unreadable > 0 && { unreadListed: unreadable }) };
  };
  const cardAt = (place: { readonly productId: string; readonly stockId: string }) =>
    cards.find((one) => one.productId === place.productId && one.stockId === place.stockId);
  const settingsOf = (input: InvokeInput<'settings:update'>): Partial<TerminalState> => {
    const { language, scannerDevice, companion, localApi, ...same } = input;
    return {
      ...same,
      ...(language !== undefined && { language: language ?? 'en', languageChosen: language !== null }),
      ...(companion !== undefined && { companion: { ...companion, isShortcutHeld: true } }),
      ...(localApi !== undefined && {
        localApi: { ...localApi, status: localApi.isOn ? 'open' : 'off', openPort: localApi.isOn ? 17_863 : null },
      }),
      ...(scannerDevice !== undefined && {
        scannerDevice: { choice: scannerDevice, connection: scannerDevice === null ? 'off' : 'connecting' },
      }),
    } as Partial<TerminalState>;
  };
  return {
    'notice:dismiss': ({ id }) => {
      change({ notices: state().notices.filter((notice) => notice.id !== id) });
      return ok({});
    },
    'settings:update': (input) => {
      change(settingsOf(input));
      return ok({});
    },
    'hub:read': () => ok({ hub, readAt: nowMs }),
    'hub:join': (input) => {
      if (!input.address.startsWith('tillside-hub://')) {
        return ok({ wrongPart: 'protocol', failure: null });
      }
      hub = {
        terminalName: input.name,
        host: '192.168.0.10',
        port: 5432,
        database: 'tillside',
        isPractice: false,
        fingerprint: 'ab'.repeat(32),
        state: null,
      };
      return ok({ wrongPart: null, failure: null });
    },
    'hub:leave': () => {
      hub = null;
      return ok({});
    },
    'hub:remove': () => ok({ wrongPart: null, failure: null }),
    'hub:test': () => ok({ wrongPart: null, failure: null }),
    'practice:start': () => {
      change({ phase: 'ready', mode: 'practice', practice: { isNetworkDown: false, hasPanel: true } });
      return ok({});
    },
    'session:signIn': (input) => {
      if (input.password !== 'right') {
        return no({
          kind: 'credentialsRejected',
          status: 401,
          code: 'unauthorized',
          message: 'The user credentials were incorrect.',
        });
      }
      change({ phase: 'ready', session: { state: 'signedIn', email: input.email, keptIn: 'keychain', failure: null } });
      return ok({ passed: true, steps: [] });
    },
    'session:keep': () => ok({ outcome: 'kept' }),
    'session:signOut': () => {
      change({ phase: 'signIn', session: { state: 'signedOut', email: null, keptIn: null, failure: null } });
      return ok({});
    },
    'lookup:find': (input) => {
      const found = find(input.text);
      const first = found.kind === 'found' ? found.cards[0] : undefined;
      recent = [
        {
          id: recent.length + 1,
          at: nowMs - recent.length * 1000,
          text: input.text,
          answer: found.kind,
          hit: first === undefined ? null : hitOf(first),
        },
        ...recent,
      ].slice(0, 100);
      return ok(found);
    },
    'lookup:ask': ({ text }) =>
      ok({ ...find(text), asked: true, ...(state().catalogue.unreadable > 0 && { unreadAnswered: 1 }) }),
    'lookup:search': ({ text, limit }) =>
      ok(
        cards
          .filter((one) => plain(one.name).includes(plain(text.trim())))
          .map(hitOf)
          .slice(0, limit),
      ),
    'lookup:listRecent': () => ok(recent),
    'product:read': (place) => {
      const wanted = cardAt(place);
      return wanted === undefined ? no({ kind: 'notFoundHere' }) : ok(wanted);
    },
    'product:refresh': (place) => {
      const wanted = cardAt(place);
      if (wanted === undefined) return no({ kind: 'notFoundHere' });
      const live = {
        ...wanted,
        balance: { amount: wanted.balance.amount ?? 17, asOf: now(), source: 'live' as const },
      };
      cards = cards.map((one) => (one === wanted ? live : one));
      return ok(live);
    },
    'product:readMany': ({ places }) =>
      ok(
        places.map(
          ({ productId, stockId }) =>
            cards.find((one) => one.productId === productId) ?? {
              ...cards[0],
              productId,
              stockId,
              code: `S-${productId}`,
              name: `Produto de exemplo ${productId}`,
              barcodes: [],
            },
        ),
      ),
    'product:readMovements': (input) => {
      const wanted = cards.find((one) => one.productId === input.productId);
      const named = (wanted?.options ?? []).map(({ name, amount: all }, place) => ({
        name,
        ids: [String(500 + place)],
        in: (all ?? 0) + 6,
        out: -6,
        all: all ?? 0,
      }));
      const chosen = named.filter(
        ({ ids }) =>
          input.optionIds.length === 0 || ids.some((one) => input.optionIds.some((wantedId) => wantedId === one)),
      );
      const sum = (key: 'in' | 'out' | 'all'): number => chosen.reduce((total, one) => total + one[key], 0);
      return ok({
        ...(named.length === 0 ? { in: 160, out: -12, all: 148 } : { in: sum('in'), out: sum('out'), all: sum('all') }),
        options: chosen,
        asOf: nowMs,
      });
    },
    'coupon:switch': async (input) => {
      const switched = await switchCoupon(input);
      if (switched.ok) {
        cards = cards.map((one) => (one.productId === input.productId ? { ...one, coupon: switched.value } : one));
      }
      return switched;
    },
    'stock:browse': (input) => {
      const { query } = input;
      const most = query.amount !== 'all' ? 3 : (query.productIds?.length ?? scene.stockRows ?? 40);
      const fitting = query.term === 'nothing' ? 0 : most;
      const rowOf = (place: number) => {
        const number = query.direction === 'asc' ? place : fitting - 1 - place;
        const amount =
          query.amount === 'all'
            ? [number, number, number, null, -2.5][number % 5]
            : { zero: 0, negative: -2.5, positive: 7 }[query.amount];
        const row = {
          stockId: number % 2 === 0 ? '11' : '12',
          stockName: number % 2 === 0 ? 'Loja' : 'Depósito',
          productId: String(2000 + number),
          code: number % 7 === 6 ? null : `S-${number}`,
          name: `Produto de exemplo ${number}`,
          unit: 'UNID',
          balance:
            amount === null
              ? { amount, asOf: null, source: null }
              : { amount, asOf: nowMs - minute * (number + 1) * (number % 6 === 1 ? 300 : 1), source: 'listing' },
          ...(number === 0 && cards[0] !== undefined ? hitOf(cards[0]) : {}),
        };
        const minimum = minima.get(`${row.stockId} ${row.productId}`) ?? null;
        return { ...row, minimum, turnedAt: number % 9 === 1 ? nowMs - 20 * 60 * minute : null };
      };
      type Row = ReturnType<typeof rowOf>;
      // As the copy does: lowest first, and last what nobody knows.
      const inOrder = (rows: Row[]): Row[] =>
        query.orderBy === 'balance'
          ? rows.toSorted(
              (left, right) =>
                Number(left.balance.amount === null) - Number(right.balance.amount === null) ||
                (query.direction === 'asc' ? 1 : -1) * (Number(left.balance.amount) - Number(right.balance.amount)),
            )
          : rows;
      if (query.list === 'all' && fitting > 1000) {
        const length = Math.max(0, Math.min(input.limit, fitting - input.offset));
        const rows = Array.from({ length }, (_, place) => rowOf(input.offset + place));
        return ok({ view: 1, total: fitting, found: fitting, isWhole: true, rows });
      }
      const isListed = ({ minimum, turnedAt, productId, balance: { amount } }: Row): boolean => {
        if (query.list === 'all') {
          return true;
        }
        if (query.list === 'changedToday') {
          return Number(productId) % 4 === 1;
        }
        return query.list === 'watched' || query.list === 'below'
          ? minimum !== null && (query.list === 'watched' || (amount ?? minimum) < minimum)
          : turnedAt !== null && amount !== null && Number(amount) > 0 === (query.list === 'cameBack');
      };
      const listed = inOrder(Array.from({ length: fitting }, (_, place) => rowOf(place)).filter(isListed));
      const rows = listed.slice(input.offset, input.offset + input.limit);
      return ok({
        view: query.list === 'all' ? 1 : 2,
        total: listed.length,
        found: listed.length,
        isWhole: true,
        rows,
      });
    },
    'watchList:set': (input) => {
      for (const { stockId, productId, minimum } of input.minima) {
        minima.set(`${stockId} ${productId}`, minimum);
        const known = cards.find((one) => one.stockId === stockId && one.productId === productId);
        if (known !== undefined) emit('product:changed', Object.assign(known, { minimum }));
      }
      return ok({ kept: input.minima.length });
    },
    'catalogue:readAge': () =>
      ok({
        stocks: state().catalogue.stocks.map(({ stockId, name, completeAsOf }) => ({
          stockId,
          name,
          listedAt: completeAsOf === null ? null : nowMs - 9 * 60 * minute,
          changesAt: completeAsOf,
        })),
        bands: [420, 1310, 2600, 540, 80, 20],
        withoutFigure: 30,
        counted: 5000,
        isSample: false,
        readAt: nowMs,
      }),
  };
}
