import type { HubReading, HubState } from '../../app/contract/hub.ts';
import type { RateLimitReading } from '../../app/contract/rate-limit.ts';
import type { ProductCard, ProductHit } from '../../app/contract/products.ts';
import type { TerminalState } from '../../app/contract/terminal-state.ts';
import { parseId, type Id } from '../../app/domain/int64.ts';
import type { Scene } from './fake-bridge.ts';
import { trialOf, trialSteps } from './fixtures.ts';
import { readyState } from './ready-state.ts';
import { maybeRestored, settledUpdates, waitingUpdates } from './scene-updates.ts';

/** The moment at which every scene is looked at. */
export const sceneNowMs = Date.parse('2026-03-10T15:00:00-03:00');
export const coffee = '7890000000101';
export const shirt = '7890000000103';
export const minuteMs = 60_000;
export const dayMs = 86_400_000;
export const id = (text: string): Id => parseId(text) as Id;

const nowMs = sceneNowMs;

export const card = (more: Partial<ProductCard> = {}): ProductCard => ({
  stockId: id('11'),
  stockName: 'Loja',
  productId: id('101'),
  code: 'A-101',
  name: 'Café torrado e moído Serra Clara 500 g',
  unit: 'PACOTE',
  barcodes: [coffee],
  balance: { amount: 148, asOf: nowMs - 23 * minuteMs, source: 'listing' },
  options: [],
  extra: [],
  coupon: { isEnabled: true, status: 'confirmed', failure: null },
  minimum: null,
  ...more,
});

export const stockNames = [
  'Loja',
  'Depósito',
  'Loja do Centro',
  'Loja da Rodoviária',
  'Quiosque',
  'Centro de distribuição regional do Sul',
  'Trocas e devoluções',
  'Vitrine',
];
export const manyCards = stockNames.map((stockName, place) =>
  card({
    stockId: id(String(11 + place)),
    stockName,
    balance: {
      amount: [148, 1320, 0, -4, 12.5, 98_765, null, 3][place] ?? null,
      asOf: place === 6 ? null : nowMs - (place + 1) * 37 * minuteMs,
      source: place === 6 ? null : 'listing',
    },
  }),
);
const colours = ['azul-marinho', 'verde', 'vermelho', 'branco', 'preto', 'estampado florido'];
export const manyOptions = ['PP', 'P', 'M', 'G', 'GG', 'XGG'].flatMap((size, row) =>
  colours.map((colour, column) => ({
    name: `${size} ${colour}`,
    amount: (row * 7 + column * 5) % 11 === 0 ? 0 : ((row * 17 + column * 13) % 40) - 3,
  })),
);

const oneStock: ProductHit[] = Array.from({ length: 14 }, (_, place) => ({
  stockId: id(place % 3 === 2 ? '12' : '11'),
  stockName: place % 3 === 2 ? 'Depósito' : 'Loja',
  productId: id(String(900 + place)),
  code: `P-${900 + place}`,
  name:
    [
      'Pão de queijo congelado tradicional 1 kg',
      'Pão francês',
      'Pão de forma integral com sementes de girassol e linhaça, fatias grossas, 500 g',
    ][place % 3] ?? '',
  unit: 'PACOTE',
  balance: { amount: place * 9 - 9, asOf: nowMs - place * 50 * minuteMs - minuteMs, source: 'listing' },
}));

/** Every third product lies in the other stock too. */
export const hits: ProductHit[] = oneStock.flatMap((hit, place) =>
  place % 3 === 1
    ? [
        hit,
        {
          ...hit,
          stockId: id('12'),
          stockName: 'Depósito',
          balance: { amount: 1200 + place, asOf: nowMs - dayMs, source: 'listing' },
        },
      ]
    : [hit],
);

const tillsOfShop = ['Caixa 2', 'Caixa 1', 'Caixa 3', 'Balcão da padaria'];
/** A terminal that takes part in its shop's hub. */
export const joinedHub = (state: Partial<HubState> = {}): HubReading => ({
  hub: {
    terminalName: 'Caixa 2',
    host: '192.168.0.10',
    port: 5432,
    database: 'tillside',
    isPractice: false,
    fingerprint: 'ab'.repeat(32),
    state: {
      mode: 'shared',
      failure: null,
      since: nowMs - 3 * 60 * minuteMs,
      limit: 45,
      later: null,
      kept: 15,
      tills: tillsOfShop.map((name, place) => ({
        id: `till-${place}`,
        name,
        appVersion: '1.0.0',
        isSelf: place === 0,
        state: place === 3 ? 'silent' : 'here',
        slots: [4, 21, 0, 7][place] ?? 0,
        share: 15,
        countsBy: 'platform',
        hasOwnLimit: false,
        isReader: place === 1,
        history: Array.from({ length: 60 }, (_, piece) =>
          Math.round(([3, 24, 0, 6][place] ?? 0) * (0.5 + ((piece * (place + 3)) % 7) / 7)),
        ),
      })),
      ...state,
    },
  },
  readAt: nowMs,
});

