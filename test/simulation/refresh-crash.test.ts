import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { TerminalState } from '../../app/contract/terminal-state.ts';
import type { Id } from '../../app/domain/int64.ts';
import { succeed } from '../../app/domain/result.ts';
import { createEvidence } from './evidence.ts';
import { createMachine } from './machine.ts';
import { goodConditions, createNetwork, type Exchange } from './network.ts';
import { createReferee } from './referee.ts';
import type { TokenRules } from './referee-tokens.ts';
import { drawRules } from './scenario.ts';
import { isNight, shareOf } from '../support/night.ts';
import { createSeededRandom } from '../support/seeded-random.ts';
import { temporaryRoot } from './temporary-root.ts';
import { createTill } from './till.ts';
import { createTrace } from './trace.ts';
import { sampleProfile as profile } from './sample-profile.ts';
import { createWorld } from './virtual-clock.ts';

const minuteMs = 60_000;
/** Within so many calls of its ports the next thing begins. */
const maxCalls = 150;
const email = 'ana@example.com';
const password = 'made-up password';
const clientSecret = 'made-up secret';

/** From when on the process's calls are counted: the platform has refused the old token, or the renewal has left. */
type Beginning = 'refused' | 'renewing';

interface Outcome {
  /** False when all was done before the process was to die. */
  readonly hasCrashed: boolean;
  /** Whether the renewal had left when the process died. */
  readonly hasRenewed: boolean;
  readonly session: TerminalState['session']['state'];
  readonly phase: TerminalState['phase'];
  /** Of the run after the crash, before anybody did anything. */
  readonly tokenRequests: number;
  /** The change was in the queue, or delivered, when the next run began. */
  readonly isKept: boolean;
  /** How often the platform carried it out in the end. */
  readonly effects: number;
  readonly breakdowns: readonly string[];
}

function isRefusal(outcome: Exchange['outcome']): boolean {
  return outcome?.ok === true && outcome.value.status === 401;
}

async function play(
  refreshToken: TokenRules['refreshToken'],
  beginning: Beginning,
  crashAfterCalls: number,
  fault: 'none' | 'locked' | 'settings full',
): Promise<Outcome> {
  const random = createSeededRandom('a crash in a renewal');
  const world = createWorld();
  const trace = createTrace(() => world.nowMs());
  const evidence = createEvidence();
  const root = mkdtempSync(join(temporaryRoot, 'tillside-renewal-'));
  const rules = drawRules(random.fork('rules'));
  const referee = createReferee(
    {
      nowMs: () => world.nowMs(),
      random: random.fork('referee'),
      trace,
      companyId: profile.companyId,
      stockId: '1',
      clientIds: [profile.clientId],
      clientSecret,
      users: [{ email, password }],
      products: 10,
      refusedProducts: 0,
    },
    {
      ...rules,
      tokens: {
        lifeMs: 2 * 3_600_000,
        statesExpiry: true,
        refreshToken,
        refusal: 'oauth',
        keys: 'ignored',
        sessions: 'many',
      },
      echoes: true,
    },
  );
  // Whether a request outlives the process that sent it is drawn anew at each step.
  const network = createNetwork(world, random.fork(`network ${String(crashAfterCalls)}`), trace, referee);
  const machine = createMachine({
    world,
    random: random.fork('machine'),
    trace,
    network,
    root,
    inspect: () => undefined,
    onCrash: () => {
      till.bury();
    },
    onThrow: (error) => {
      evidence.breakdowns.push({ atMs: world.nowMs(), what: String(error) });
    },
  });
  let isProvisioned = false;
  const till = createTill({
    world,
    machine,
    trace,
    evidence,
    inspect: () => undefined,
    provision: () => {
      const isFirst = !isProvisioned;
      isProvisioned = true;
      return isFirst ? { profile, clientSecret } : null;
    },
  });
  const pass = (durationMs: number, isOver?: () => boolean): Promise<void> =>
    world.runUntil(world.nowMs() + durationMs, isOver);
  const finish = async <Value>(working: Promise<Value>): Promise<Value> => {
    let isDone = false;
    const noted = working.finally(() => {
      isDone = true;
    });
    await pass(5 * minuteMs, () => isDone);
    return noted;
  };
  const open = async (): Promise<TerminalState> => {
    till.open();
    await pass(minuteMs, () => till.isOpen());
    const state = await finish(till.call('terminal:read', {}));
    if (state?.ok !== true) {
      throw new Error('the terminal does not say how it is');
    }
    return state.value;
  };

  await open();
  expect(await finish(till.call('session:signIn', { email, password }))).toMatchObject(succeed({ passed: true }));
  await pass(minuteMs);
  const [productId = ''] = referee.stock.productIds;
  const wanted = !referee.setting(productId);
  const before = referee.effects.length;
  network.conditions = { ...goodConditions, isOutage: true };
  expect(await finish(till.call('coupon:switch', { productId: productId as Id, isEnabled: wanted }))).toMatchObject({
    ok: true,
  });
  await pass(2 * minuteMs);
  referee.tokens.expireAll();
  network.conditions = goodConditions;
  machine.setVault(fault === 'locked' ? 'locked' : 'open');
  machine.setSettingsWritable(fault !== 'settings full');
  const isDelivered = (): boolean => referee.setting(productId) === wanted;
  let [hasBegun, hasRenewed] = [false, false];
  const begin = (): void => {
    if (!hasBegun) {
      hasBegun = true;
      till.killSoon(crashAfterCalls);
    }
  };
  network.watch = ({ isRefresh }, ended) => {
    hasRenewed ||= isRefresh;
    if (beginning === 'renewing' && isRefresh) {
      begin();
    }
    void ended.then(() => {
      if (beginning === 'refused' && network.exchanges.some(({ outcome }) => isRefusal(outcome))) {
        begin();
      }
    });
  };
  await pass(5 * minuteMs, () => !till.isRunning() || isDelivered());
  network.watch = () => undefined;
  const hasCrashed = !till.isRunning();
  if (!hasCrashed) {
    till.kill();
  }

  machine.setVault('open');
  machine.setSettingsWritable(true);
  await open();
  const listed = await finish(till.call('queue:list', { statuses: [], offset: 0, limit: 50 }));
  const isKept = isDelivered() || (listed?.ok === true && listed.value.rows.length > 0);
  await pass(10 * minuteMs);
  const after = await finish(till.call('terminal:read', {}));
  if (after?.ok !== true) {
    throw new Error('the terminal does not say how it is');
  }
  const life = till.life();
  const tokenRequests = network.exchanges.filter(
    (exchange) => exchange.life === life && exchange.path === '/oauth/token',
  ).length;
  let isSignedIn = after.value.session.state === 'signedIn';
  // An answer may be lost at any time; a person tries again.
  for (let tries = 0; tries < 3 && !isSignedIn; tries += 1) {
    const answer = await finish(till.call('session:signIn', { email, password }));
    isSignedIn = answer?.ok === true && answer.value.passed;
  }
  await pass(15 * minuteMs, isDelivered);
  till.kill();
  await world.settle();
  rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  return {
    hasCrashed,
    hasRenewed,
    session: after.value.session.state,
    phase: after.value.phase,
    tokenRequests,
    isKept,
    effects: referee.effects
      .slice(before)
      .filter((effect) => effect.productId === productId && effect.isEnabled === wanted).length,
    breakdowns: evidence.breakdowns.map(({ what }) => what),
  };
}

