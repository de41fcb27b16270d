// Owns the people at the simulated till: two cashiers who take turns, scan, switch coupons faster than is reasonable, sign in
// again when they must, and now and then tidy up what was parked. They see only what the terminal shows them. Never touches
// the network, the machine or the platform.
import type { QueuedUpdate } from '../../app/contract/contract.ts';
import type { Id } from '../../app/domain/int64.ts';
import type { Provision } from '../../app/terminal.ts';
import { couponsOf, type Evidence, type Intent } from './evidence.ts';
import type { Machine } from './machine.ts';
import type { RefereeStock } from './referee-stock.ts';
import type { UserAccount } from './referee-tokens.ts';
import type { SeededRandom } from './seeded-random.ts';
import type { Till } from './till.ts';
import type { Trace } from './trace.ts';
import type { World } from './virtual-clock.ts';

/** What a cashier may do next, and how often compared with the others. */
export type Habits = Readonly<Partial<Record<'scan' | 'switch' | 'churn' | 'burst' | 'tidy' | 'refresh' | 'copy' | 'ask' | 'changeUser', number>>>;

export interface Cashiers {
  /** From now on one of them does something at about this distance. */
  work(habits: Habits, meanGapMs: number): void;
  rest(): void;
  /** Makes sure that this user is signed in, as far as that is possible now. */
  insist(email: string): void;
  /** Reads whether anything of the signed-in user still waits; null when it cannot be seen. */
  waiting(): Promise<number | null>;
  /** Reads all updates, oldest first. */
  readRows(): Promise<void>;
}

export interface CashierWorld {
  readonly world: World;
  readonly random: SeededRandom;
  readonly trace: Trace;
  readonly till: Till;
  readonly machine: Machine;
  readonly evidence: Evidence;
  readonly stock: RefereeStock;
  readonly users: readonly UserAccount[];
  /** The products that each user switches, by e-mail; the first ones most often. */
  readonly products: ReadonlyMap<string, readonly string[]>;
  readonly provision: Provision;
}

const signInGapMs = 6000;
const rowsAtOnce = 200;

