import { everyProduct } from '../../app/contract/every-product.ts';
import type { StockQuery } from '../../app/contract/browse.ts';
import type { InvokeInput } from '../../app/contract/contract.ts';
import type { TerminalState } from '../../app/contract/terminal-state.ts';
import { installFakeReadings, type FakeAnswers, type ReadingScene } from './fake-readings.ts';
import type { QueueScene } from './scene-updates.ts';
import type { Stocktake, StocktakeLine } from '../../app/contract/stocktakes.ts';

/** The state that a test wants to find when the page opens. */
export interface Scene extends ReadingScene, QueueScene {
  readonly state: TerminalState;
  readonly nowMs: number;
  /** The counts, the newest first. */
  readonly stocktakes?: readonly Stocktake[];
  /** Of each of them, what was counted last first. */
  readonly lines?: readonly StocktakeLine[];
  /** Answers by channel that replace the made-up ones, as Results. */
  readonly answers?: Readonly<Record<string, unknown>>;
  /** How long each call takes, in milliseconds, by channel. */
  readonly delaysMs?: Readonly<Record<string, number>>;
  /** Rows of the stock table; 40 unless told. */
  readonly stockRows?: number;
  /** Minimums by stock and product, such as "12 2001"; none unless told. */
  readonly minima?: Readonly<Record<string, number>>;
  /** The manager's PIN, which the state's lock then holds to; after three wrong ones it waits for five seconds. */
  readonly pin?: string;
}

type HeldKind = TerminalState['lock']['openKinds'][number];

/** The manager's locks, by the access table. */
export interface FakeLocks {
  readonly byChannel: Readonly<Record<string, HeldKind | 'none'>>;
  /** The kinds that are held only where they are chosen. */
  readonly choosable: readonly HeldKind[];
  /** The settings that are never held. */
  readonly free: readonly string[];
}

/** The answer to a call that the scene's host is asked. */
export interface HostAnswer {
  readonly answer: unknown;
  /** What of the queue's state is otherwise after it; null where nothing of the queue has changed. */
  readonly queue: Partial<TerminalState['queue']> | null;
}

/** The interface that a test finds as `window.fake`. */
export interface Fake {
  readonly calls: { readonly channel: string; readonly input: Record<string, unknown> }[];
  /** As the scene's; may be changed. */
  readonly answers: Record<string, unknown>;
  change(part: Partial<TerminalState>): void;
  emit(name: string, payload: unknown): void;
  goAway(isGone: boolean): void;
}

