import type { Provision } from '../../../app/terminal/provisioning/provisioning.ts';
import { goodConditions, createNetwork, type Network, type Platform } from '../../simulation/network.ts';
import { createReferee, type Effect, type Referee } from '../../simulation/referee.ts';
import type { RefereeStock } from '../../simulation/referee-stock.ts';
import { secretMark, type UserAccount } from '../../simulation/referee-tokens.ts';
import { createSeededRandom, type SeededRandom } from '../../support/seeded-random.ts';
import { sampleProfile } from '../../simulation/sample-profile.ts';
import { createTrace, type Trace } from '../../simulation/trace.ts';
import { createWorld, type World } from '../../simulation/virtual-clock.ts';
import { planProducts, type FaultPlan } from './fault-plan.ts';

export const provision = { profile: sampleProfile, clientSecret: `${secretMark}client` } satisfies Provision;
export const user: UserAccount = { email: 'ana@example.com', password: `${secretMark}password` };

/** What a platform of a simulated world is made from. */
export interface PlatformWorld {
  readonly plan: FaultPlan;
  readonly world: World;
  readonly random: SeededRandom;
  readonly trace: Trace;
}

/** A platform that is known so well that its client can be judged. */
export interface JudgedPlatform extends Platform {
  readonly tokens: Platform['tokens'] & { expireAll(): void };
  /** `planProducts` products, all of which can be switched. */
  readonly stock: Pick<RefereeStock, 'productIds'>;
  readonly effects: readonly Pick<Effect, 'key' | 'productId'>[];
  readonly trouble: Referee['trouble'];
  setting(productId: string): boolean;
}

export interface FaultWorld extends PlatformWorld {
  readonly platform: JudgedPlatform;
  readonly network: Network;
  /** False while the machine's own link is down, which its operating system knows. */
  isOnline(): boolean;
  /** Calls back whenever the machine's link has come back. */
  onOnline(callback: () => void): void;
}

/** The referee with this plan's readings of the document. */
function openReferee({ plan, world, random, trace }: PlatformWorld): JudgedPlatform {
  return createReferee(
    {
      nowMs: () => world.nowMs(),
      random: random.fork('referee'),
      trace,
      companyId: provision.profile.companyId,
      stockId: '1',
      clientIds: [provision.profile.clientId],
      clientSecret: provision.clientSecret,
      users: [user],
      products: planProducts,
      refusedProducts: 0,
    },
    plan.rules,
  );
}

/** Sets up the world and everything that the plan holds for platform and network. */
export async function createFaultWorld(
  plan: FaultPlan,
  openPlatform: (parts: PlatformWorld) => JudgedPlatform | Promise<JudgedPlatform> = openReferee,
): Promise<FaultWorld> {
  const world = createWorld();
  const random = createSeededRandom(`fault world ${String(plan.seed)}`);
  const trace = createTrace(() => world.nowMs());
  const platform = await openPlatform({ plan, world, random, trace });
  const network = createNetwork(world, random.fork('network'), trace, platform);
  const onlineListeners: (() => void)[] = [];

  function begin(name: string, conditions: typeof goodConditions, failing: number, othersPerMinute: number): void {
    const wasOutage = network.conditions.isOutage;
    trace.add(`phase ${name}`);
    network.conditions = conditions;
    Object.assign(platform.trouble, { failing, othersPerMinute });
    if (wasOutage && !conditions.isOutage) {
      for (const listener of onlineListeners) {
        listener();
      }
    }
  }

  for (const { startMs, name, conditions, failing, othersPerMinute } of plan.phases) {
    world.after(startMs, () => {
      begin(name, conditions, failing, othersPerMinute);
    });
  }
  world.after(plan.healAtMs, () => {
    begin('healed', goodConditions, 0, 0);
  });
  for (const atMs of plan.expiriesAtMs) {
    world.after(atMs, () => {
      trace.add('all access tokens end');
      platform.tokens.expireAll();
    });
  }

  return {
    plan,
    world,
    random,
    trace,
    platform,
    network,
    isOnline: () => !network.conditions.isOutage,
    onOnline: (callback) => {
      onlineListeners.push(callback);
    },
  };
}
