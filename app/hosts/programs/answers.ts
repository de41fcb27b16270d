// The answers to programs. These shapes are a promise to programs that nobody here knows: fields are added, never
// changed. The descriptions stand in the OpenAPI document.
import { z } from 'zod';
import type { Handlers } from '../../contract/bridge.ts';
import { connectionStates } from '../../contract/connection.ts';
import { isCopied } from '../../contract/copied.ts';
import type { Channel, InvokeOutput } from '../../contract/contract.ts';
import type { LookupAnswer } from '../../contract/lookup.ts';
import { shopShownBy } from '../../contract/shown-for.ts';
import type { ProductCard, ProductHit } from '../../contract/products.ts';
import type { TerminalState } from '../../contract/terminal-state.ts';
import { toDecideOf } from '../../contract/waiting.ts';
import { ageSecondsOf } from '../../domain/date-time.ts';
import type { Failure } from '../../domain/failure.ts';
import { fail, mapResult, succeed, type Result } from '../../domain/result.ts';
import type { Shell } from '../../ports.ts';
import { dispatch } from '../dispatch.ts';

const count = z.number().int().nonnegative();
const moment = z.iso.datetime().nullable();
const modeSchema = z
  .enum(['platform', 'practice'])
  .nullable()
  .describe('`practice`: nothing there is real. Null while nothing is set up.');

const shopSchema = z
  .string()
  .nullable()
  .describe('Which shop is open: the same text for the same one. To be compared alone; null while nothing is set up.');

const namedSchema = z.object({ name: z.string(), value: z.string() });
const productSchema = z.object({
  productId: z.string(),
  stockId: z.string(),
  stockName: z.string().nullable(),
  name: z.string(),
  code: z.string().nullable(),
  unit: z.string().nullable(),
  balance: z.number().nullable().describe('Null where the platform has told none.'),
  balanceAsOf: moment.describe('When the platform told it.'),
  barcodes: z.array(z.string()),
  fields: z.array(namedSchema).describe("Further fields of the platform's listing."),
  coupon: z.boolean().nullable().describe('Whether the coupon is on; null where it was never set.'),
});

export const lookupSchema = z.object({
  code: z.string(),
  isFound: z.boolean(),
  answer: z
    .enum(['found', 'several', 'unknown', 'notCopied', 'unreadable'])
    .describe('`several`: the code fits several products, of which a person chooses one.'),
  mode: modeSchema,
  shop: shopSchema,
  products: z.array(productSchema).describe('The same product once for each stock.'),
  unreadable: count.describe(
    'Of `unknown`: so many products the platform listed and this terminal could not read, and this may be one of them.',
  ),
  isWhole: z
    .boolean()
    .nullable()
    .default(null)
    .describe(
      'False while the first copy is being made: a product that is still to come may have this code, too. Null where it is not told.',
    ),
  refusedStocks: count
    .nullable()
    .default(null)
    .describe(
      "So many of the shop's stocks the platform refuses: a product of theirs may have this code, too. Null where it is not told.",
    ),
});
export type ProgramLookup = z.infer<typeof lookupSchema>;

const connectionStateAnswer = z
  .enum(connectionStates)
  .describe(
    'What the screen says. `noAnswer`: the platform is silent or has a fault; `signIn`: a person must sign in; `checking`: for a few seconds after a start; `resting`: nothing is asked.',
  );

/** The same for programs that know three states alone. */
const connectionOfThree = {
  online: 'online',
  noAnswer: 'offline',
  offline: 'offline',
  signIn: 'unknown',
  checking: 'unknown',
  resting: 'unknown',
} as const satisfies Record<TerminalState['connection']['state'], string>;

export const queueSchema = z.object({
  mode: modeSchema,
  waiting: count.describe('Changes to be sent.'),
  sending: count,
  toDecide: count.describe('Changes that a person must decide about, whoever made them.'),
  delivered: count,
  ofOthers: count.describe('Changes that wait until another user signs in, or a profile of another company is opened.'),
  heldBy: z
    .enum(['offline', 'signIn', 'otherUser', 'rateLimit', 'retry', 'safeMode'])
    .nullable()
    .describe('Why what waits is not leaving just now; `offline`: the platform cannot be reached, or does not answer.'),
  nextTryAt: moment.describe('When the next sending is tried; null when none is planned.'),
  connectionState: connectionStateAnswer,
});
export type ProgramQueue = z.infer<typeof queueSchema>;

export const statusSchema = z.object({
  version: z.string(),
  mode: modeSchema,
  shop: shopSchema,
  isSignedIn: z.boolean(),
  connection: z
    .enum(['online', 'offline', 'unknown'])
    .describe('`connectionState` says more. `unknown`: nothing is known just now.'),
  connectionState: connectionStateAnswer,
  stocks: z.array(
    z.object({
      stockId: z.string(),
      stockName: z.string().nullable(),
      products: count.describe('So many can be looked up.'),
      unreadable: count.describe('So many the platform listed, and this terminal could not read.'),
      completeAsOf: moment.describe("When this terminal's copy was last complete and up to date."),
      ageSeconds: count.nullable().describe('How long ago that was; null also where the clock was set back since.'),
    }),
  ),
});

export const couponChoiceSchema = z.strictObject({
  isOn: z.boolean(),
  shop: z
    .string()
    .max(2200)
    .optional()
    .describe('The `shop` of the answer that named the product: where another is open by now, nothing is switched.'),
});
export const couponSchema = z.object({
  productId: z.string(),
  isOn: z.boolean().nullable().describe('With what waits applied; null where nobody knows.'),
  standing: z
    .enum(['confirmed', 'waiting', 'sending', 'parked', 'unknown'])
    .describe('`confirmed`: the platform has it so; `parked`: refused, a person must decide.'),
});