/** The practice store's hub, which two tills of one machine share. */
export const practiceHub = (): HubReading => {
  const reading = joinedHub();
  const { hub } = reading;
  return {
    ...reading,
    hub: hub && {
      ...hub,
      isPractice: true,
      fingerprint: null,
      state: hub.state && { ...hub.state, limit: 60, kept: 0, tills: hub.state.tills.slice(0, 2) },
    },
  };
};

const lane = { session: 0, person: 0, queue: 0, catalogue: 0 };
export const rateLimit: RateLimitReading = {
  limits: { limit: 60, windowSeconds: 60, reserve: 3 },
  limit: 45,
  used: { session: 1, person: 2, queue: 4, catalogue: 30 },
  waiting: [
    { lane: 'person', purpose: 'balance', subject: 'Café torrado e moído Serra Clara 500 g', since: nowMs - 2_000 },
    { lane: 'queue', purpose: 'updates', subject: '100', since: nowMs - 9_000 },
    { lane: 'catalogue', purpose: 'listing', subject: '412', since: nowMs - 65_000 },
  ],
  waitingCount: 12,
  pausedUntil: nowMs + 9_000,
  history: Array.from({ length: 60 }, (_, place) => ({
    used: { ...lane, catalogue: (place * 7) % 38, person: place % 5, queue: place > 40 ? 6 : 0 },
    limit: place < 30 ? 60 : 45,
    refusals: place === 30 ? 2 : 0,
  })),
  pieceSeconds: 10,
  readAt: nowMs,
};

/** A trial of the connection that fails at this step. */
export const reportOf = (failed: 'client' | 'user'): unknown =>
  trialOf((step, place) => ({
    outcome: (['skipped', 'failed', 'passed'] as const)[1 + Math.sign(trialSteps.indexOf(failed) - place)] ?? 'failed',
    detail: step === 'stock' ? '11' : null,
    failure:
      step === failed
        ? { kind: 'credentialsRejected', status: 401, code: 'invalid_client', message: 'Client authentication failed' }
        : null,
  }));

export const practice: Partial<TerminalState> = {
  mode: 'practice',
  practice: { isNetworkDown: false, hasPanel: true },
  profileId: null,
};

export const profileOf = (
  profileId: number,
  name: string | null,
  email: string | null,
  waiting: number,
): TerminalState['profiles'][number] => ({
  profileId,
  name,
  platformUrl: 'https://shop.example.com',
  clientId: 'counter-7',
  companyId: id(String(4820 + profileId)),
  stockIds: [id('11'), id('12')],
  email,
  waiting,
});
export const twoProfiles = [profileOf(1, 'Loja do Centro', 'ana@example.com', 0), profileOf(2, null, null, 3)];

const { catalogue: copied } = readyState(nowMs);
/** The catalogue while it is copied for the first time. */
export const copying: TerminalState['catalogue'] = {
  ...copied,
  phase: 'copying',
  copied: 1200,
  total: 5000,
  completeAt: nowMs + 14 * minuteMs,
  stocks: [
    { stockId: id('11'), name: 'Loja', copied: 1200, unreadable: 0, total: 4000, completeAsOf: null, refused: null },
    { stockId: id('12'), name: 'Depósito', copied: 0, unreadable: 0, total: null, completeAsOf: null, refused: null },
  ],
  plan: { ...copied.plan, doing: { kind: 'listing', stockId: id('11'), stockName: 'Loja', read: 1200, of: 4000 } },
};

/** The shop's file at its address, where the newest one was refused. */
export const refusedShopFile: NonNullable<Scene['shopFile']> = {
  url: 'https://shop.example.com/tillside/centro.json',
  shop: 'Centro',
  readAt: nowMs - 26 * 60 * minuteMs,
  signedAt: nowMs - 9 * dayMs,
  isWaiting: true,
  lastReading: 'notSigned',
};

/** The main process's report on a provisioning file with mistakes. */
export const wrongFile = {
  answers: {
    'provisioning:open': {
      ok: true,
      value: {
        problems: ['platformUrl: deve ser um endereço como https://platform.example.com', 'clientId: está faltando'],
      },
    },
  },
};

export const queueBusy: TerminalState['queue'] = {
  ...readyState(sceneNowMs).queue,
  pending: 1,
  inFlight: 1,
  parked: 4,
  delivered: 1,
};

/** An old one, what is settled, a user who may be back already, and what waits. */
export const manyUpdates: NonNullable<Scene['updates']> = [
  { userId: '704', events: ['old'], ageMs: 4 * dayMs },
  ...settledUpdates,
  { userId: '703', events: maybeRestored },
  ...waitingUpdates,
];
