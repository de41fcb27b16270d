//   lost          It never took effect, nor did any later switch of the same product; nothing waits, and nothing was
//   reported. One that the
//                 policy itself settled without an effect, because a later switch undid it first, is not lost when the
//                 product is in the end as the person asked.
//   given up      The policy reported to the person that it failed. Whatever became of it, the person knows to look.
//   doubled       A further effect of a switch that had taken effect before.
//   out of order  An effect of a switch that came after the effect of a later switch of the same product.
//   wrong         A product whose setting at the end is not the last thing accepted for it, though nothing was reported
//   and nothing waits. stuck         It still waits when the bound after the healing of the world has passed.
import type { FaultPlan } from './fault-plan.ts';
import type { FaultWorld } from './fault-world.ts';

/** The outcome of a planned switch at the terminal. `unknown`: the process died before it could say. */
export type IntentStatus = 'waitsForTheProcess' | 'accepted' | 'unknown';

interface RunRecord {
  /** By intent. */
  readonly statuses: Map<number, IntentStatus>;
  /** Intents that were reported to the person as failed. */
  readonly givenUp: Set<number>;
  /** The intent that a product's change under a key belongs to, by key and product. */
  readonly intentOf: (key: string, productId: string) => number | undefined;
  /** Intents that the policy's own record has as overtaken, or as found to hold already. */
  readonly settledWithout: ReadonlySet<number>;
  /** Intents that still wait at the end. */
  readonly waiting: ReadonlySet<number>;
  /** Null when it did not drain within the bound. */
  readonly drainMs: number | null;
}

export interface Figures {
  readonly accepted: number;
  readonly lost: number;
  readonly givenUp: number;
  readonly doubled: number;
  readonly outOfOrder: number;
  readonly wrong: number;
  readonly stuck: number;
  readonly requests: number;
  readonly tooMany: number;
  readonly drainMs: number | null;
  readonly traceHash: string;
}

/** Paths that belong to the sending of switches; reading the catalogue is not counted. */
function isOfQueue(path: string): boolean {
  return path === '/oauth/token' || path === '/api/v3/products/consumption-coupons';
}

/** Judges a run. Throws when an effect belongs to no intent, which is a fault of the benchmark. */
export function judgeRun({ plan, platform, network, trace }: FaultWorld, record: RunRecord): Figures {
  const { statuses, givenUp, settledWithout, waiting } = record;
  const productIdOf = (product: number): string => platform.stock.productIds[product] ?? '';
  const effects = platform.effects.map((effect) => {
    const intent = record.intentOf(effect.key ?? '', effect.productId);
    if (intent === undefined) {
      throw new Error(`the effect on ${effect.productId} under key ${effect.key ?? ''} belongs to no intent`);
    }
    return { productId: effect.productId, intent };
  });
  const figures = { lost: 0, doubled: 0, outOfOrder: 0, wrong: 0 };
  for (const [product, planned] of Map.groupBy(plan.intents, (intent) => intent.product)) {
    const productId = productIdOf(product);
    const effective = effects.filter((effect) => effect.productId === productId).map(({ intent }) => intent);
    const latest = Math.max(0, ...effective);
    const accepted = planned.filter(({ id }) => statuses.get(id) === 'accepted');
    const isAsAsked = accepted.at(-1)?.isEnabled === platform.setting(productId);
    figures.lost += accepted.filter(
      ({ id }) => id > latest && !givenUp.has(id) && !waiting.has(id) && !(isAsAsked && settledWithout.has(id)),
    ).length;
    figures.doubled += effective.length - new Set(effective).size;
    figures.outOfOrder += effective.filter((intent, place) =>
      effective.slice(0, place).some((earlier) => earlier > intent),
    ).length;
    const [last, lastKnown] = [accepted.at(-1), planned.findLast(({ id }) => statuses.get(id) === 'unknown')];
    const isOpen =
      last === undefined ||
      givenUp.has(last.id) ||
      waiting.has(last.id) ||
      (lastKnown !== undefined && lastKnown.id > last.id);
    figures.wrong += !isOpen && platform.setting(productId) !== last.isEnabled ? 1 : 0;
  }
  const sent = network.exchanges.filter(({ path }) => isOfQueue(path));
  return {
    ...figures,
    accepted: numberOf(plan, statuses, 'accepted'),
    givenUp: givenUp.size,
    stuck: waiting.size,
    requests: sent.length,
    tooMany: sent.filter(({ outcome }) => outcome?.ok === true && outcome.value.status === 429).length,
    drainMs: record.drainMs,
    traceHash: trace.hash(),
  };
}

function numberOf(plan: FaultPlan, statuses: ReadonlyMap<number, IntentStatus>, status: IntentStatus): number {
  return plan.intents.filter(({ id }) => statuses.get(id) === status).length;
}