const momentOf = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

/** A line of several has no more than its figure. */
function productOf(hit: ProductHit | ProductCard): z.infer<typeof productSchema> {
  const { productId, stockId, stockName, name, code, unit, balance } = hit;
  const card = 'barcodes' in hit ? hit : null;
  return {
    productId,
    stockId,
    stockName,
    name,
    code,
    unit,
    balance: balance.amount,
    balanceAsOf: momentOf(balance.asOf),
    barcodes: card?.barcodes ?? [],
    fields: card?.extra ?? [],
    coupon: card?.coupon.isEnabled ?? null,
  };
}

function productsOf(answer: LookupAnswer): readonly (ProductHit | ProductCard)[] {
  if (answer.kind === 'found') {
    return answer.cards;
  }
  return answer.kind === 'several' ? answer.hits : [];
}

/** The shop that is open; null where the state does not tell. */
const placeOf = (state: TerminalState | null): Pick<ProgramLookup, 'mode' | 'shop'> => ({
  mode: state?.mode ?? null,
  shop: state === null || state.mode === null ? null : shopShownBy(state),
});

/** An answer to a code, as programs are told it; `state` is that of the shop that has answered, null where it is not told. */
export function lookupOf(answer: LookupAnswer, state: TerminalState | null): ProgramLookup {
  const products = productsOf(answer).map(productOf);
  const unreadable = answer.kind === 'unknown' ? (answer.unreadListed ?? 0) : 0;
  return {
    code: answer.text,
    isFound: products.length > 0,
    answer: answer.kind,
    ...placeOf(state),
    products,
    unreadable,
    isWhole: state === null ? null : isCopied(state.catalogue.stocks),
    refusedStocks: state === null ? null : state.catalogue.stocks.filter(({ refused }) => refused !== null).length,
  };
}

/** The queue, as programs are told it: figures, no names. */
export function queueOf({ mode, queue, connection }: TerminalState): ProgramQueue {
  return {
    mode,
    waiting: queue.pending + queue.ofKept.count,
    sending: queue.inFlight,
    toDecide: toDecideOf(queue),
    delivered: queue.delivered,
    ofOthers: queue.ofOthers.count + queue.elsewhere.reduce((sum, one) => sum + one.count, 0),
    heldBy: queue.heldBy === 'noAnswer' ? 'offline' : queue.heldBy,
    nextTryAt: momentOf(queue.nextTryAt),
    connectionState: connection.state,
  };
}

function statusOf(state: TerminalState, now: number): z.infer<typeof statusSchema> {
  const { version, phase, connection, catalogue } = state;
  return {
    version,
    ...placeOf(state),
    isSignedIn: phase === 'ready',
    connection: connectionOfThree[connection.state],
    connectionState: connection.state,
    stocks: catalogue.stocks.map(({ stockId, name, copied, unreadable, completeAsOf }) => ({
      stockId,
      stockName: name,
      products: copied,
      unreadable,
      completeAsOf: momentOf(completeAsOf),
      ageSeconds: ageSecondsOf(completeAsOf, now),
    })),
  };
}

/** The calls that programs can make to a terminal. */
export type ProgramCalls = ReturnType<typeof createProgramCalls>;

/** Asks the terminal through the guard that screens are behind. */
export function createProgramCalls(handlers: Handlers, log: Shell['log']) {
  async function call<Name extends Channel>(
    channel: Name,
    input: unknown,
    shop?: string,
  ): Promise<Result<InvokeOutput<Name>, Failure>> {
    const answered = await dispatch(handlers, channel, input, log, shop);
    // The answer of `dispatch` has been parsed by this schema.
    return answered as Result<InvokeOutput<Name>, Failure>;
  }
  async function readState(): Promise<Result<TerminalState, Failure>> {
    const state = await call('terminal:read', {});
    // A check station's page is shown a state with nothing in it, which is no figure to be told.
    return state.ok && state.value.station.isOn ? fail({ kind: 'locked' }) : state;
  }

  return {
    /** Fails as `lookup:find` does. */
    lookUp: async (code: string): Promise<Result<ProgramLookup, Failure>> => {
      const read = await readState();
      const state = read.ok ? read.value : null;
      // Answered by the shop that the answer names, or by none.
      const shop = placeOf(state).shop ?? undefined;
      const found = await call('lookup:find', { text: code, source: 'program' }, shop);
      return mapResult(found, (answer) => lookupOf(answer, state));
    },
    /** Fails with `notReady` while nothing is set up. */
    queue: async (): Promise<Result<ProgramQueue, Failure>> => {
      const state = await readState();
      if (!state.ok) {
        return state;
      }
      return state.value.mode === null ? fail({ kind: 'notReady' }) : succeed(queueOf(state.value));
    },
    status: async (now: number): Promise<Result<z.infer<typeof statusSchema>, Failure>> =>
      mapResult(await readState(), (state) => statusOf(state, now)),
    /** The shop that is open, as answers name it. */
    shop: async (): Promise<string | null> => {
      const state = await readState();
      return state.ok ? placeOf(state.value).shop : null;
    },
    /** Fails as `coupon:switch` does for a program, and with `notReady` where `shop` is no longer open. */
    switchCoupon: async (
      productId: string,
      isOn: boolean,
      shop: string | undefined,
    ): Promise<Result<z.infer<typeof couponSchema>, Failure>> => {
      const switched = await call('coupon:switch', { productId, isEnabled: isOn, source: 'program' }, shop);
      return mapResult(switched, ({ isEnabled, status }) => ({ productId, isOn: isEnabled, standing: status }));
    },
  };
}