/** Puts `window.tillside` and `window.fake` into the page. One function, for it runs there as a text. */
export function installFakeBridge(scene: Scene & { readonly locks: FakeLocks; readonly hostKey: string }): void {
  type Card = Record<string, unknown> & {
    productId: string;
    stockId: string;
    name: string;
    code: string | null;
    barcodes: string[];
    balance: Record<string, unknown>;
    coupon: Record<string, unknown>;
  };
  const minute = 60_000;
  const { nowMs } = scene;
  const listeners = new Set<(name: string, payload: unknown) => void>();
  const calls: Fake['calls'] = [];
  const prepared: Fake['answers'] = {
    'couponSet:list': { ok: true, value: { sets: [] } },
    'couponSet:listPlanned': { ok: true, value: { next: [], missed: [], made: [] } },
    ...scene.answers,
  };
  let isGone = false;
  let state: TerminalState = { ...scene.state, revision: 1 };
  const minima = new Map<string, number | null>(Object.entries(scene.minima ?? {}));
  let pin: string | null = scene.pin ?? null;
  let wrongPins = 0;
  let hub: Record<string, unknown> | null = null;
  const { locks } = scene;
  const isLocked = (channel: string, fields: readonly string[]): boolean => {
    const isFree = channel === 'settings:update' && fields.every((field) => locks.free.includes(field));
    const kind = isFree ? 'none' : locks.byChannel[channel];
    return (
      pin !== null &&
      kind !== undefined &&
      kind !== 'none' &&
      !state.lock.openKinds.includes(kind) &&
      (!locks.choosable.includes(kind) || state.lock.kinds.some((one) => one === kind))
    );
  };

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
  const emit = (name: string, payload: unknown): void => listeners.forEach((listener) => listener(name, payload));
  const change = (part: Partial<TerminalState>): void => {
    state = { ...state, ...part, revision: state.revision + 1 };
    emit('terminal:changed', state);
  };
  const ok = (value: unknown) => ({ ok: true, value });
  const no = (failure: unknown) => ({ ok: false, failure });
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
    const { catalogue } = state;
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

  // The inputs that any call may bring; each channel reads its own.
  type Asked = {
    readonly id: number;
    readonly text: string;
    readonly limit: number;
    readonly offset: number;
    readonly productId: string;
    readonly stockId: string;
    readonly email: string;
    readonly password: string;
    readonly query?: StockQuery;
    readonly minima?: InvokeInput<'watchList:set'>['minima'];
    readonly address: string;
    readonly name: string;
    readonly pin?: string | null;
    readonly oldPin?: string;
    readonly opens: TerminalState['lock']['openKinds'][number];
    readonly kinds?: TerminalState['lock']['kinds'];
    readonly opensForMinutes?: number;
    readonly optionIds?: readonly string[];
  } & InvokeInput<'settings:update'>;
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
  const parts = window as unknown as { readonly fakeReadings: FakeAnswers };
  /** What the real handlers answer; see scene-host.ts. What has changed follows the answer, as soon as it does there. */
  const askHost = async (channel: string, input: Asked): Promise<unknown> => {
    const response = await fetch(`/host/${scene.hostKey}/${channel}`, { method: 'POST', body: JSON.stringify(input) });
    const { answer, queue } = (await response.json()) as HostAnswer;
    if (queue !== null) {
      setTimeout(() => {
        change({ queue: { ...state.queue, ...queue } });
        emit('queue:changed', { revision: state.revision });
        emit('coupon:changed', { revision: state.revision });
      }, 30);
    }
    return answer;
  };
  const answer = (channel: string, input: Asked): unknown => {
    switch (channel) {
      case 'terminal:read':
        return ok(state);
      case 'notice:dismiss':
        change({ notices: state.notices.filter((notice) => notice.id !== input.id) });
        return ok({});
      case 'settings:update':
        change(settingsOf(input));
        return ok({});
      case 'hub:read':
        return ok({ hub, readAt: nowMs });
      case 'hub:join':
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
      case 'hub:leave':
        hub = null;
        return ok({});
      case 'hub:remove':
      case 'hub:test':
        return ok({ wrongPart: null, failure: null });
      case 'practice:start':
        change({ phase: 'ready', mode: 'practice', practice: { isNetworkDown: false, hasPanel: true } });
        return ok({});
      case 'session:signIn':
        if (input.password !== 'right') {
          return no({
            kind: 'credentialsRejected',
            status: 401,
            code: 'unauthorized',
            message: 'The user credentials were incorrect.',
          });
        }
        change({
          phase: 'ready',
          session: { state: 'signedIn', email: input.email, keptIn: 'keychain', failure: null },
        });
        return ok({ passed: true, steps: [] });
      case 'session:keep':
        return ok({ outcome: 'kept' });
      case 'session:signOut':
        change({ phase: 'signIn', session: { state: 'signedOut', email: null, keptIn: null, failure: null } });
        return ok({});
      case 'lookup:find': {
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
      }
      case 'lookup:ask':
        return ok({ ...find(input.text), asked: true, ...(state.catalogue.unreadable > 0 && { unreadAnswered: 1 }) });
      case 'lookup:search':
        return ok(
          cards
            .filter((one) => plain(one.name).includes(plain(input.text.trim())))
            .map(hitOf)
            .slice(0, input.limit),
        );
      case 'lookup:listRecent':
        return ok(recent);
      case 'product:read':
      case 'product:refresh': {
        const wanted = cards.find((one) => one.productId === input.productId && one.stockId === input.stockId);
        if (wanted === undefined) return no({ kind: 'notFoundHere' });
        if (channel === 'product:read') return ok(wanted);
        const amount = (wanted.balance.amount as number | null) ?? 17;
        const live = { ...wanted, balance: { amount, asOf: Date.now(), source: 'live' } };
        cards = cards.map((one) => (one === wanted ? live : one));
        return ok(live);
      }
      case 'product:readMany':
        return ok(
          (input as unknown as { places: { productId: string; stockId: string }[] }).places.map(
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
        );
      case 'product:readMovements': {
        const wanted = cards.find((one) => one.productId === input.productId);
        const named = ((wanted?.options ?? []) as { name: string; amount: number }[]).map(
          ({ name, amount }, place) => ({ name, ids: [String(500 + place)], in: amount + 6, out: -6, all: amount }),
        );
        const chosen = named.filter(
          ({ ids }) => input.optionIds?.length === 0 || ids.some((one) => input.optionIds?.includes(one)),
        );
        const sum = (key: 'in' | 'out' | 'all'): number => chosen.reduce((total, one) => total + one[key], 0);
        return ok({
          ...(named.length === 0
            ? { in: 160, out: -12, all: 148 }
            : { in: sum('in'), out: sum('out'), all: sum('all') }),
          options: chosen,
          asOf: nowMs,
        });
      }
      case 'coupon:switch':
        return askHost(channel, input).then((switched) => {
          const { value: coupon } = switched as { readonly value?: Card['coupon'] };
          cards = cards.map((one) =>
            coupon !== undefined && one.productId === input.productId ? { ...one, coupon } : one,
          );
          return switched;
        });
      case 'stock:browse': {
        const query = input.query ?? everyProduct;
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
      }
      case 'watchList:set':
        for (const { stockId, productId, minimum } of input.minima ?? []) {
          minima.set(`${stockId} ${productId}`, minimum);
          const known = cards.find((one) => one.stockId === stockId && one.productId === productId);
          if (known !== undefined) emit('product:changed', Object.assign(known, { minimum }));
        }
        return ok({ kept: input.minima?.length });
      case 'catalogue:readAge':
        return ok({
          stocks: state.catalogue.stocks.map(({ stockId, name, completeAsOf }) => ({
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
        });
      case 'lock:unlock':
      case 'lock:setPin': {
        if (state.lock.hasPin) {
          if (Date.now() < (state.lock.waitUntil ?? 0)) return no({ kind: 'pinWaits', retryAfterMs: 1000 });
          if ((channel === 'lock:unlock' ? input.pin : input.oldPin) !== pin) {
            wrongPins += 1;
            const waitUntil = wrongPins >= 3 ? Date.now() + 5_000 : null;
            change({ lock: { ...state.lock, waitUntil } });
            return no({ kind: 'pinWrong', retryAfterMs: waitUntil === null ? 0 : 5_000 });
          }
        }
        wrongPins = 0;
        if (channel === 'lock:unlock') {
          const openKinds = [...state.lock.openKinds, input.opens];
          change({ lock: { ...state.lock, waitUntil: null, openKinds, openUntil: Date.now() + 120_000 } });
        } else {
          pin = input.pin ?? null;
          change({ lock: { ...state.lock, hasPin: pin !== null, waitUntil: null, openKinds: [], openUntil: null } });
        }
        return ok({});
      }
      case 'lock:lockNow':
        change({ lock: { ...state.lock, openKinds: [], openUntil: null } });
        return ok({});
      case 'lock:choose':
        change({ lock: { ...state.lock, kinds: input.kinds ?? [], opensForMinutes: input.opensForMinutes ?? 2 } });
        return ok({});
      default:
        return /^(?:stocktake|queue|user|coupon):/.test(channel)
          ? askHost(channel, input)
          : (parts.fakeReadings(channel, input) ?? ok({}));
    }
  };

  Object.assign(window, {
    fake: {
      calls,
      answers: prepared,
      change,
      emit,
      goAway: (away: boolean) => {
        isGone = away;
      },
    } satisfies Fake,
    tillside: {
      invoke: async (channel: string, input: Asked) => {
        calls.push({ channel, input: { ...input } });
        if (isGone) throw new Error('gone');
        const delayMs = scene.delaysMs?.[channel] ?? 0;
        await new Promise((resolve) => setTimeout(resolve, delayMs));
        return (
          prepared[channel] ?? (isLocked(channel, Object.keys(input)) ? no({ kind: 'locked' }) : answer(channel, input))
        );
      },
      subscribe: (listener: (name: string, payload: unknown) => void) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
  });
}

/** The functions with which the page of a scene begins, in this order, each called with the scene. */
export const fakeParts = [installFakeReadings, installFakeBridge] as const;
