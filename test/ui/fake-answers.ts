import type { Channel, EventName, InvokeInput } from '../../app/contract/contract.ts';
import type { TerminalState } from '../../app/contract/terminal-state.ts';
import { fail as no, succeed as ok } from '../../app/domain/result.ts';
import type { Scene } from './fake-bridge.ts';

/** What answers the calls of some channels, as Results; what they are is looked at by the contract alone. */
export type Answers = { readonly [Name in Channel]?: (input: InvokeInput<Name>) => unknown };

/** The terminal of a scene. */
export interface SceneTerminal {
  state(): TerminalState;
  change(part: Partial<TerminalState>): unknown;
  emit(name: EventName, payload: unknown): unknown;
  /** Asks the real queue and its coupons. */
  switchCoupon(input: InvokeInput<'coupon:switch'>): Promise<unknown>;
}

const minute = 60_000;

type Card = Record<string, unknown> & {
  productId: string;
  stockId: string;
  name: string;
  code: string | null;
  barcodes: string[];
  balance: Record<string, unknown>;
  coupon: Record<string, unknown>;
};

/** The pretended answers to what depends on what was done before. */
export function createFakeAnswers(scene: Scene, { state, change, emit, switchCoupon }: SceneTerminal): Answers {
  const { nowMs } = scene;
  const minima = new Map<string, number | null>(Object.entries(scene.minima ?? {}));
  let hub: Record<string, unknown> | null = null;
  const card = (
    productId: string,
    stock: [string, string],
    name: string,
    unit: string,
    amount: number | null,
    more: Record<string, unknown> = {},
  ): Card => ({
    stockId: stock[0],
    stockName: stock[1],
    productId,
    code: `A-${productId}`,
    name,
    unit,
    barcodes: [`78900000${productId.padStart(5, '0')}`],
    balance: { amount, asOf: amount === null ? null : nowMs - 23 * minute, source: amount === null ? null : 'listing' },
    options: [],
    extra: [],
    coupon: { isEnabled: false, status: 'confirmed', failure: null },
    minimum: minima.get(`${stock[0]} ${productId}`) ?? null,
    ...more,
  });
  const shop: [string, string] = ['11', 'Loja'];
  const depot: [string, string] = ['12', 'Depósito'];
  const options = ['P azul', 'M azul', 'G azul', 'P verde', 'M verde', 'G verde'].map((name, index) => ({
    name,
    amount: [4, 0, 7, 2, -1, 12][index],
  }));
  let cards: Card[] = [
    card('101', shop, 'Café torrado e moído Serra Clara 500 g', 'PACOTE', 148, {
      extra: [
        { name: 'brand', value: 'Serra Clara' },
        { name: 'category', value: 'Mercearia' },
        { name: 'minimum_stock', value: '24' },
      ],
      coupon: { isEnabled: true, status: 'confirmed', failure: null },
    }),
    card('101', depot, 'Café torrado e moído Serra Clara 500 g', 'PACOTE', 1320),
    card('102', shop, 'Queijo minas frescal', 'KG', 3.475),
    card('103', shop, 'Camiseta básica de algodão', 'UNID', 24, { options }),
    card('104', shop, 'Pão de queijo congelado tradicional 1 kg, pacote econômico para a família', 'PACOTE', 0),
    card('105', shop, 'Água de coco 1 litro', 'CX10', -6),
    card('106', shop, 'Açaí com guaraná 200 ml', 'POTE', null),
  ];
  let recent: Record<string, unknown>[] = [];

  const hitOf = ({ stockId, stockName, productId, code, name, unit, balance }: Card) => ({
    stockId,
    stockName,
    productId,
    code,
    name,
    unit,
    balance,
  });
  const plain = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

  const readAs = (as: string) => ({ as, ofCase: null, layout: null, facts: [], fault: null });
  const find = (text: string): Record<string, unknown> & { kind: string } => {
    const wanted = text.trim().replace(/^\][A-Za-z][0-9A-Za-z](?=.)/, '');
    const exact = cards.filter((one) => one.code === wanted || one.barcodes.includes(wanted));
    const named = cards.filter((one) => plain(one.name).includes(plain(wanted)));
    if (new Set(exact.map(({ productId }) => productId)).size > 1) {
      return { kind: 'several', text, read: readAs('barcode'), hits: exact.map(hitOf) };
    }
    if (exact.length > 0) return { kind: 'found', text, cards: exact };
    if (named.length === 1) return { kind: 'found', text, cards: named };
    if (named.length > 1) return { kind: 'several', text, read: readAs('search'), hits: named.map(hitOf) };
    if (/^\d{13}$/.test(wanted) && wanted.startsWith('2')) return { kind: 'unreadable', text, why: 'checkDigit' };
    const { catalogue } = state();
    return catalogue.phase === 'copying'
      ? {
          kind: 'notCopied',
          text,
          copied: catalogue.copied,
          total: catalogue.total,
          completeAt: catalogue.completeAt,
          asked: false,
        }
      : {
          kind: 'unknown',
          text,
          asked: false,
          ...(catalogue.unreadable > 0 && { unreadListed: catalogue.unreadable }),
        };
  };

  const cardAt = (place: { readonly productId: string; readonly stockId: string }): Card | undefined =>
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
      const first = (found.cards as Card[] | undefined)?.[0];
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
      const amount = (wanted.balance.amount as number | null) ?? 17;
      const live = { ...wanted, balance: { amount, asOf: Date.now(), source: 'live' } };
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
      const named = ((wanted?.options ?? []) as { name: string; amount: number }[]).map(({ name, amount }, place) => ({
        name,
        ids: [String(500 + place)],
        in: amount + 6,
        out: -6,
        all: amount,
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
      const { value: coupon } = switched as { readonly value?: Card['coupon'] };
      cards = cards.map((one) =>
        coupon !== undefined && one.productId === input.productId ? { ...one, coupon } : one,
      );
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
          ? minimum !== null && (query.list === 'watched' || Number(amount ?? minimum) < minimum)
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