export function createCashiers({ world, random, trace, till, machine, evidence, stock, users, products, provision }: CashierWorld): Cashiers {
  let user = random.pick(users);
  let shift = 0;
  let signInNotBeforeMs = 0;
  const stockId = provision.profile.stockIds[0] as Id;

  function someProduct(spread: number): Id {
    const list = products.get(user.email) ?? [];
    return random.pick(list.slice(0, Math.max(1, Math.ceil(list.length * spread)))) as Id;
  }

  async function switchCoupon(productId: Id): Promise<void> {
    // Now and then from the product's own screen, else from memory.
    const card = random.chance(0.25) ? await till.call('product:read', { stockId, productId }) : null;
    const lastOwn = evidence.intents.findLast((intent) => intent.productId === productId && intent.email === user.email && intent.standing !== 'refused');
    const shown = card?.ok === true ? (card.value.coupon.isEnabled ?? lastOwn?.isEnabled ?? false) : (lastOwn?.isEnabled ?? false);
    // Mostly what a switch does; now and then the same again, as two fingers would.
    const isEnabled = random.chance(0.93) ? !shown : shown;
    if (!till.isOpen()) {
      return;
    }
    // The state is read in the same instant in which the switch is moved: that is who moved it.
    const reading = till.call('terminal:read', {});
    const intent: Intent = { email: user.email, productId, isEnabled, atMs: world.nowMs(), life: till.life(), standing: 'asked' };
    evidence.intents.push(intent);
    const switching = till.call('coupon:switch', { productId, isEnabled });
    const [state, answer] = [await reading, await switching];
    intent.email = state?.ok === true ? (state.value.session.email ?? '') : user.email;
    if (answer === null) {
      intent.standing = 'unknown';
      return;
    }
    intent.standing = answer.ok ? 'accepted' : 'refused';
    trace.add(`switch ${productId.slice(-4)} ${isEnabled ? 'on' : 'off'} by ${intent.email}: ${answer.ok ? 'kept' : answer.failure.kind}`);
    if (answer.ok && answer.value.isEnabled !== isEnabled) {
      evidence.untrueAnswers.push({ atMs: world.nowMs(), what: `product ${productId} was switched ${isEnabled ? 'on' : 'off'} and shows ${String(answer.value.isEnabled)}` });
    }
  }

  async function scan(): Promise<void> {
    const productId = random.pick(stock.productIds) as Id;
    const found = await till.call('lookup:find', { text: stock.barcodeOf(productId), source: 'scan' });
    if (found?.ok === true && found.value.kind === 'found') {
      await till.call('product:refresh', { stockId, productId });
    } else if (found?.ok === true && random.chance(0.3)) {
      await till.call('lookup:ask', { text: stock.barcodeOf(productId) });
    }
  }

  async function tidy(): Promise<void> {
    const parked = await till.call('queue:list', { standings: ['parked'], offset: 0, limit: rowsAtOnce });
    if (parked?.ok !== true) {
      return;
    }
    const coupons = couponsOf(parked.value.rows);
    evidence.parkedSeen.push(...coupons.map((update) => ({ atMs: world.nowMs(), update })));
    const update = coupons[random.integer(0, Math.max(0, coupons.length - 1))];
    if (update === undefined || random.chance(0.3)) {
      return;
    }
    if (random.chance(0.4)) {
      trace.add(`discard ${String(update.id)}`);
      await till.call('queue:discard', { updateId: update.id });
      return;
    }
    trace.add(`retry ${String(update.id)}`);
    evidence.again.push({ email: update.email, productId: update.productId, isEnabled: update.isEnabled, atMs: world.nowMs() });
    await till.call('queue:retry', { updateId: update.id });
  }

  /** What somebody does first who finds the till in this state. Answers whether the work may begin. */
  async function makeReady(): Promise<boolean> {
    const state = await till.call('terminal:read', {});
    if (state?.ok !== true) {
      return false;
    }
    const { phase, session } = state.value;
    const isMine = session.state === 'signedIn' && session.email === user.email;
    if (phase !== 'firstRun' && isMine) {
      return true;
    }
    if (world.nowMs() < signInNotBeforeMs) {
      return session.state !== 'signedOut' && session.email === user.email;
    }
    signInNotBeforeMs = world.nowMs() + signInGapMs + random.waitMs(signInGapMs);
    if (phase === 'firstRun') {
      trace.add('connect');
      await till.call('profile:connect', { ...provision.profile, clientSecret: provision.clientSecret });
      return false;
    }
    if (session.state !== 'signedOut' && session.email !== user.email) {
      trace.add('sign out');
      await till.call('session:signOut', {});
    }
    trace.add(`sign in ${user.email}`);
    await till.call('session:signIn', { email: user.email, password: user.password });
    return false;
  }

  async function doOne(habits: Habits): Promise<void> {
    if (!(await makeReady())) {
      return;
    }
    switch (random.pickWeighted(habits)) {
      case 'scan':
        return scan();
      case 'switch':
        return switchCoupon(someProduct(random.pick([0.1, 0.5, 1])));
      case 'churn':
        return switchCoupon(someProduct(0.02));
      case 'burst':
        for (let left = random.integer(5, 40); left > 0; left -= 1) {
          await switchCoupon(someProduct(1));
        }
        return undefined;
      case 'tidy':
        return tidy();
      case 'refresh':
        await till.call('coupon:refresh', {});
        return undefined;
      case 'copy':
        await till.call('catalogue:copy', {});
        return undefined;
      case 'ask':
        await till.call('lookup:ask', { text: stock.barcodeOf(random.pick(stock.productIds)) });
        return undefined;
      case 'changeUser':
        user = random.pick(users);
        signInNotBeforeMs = 0;
        return undefined;
    }
  }

  function rest(): void {
    shift += 1;
  }

  function work(habits: Habits, meanGapMs: number): void {
    rest();
    const mine = shift;
    const next = (): void => {
      world.after(random.waitMs(meanGapMs), () => {
        if (mine !== shift) {
          return;
        }
        if (till.isOpen() && world.nowMs() >= machine.awakeAtMs()) {
          void doOne(habits);
        }
        next();
      });
    };
    next();
  }

  return {
    work,
    rest,
    insist: (email) => {
      user = users.find((other) => other.email === email) ?? user;
      rest();
      const mine = shift;
      const next = (): void => {
        world.after(1000, () => {
          if (mine === shift) {
            void makeReady();
            next();
          }
        });
      };
      signInNotBeforeMs = 0;
      next();
    },
    waiting: async () => {
      const state = await till.call('terminal:read', {});
      const isMine = state?.ok === true && state.value.session.state === 'signedIn' && state.value.session.email === user.email;
      return isMine ? state.value.queue.pending + state.value.queue.inFlight : null;
    },
    readRows: async () => {
      const rows: QueuedUpdate[] = [];
      for (let offset = 0; ; offset += rowsAtOnce) {
        const part = await till.call('queue:list', { standings: [], offset, limit: rowsAtOnce });
        if (part?.ok !== true) {
          break;
        }
        rows.push(...part.value.rows);
        if (part.value.rows.length < rowsAtOnce) {
          break;
        }
      }
      evidence.rows = couponsOf(rows).toReversed();
    },
  };
}
