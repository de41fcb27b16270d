import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { QueuedUpdate } from '../../../app/contract/queue.ts';
import type { Id } from '../../../app/domain/int64.ts';
import { createCashiers } from '../../simulation/cashier.ts';
import type { Shop } from '../../simulation/cashier-world.ts';
import { createCopyWatch } from '../../simulation/copy-watch.ts';
import { couponsOf, createEvidence } from '../../simulation/evidence.ts';
import { createMachine } from '../../simulation/machine.ts';
import type { Network } from '../../simulation/network.ts';
import type { RefereeStock } from '../../simulation/referee-stock.ts';
import { temporaryRoot } from '../../simulation/temporary-root.ts';
import { createTill, type Till } from '../../simulation/till.ts';
import type { FaultPlan } from './fault-plan.ts';
import { createFaultWorld, provision, user, type JudgedPlatform, type PlatformWorld } from './fault-world.ts';
import { drainBoundMs, drainLookMs } from './peer-run.ts';
import { createPerson } from './person.ts';
import { judgeRun, type Figures } from './verdict.ts';

const rowsAtOnce = 200;

/** The network, with a call just before a request under a key leaves. */
function watchKeys(network: Network, onKey: (key: string) => void): Network {
  return {
    ...network,
    send: (sender, request) => {
      const key = request.headers['Idempotency-Key'];
      if (key !== undefined) {
        onKey(key);
      }
      return network.send(sender, request);
    },
  };
}

async function newestOf(till: Till): Promise<QueuedUpdate | undefined> {
  const listed = await till.call('queue:list', { statuses: [], offset: 0, limit: 1 });
  return listed?.ok === true ? listed.value.rows[0] : undefined;
}

/** Runs this app through a plan and judges it; the platform is the referee unless another is opened. */
export async function runTillside(
  plan: FaultPlan,
  hasCrashes: boolean,
  openPlatform?: (parts: PlatformWorld) => Promise<JudgedPlatform>,
): Promise<Figures> {
  const faultWorld = await createFaultWorld(plan, openPlatform);
  const { world, random, trace, platform, network } = faultWorld;
  const evidence = createEvidence();
  const root = mkdtempSync(join(temporaryRoot, 'tillside-faults-'));
  const intentOfUpdate = new Map<number, number>();
  const updateOfKey = new Map<string, number>();
  const inspect = (): void => undefined;

  const watched = watchKeys(network, (key) => {
    void till.call('queue:list', { statuses: ['inFlight'], offset: 0, limit: rowsAtOnce }).then((listed) => {
      for (const { id, productId } of couponsOf(listed?.ok === true ? listed.value.rows : [])) {
        updateOfKey.set(`${key} ${productId}`, id);
      }
    });
  });
  const machine = createMachine({
    world,
    random: random.fork('machine'),
    trace,
    network: watched,
    root,
    inspect,
    onCrash: () => undefined,
    onThrow: (error) => {
      throw error;
    },
  });
  const till = createTill({ world, machine, trace, evidence, inspect, provision: () => provision });
  const shop: Shop = {
    profile: provision.profile,
    // Nobody scans.
    stock: platform.stock as RefereeStock,
    products: new Map([[user.email, platform.stock.productIds]]),
    shared: [],
    quiet: new Set(),
    userIds: [],
  };
  const cashiers = createCashiers({
    world,
    random: random.fork('cashiers'),
    trace,
    till,
    machine,
    evidence,
    watch: createCopyWatch({ world, till, evidence }),
    users: [user],
    shops: [shop],
    clientIds: [provision.profile.clientId],
    clientSecret: provision.clientSecret,
    badges: new Map(),
    queueLimits: null,
  });

  const person = createPerson(world, plan, async ({ id, product, isEnabled }) => {
    if (!till.isOpen()) {
      return null;
    }
    const productId = platform.stock.productIds[product] as Id;
    const before = await newestOf(till);
    const kept = await till.call('coupon:switch', { productId, isEnabled });
    const after = await newestOf(till);
    if (after !== undefined && after.id !== before?.id) {
      intentOfUpdate.set(after.id, id);
    }
    if (kept === null) {
      return 'unknown';
    }
    // Refused: nobody is signed in just now.
    return kept.ok ? 'accepted' : null;
  });
  for (const { atMs, downMs } of hasCrashes ? plan.kills : []) {
    world.after(atMs, () => {
      if (till.isRunning()) {
        till.kill();
        world.after(downMs, till.open);
      }
    });
  }
  // A person whose switch was refused, because nobody is signed in or nothing runs, tries again.
  const tryAgain = (): void => {
    person.goOn();
    world.after(1000, tryAgain);
  };
  tryAgain();

  try {
    till.open();
    cashiers.insist(user.email, shop.profile.companyId);
    await world.runUntil(plan.healAtMs);
    let left: number | null = null;
    const isDrained = (): boolean => left === 0 && person.isDone();
    while (!isDrained() && world.nowMs() - plan.healAtMs < drainBoundMs) {
      await world.runUntil(world.nowMs() + drainLookMs);
      left = await cashiers.waiting();
    }
    const drainMs = isDrained() ? world.nowMs() - plan.healAtMs : null;
    await world.runUntil(world.nowMs() + 40_000);
    await cashiers.readRows();
    cashiers.rest();
    till.quit();
    await world.runUntil(world.nowMs() + 60_000);
    if (evidence.breakdowns.length > 0) {
      throw new Error(`the app broke down: ${evidence.breakdowns[0]?.what ?? ''}`);
    }
    const intentsOf = (statuses: readonly QueuedUpdate['status'][]): Set<number> =>
      new Set(
        evidence.rows
          .filter(({ status }) => statuses.includes(status))
          .flatMap(({ id }) => intentOfUpdate.get(id) ?? []),
      );
    return judgeRun(faultWorld, {
      statuses: person.statuses,
      givenUp: intentsOf(['parked']),
      intentOf: (key, productId) => intentOfUpdate.get(updateOfKey.get(`${key} ${productId}`) ?? 0),
      settledWithout: intentsOf(['superseded', 'delivered']),
      waiting: intentsOf(['pending', 'inFlight']),
      drainMs,
    });
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