// Where nothing is special every call of the renewal is tried, else every third. What comes before it writes little: of
// that, every fourth or twelfth. By day it is every fifth or twentieth, where nothing is special.
const trials = [
  { refreshToken: 'rotated', fault: 'none', step: isNight ? 1 : 5 },
  { refreshToken: 'rotated', fault: 'locked', step: 3 },
  { refreshToken: 'repeated', fault: 'none', step: 3 },
  { refreshToken: 'silent', fault: 'none', step: 3 },
  { refreshToken: 'rotated', fault: 'settings full', step: 3 },
] as const;
test.each(shareOf(trials, 1))(
  'refresh tokens $refreshToken, fault beside it: $fault',
  { timeout: 300_000 },
  async ({ refreshToken, fault, step }) => {
    const ends = { signedIn: 0, ended: 0, signedOut: 0 };
    /** How many died of those that died in time, and how the last one went. */
    const playAll = async (beginning: Beginning, every: number, isOver: (outcome: Outcome) => boolean) => {
      let crashes = 0;
      for (let calls = 1; calls <= maxCalls; calls += every) {
        const outcome = await play(refreshToken, beginning, calls, fault);
        const seen = { beginning, calls, ...outcome };
        expect(seen).toMatchObject({ isKept: true, effects: 1, breakdowns: [], phase: 'ready' });
        expect(seen.tokenRequests).toBeLessThanOrEqual(3);
        ends[outcome.session] += 1;
        if (isOver(outcome)) {
          return { crashes, isOver: true };
        }
        crashes += 1;
      }
      return { crashes, isOver: false };
    };
    const before = await playAll('refused', 4 * step, ({ hasRenewed }) => hasRenewed);
    expect(before.isOver).toBe(true);
    expect(before.crashes).toBeGreaterThan(60 / (4 * step));
    const within = await playAll('renewing', step, ({ hasCrashed }) => !hasCrashed);
    // Until the change is delivered.
    expect(within.isOver).toBe(true);
    expect(within.crashes).toBeGreaterThan(45 / step);
    expect(ends.signedIn).toBeGreaterThan(0);
    // Nobody has signed out. Only a platform that ends the old token with the new one, whose answer was lost, can have
    // ended the session.
    expect(ends.signedOut).toBe(0);
    expect(ends.ended > 0).toBe(refreshToken === 'rotated');
  },
);
