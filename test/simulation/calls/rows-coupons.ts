import type { QueuedUpdate } from '../../../app/contract/queue.ts';
import { updateStatuses } from '../../../app/contract/queue.ts';
import type { TerminalState } from '../../../app/contract/terminal-state.ts';
import type { Id } from '../../../app/domain/int64.ts';
import type { Intent, RestorationIntent } from '../evidence.ts';
import { type CallRows, type CallWorld, nothing } from './call-row.ts';
import { isReal, known, ownProducts, shopOf, some, somePage, someProduct, whoOf } from './draws.ts';

const filters = ['all', 'enabled', 'disabled', 'waiting', 'refused'] as const;

/** Nothing of the practice store concerns the platform. */
function statusOf(answer: { readonly ok: boolean } | null, state: TerminalState, isSure: boolean): Intent['status'] {
  if (answer === null) {
    return 'unknown';
  }
  if (!answer.ok || !isReal({ state })) {
    return 'refused';
  }
  return isSure ? 'accepted' : 'unknown';
}

/** A switch that was moved; `isSure`: an answer that is good says that it is in the queue. */
function noteSwitches(
  world: CallWorld,
  productIds: readonly Id[],
  isEnabled: boolean,
  isSure: boolean,
): (answer: { readonly ok: boolean } | null, stateThen: TerminalState) => void {
  const { evidence, nowMs, life } = world;
  const intents = productIds.map((productId): Intent => ({
    ...whoOf(world),
    productId,
    isEnabled,
    atMs: nowMs(),
    life: life(),
    status: 'asked',
  }));
  evidence.intents.push(...intents);
  return (answer, state) => {
    for (const intent of intents) {
      Object.assign(intent, { ...whoOf({ state }), status: statusOf(answer, state, isSure) });
    }
  };
}

function noteRetry({ evidence, nowMs }: CallWorld, update: QueuedUpdate): void {
  const { email, companyId } = update;
  evidence.retried.add(update.id);
  if (update.kind === 'coupon') {
    evidence.again.push({ email, companyId, productId: update.productId, isEnabled: update.isEnabled, atMs: nowMs() });
  } else {
    evidence.restoredAgain.push({ email, companyId, userId: update.userId, atMs: nowMs() });
  }
}

function noteDiscard({ evidence }: CallWorld, update: QueuedUpdate): void {
  evidence.discarded.add(update.id);
  if (update.kind === 'coupon') {
    evidence.givenUp.add(update.productId);
  }
}

/** Updates that were seen and stand so, of whoever made them. */
function seen(world: CallWorld, status: QueuedUpdate['status']): readonly QueuedUpdate[] {
  return isReal(world) ? world.memory.updates.filter((update) => update.status === status) : [];
}

/** A few updates that were seen; without any, a number that no update has. */
function someUpdates(world: CallWorld, status: QueuedUpdate['status']): readonly number[] {
  const updates = seen(world, status);
  return updates.length === 0
    ? [987_654]
    : some(
        world,
        updates.map(({ id }) => id),
        3,
      );
}

function updatesOf({ memory }: CallWorld, updateIds: readonly number[]): readonly QueuedUpdate[] {
  return memory.updates.filter(({ id }) => updateIds.includes(id));
}

const isMany = { names: ['some', 'none'], of: (count: number): string => (count === 0 ? 'none' : 'some') };

/** Coupons switched one by one and many at once, their sets, the queue, and users asked back. */
export const couponRows = {
  'coupon:switch': {
    weight: 1,
    draw: (world) => {
      const productIds = ownProducts(world);
      return productIds.length === 0
        ? { productId: '999999999' as Id, isEnabled: true, source: 'program' }
        : {
            productId: world.random.pick(productIds),
            isEnabled: world.random.chance(0.5),
            ...(world.random.chance(0.3) ? { source: 'program' as const } : {}),
          };
    },
    failures: ['queueFull', 'notFoundHere'],
    unseen: { queueFull: 'the queue has 10,000 places' },
    note: (world, { productId, isEnabled, source }) => {
      // A setting that holds already is not asked for again by a program.
      return noteSwitches(world, [productId], isEnabled, source !== 'program');
    },
  },
  'coupon:list': {
    weight: 1,
    draw: (world) => ({
      filter: world.random.pick(filters),
      ...(world.random.chance(0.3) ? { term: 'pro' } : {}),
      ...(world.memory.views.coupons === undefined || world.random.chance(0.5)
        ? {}
        : { view: world.memory.views.coupons }),
      ...somePage(world),
    }),
    note:
      ({ memory }) =>
      (answer) => {
        memory.views.coupons = answer?.ok === true ? answer.value.view : undefined;
      },
  },
  'coupon:listIds': {
    weight: 1,
    draw: (world) => ({ filter: world.random.pick(filters), offset: 0, limit: world.random.pick([1, 10_000]) }),
    failures: ['notCopied'],
  },
  'coupon:countMany': {
    weight: 1.5,
    draw: (world) => {
      const productIds = some(world, ownProducts(world), 12);
      return productIds.length === 0 ? null : { productIds, isEnabled: world.random.chance(0.5) };
    },
    note:
      ({ memory }, input) =>
      (answer) => {
        memory.counted = answer?.ok === true ? { ...input, counted: answer.value } : null;
      },
  },
  'coupon:switchMany': {
    weight: 1.5,
    draw: (world) => {
      const { memory, random } = world;
      const own = new Set<string>(ownProducts(world));
      const { counted } = memory;
      if (counted?.productIds.every((id) => own.has(id)) === true) {
        const { productIds, isEnabled } = counted;
        const ownerId = random.chance(0.1) ? 987_654 : counted.counted.ownerId;
        return { productIds: [...productIds], isEnabled, ownerId, needed: counted.counted.needed };
      }
      const productIds = some(world, [...own], 3) as Id[];
      return productIds.length === 0 ? null : { productIds, isEnabled: true, ownerId: 987_654, needed: 0 };
    },
    failures: ['queueFull', 'signInNeeded'],
    unseen: { queueFull: 'the queue has 10,000 places' },
    note: (world, { productIds, isEnabled }) => {
      const reported = noteSwitches(world, productIds, isEnabled, false);
      return (answer, state) => {
        reported(answer, state);
        if (answer?.ok === true && isReal({ state })) {
          world.memory.switched = answer.value.updateIds;
          for (const productId of productIds) {
            world.evidence.givenUp.add(productId);
          }
        }
      };
    },
  },
  'coupon:undoMany': {
    weight: 1.5,
    draw: ({ memory, random }) => ({
      updateIds: memory.switched.length === 0 ? [987_654] : [...memory.switched],
      isLast: random.chance(0.7),
    }),
    failures: ['notFoundHere'],
    note: ({ evidence }, { updateIds }) => {
      for (const id of updateIds) {
        evidence.discarded.add(id);
      }
      return undefined;
    },
  },
  'coupon:refresh': { weight: 0.3, draw: nothing, asksPlatform: true },
  'couponSet:list': {
    weight: 2,
    draw: nothing,
    note:
      ({ memory }) =>
      (answer, state) => {
        if (!isReal({ state })) {
          return;
        }
        // Those of whoever plans at this till are theirs.
        const own = answer?.ok === true ? answer.value.sets.filter(({ name }) => name.startsWith('pressed')) : [];
        memory.setIds = own.map(({ setId }) => setId);
        memory.planIds = own.flatMap(({ plans }) => plans.map(({ planId }) => planId));
      },
  },
  'couponSet:read': {
    weight: 1,
    draw: (world) => ({ setId: known(world, world.memory.setIds, 987_654) }),
    failures: ['notFoundHere', 'notCopied', 'otherStocks', 'setNotWhole'],
    unseen: {
      otherStocks: 'no profile of a company has others of its stocks',
      setNotWhole: 'no shop has so many products',
    },
  },
  'couponSet:save': {
    weight: 2,
    draw: (world) => {
      const { random, memory } = world;
      const isNew = memory.setIds.length === 0 || random.chance(0.5);
      return {
        setId: isNew ? null : known(world, memory.setIds, 987_654),
        name: `pressed ${String(random.integer(1, 9))}`,
        how: random.chance(0.5)
          ? { kind: 'list', productIds: Array.from({ length: 3 }, () => someProduct(world)) }
          : { kind: 'search', filter: random.pick(filters), term: random.pick(['', 'pro']) },
      };
    },
    failures: ['inputInvalid', 'notFoundHere'],
    unseen: { inputInvalid: 'nobody saves two hundred sets in a shift' },
    note:
      ({ memory }) =>
      (answer, state) => {
        memory.setIds =
          answer?.ok === true && isReal({ state }) ? [...memory.setIds, answer.value.setId] : memory.setIds;
      },
  },
  'couponSet:match': {
    weight: 1,
    draw: (world) => ({
      codes: ['1', ...some(world, shopOf(world).stock.productIds, 4)],
      areIds: world.random.chance(0.5),
    }),
  },
  'couponSet:remove': {
    weight: 0.5,
    draw: (world) => ({ setId: known(world, world.memory.setIds, 987_654) }),
    failures: ['notFoundHere'],
  },
  'couponSet:plan': {
    weight: 3,
    draw: (world) => {
      const { random, memory, wallMs } = world;
      // Far enough that no clock of this world comes there, and on a weekday that is days away, for a weekly plan begins
      // this week: whoever plans for soon is judged elsewhere (planning.ts).
      const days = random.chance(0.1) ? -396 : 7 * random.integer(43, 47) + random.pick([3, 4]);
      return {
        setId: known(world, memory.setIds, 987_654),
        times: {
          repeats: random.pick(['once', 'weekly'] as const),
          day: new Date(wallMs() + days * 86_400_000).toISOString().slice(0, 10),
          on: random.pick(['08:00', '23:59']),
          off: random.pick(['00:00', '12:30', null]),
        },
      };
    },
    failures: ['inputInvalid', 'plansFull', 'notFoundHere'],
    unseen: { plansFull: 'nobody makes a hundred plans in a shift' },
  },
  'couponSet:removePlan': {
    weight: 0.5,
    draw: (world) => ({ planId: known(world, world.memory.planIds, 987_654) }),
    failures: ['notFoundHere'],
  },
  'couponSet:listPlanned': {
    weight: 2.5,
    draw: nothing,
    note:
      ({ memory }) =>
      (answer, state) => {
        const next =
          answer?.ok === true && isReal({ state })
            ? answer.value.next.find(({ setName }) => setName.startsWith('pressed'))
            : undefined;
        memory.moment = next === undefined ? null : { planId: next.planId, day: next.day, isEnabled: next.isEnabled };
      },
  },
  'couponSet:skip': {
    weight: 3,
    draw: ({ memory, random }) => ({
      ...(memory.moment ?? { planId: 987_654, day: '2031-01-06', isEnabled: true }),
      ...(random.chance(0.2) ? { day: '2033-01-06' } : {}),
      isSkipped: random.chance(0.6),
    }),
    failures: ['inputInvalid', 'notFoundHere'],
  },
  'couponSet:leaveMissed': {
    weight: 1.5,
    draw: (world) => ({ planId: known(world, world.memory.planIds, 987_654) }),
    failures: ['notFoundHere'],
  },
  // In practice alone: elsewhere whoever plans at this till is judged by the plans that stand (planning.ts).
  'shopLists:export': {
    weight: 1,
    draw: (world) => (isReal(world) ? null : {}),
    needsShop: true,
    note:
      ({ memory }) =>
      (answer) => {
        memory.lists = answer?.ok === true ? answer.value.text : memory.lists;
      },
  },
  'shopLists:foresee': { weight: 1, draw: ({ memory }) => ({ text: memory.lists ?? '{}' }), needsShop: true },
  'shopLists:take': {
    weight: 1,
    draw: (world) => ({ text: isReal(world) ? '{}' : (world.memory.lists ?? '{}') }),
    needsShop: true,
    failures: ['inputInvalid', 'plansFull'],
    unseen: { plansFull: 'nobody makes a hundred plans in a shift' },
  },
  'queue:list': {
    weight: 2,
    draw: (world) => ({
      statuses: world.random.chance(0.5) ? [] : [world.random.pick(updateStatuses)],
      ...(world.random.chance(0.2) ? { kind: 'restoreUser' as const } : {}),
      ...(world.random.chance(0.2) ? { term: world.random.pick(['pro', 'ana@', '1']) } : {}),
      offset: 0,
      limit: 200,
    }),
    note:
      ({ memory }) =>
      (answer, state) => {
        memory.updates = answer?.ok === true && isReal({ state }) ? answer.value.rows : memory.updates;
      },
  },
  'queue:listIds': { weight: 1, draw: (world) => ({ statuses: [], offset: 0, limit: world.random.pick([1, 10_000]) }) },
  'queue:countMany': {
    weight: 1,
    draw: (world) => ({ updateIds: [...someUpdates(world, world.random.pick(updateStatuses))] }),
  },
  'queue:retry': {
    weight: 0.5,
    draw: (world) => ({ updateId: world.random.pick(someUpdates(world, 'parked')) }),
    failures: ['notFoundHere'],
    note: (world, { updateId }) => {
      updatesOf(world, [updateId]).forEach((update) => noteRetry(world, update));
      return undefined;
    },
  },
  'queue:retryMany': {
    weight: 0.5,
    draw: (world) => ({ updateIds: [...someUpdates(world, 'parked')] }),
    successes: { names: isMany.names, of: ({ retried }) => isMany.of(retried) },
    note: (world, { updateIds }) => {
      updatesOf(world, updateIds).forEach((update) => noteRetry(world, update));
      return undefined;
    },
  },
  'queue:discard': {
    weight: 0.5,
    draw: (world) => ({ updateId: world.random.pick(someUpdates(world, world.random.pick(['parked', 'pending']))) }),
    failures: ['notFoundHere'],
    note: (world, { updateId }) => {
      updatesOf(world, [updateId]).forEach((update) => noteDiscard(world, update));
      return undefined;
    },
  },
  'queue:discardMany': {
    weight: 0.5,
    draw: (world) => ({ updateIds: [...someUpdates(world, world.random.pick(['parked', 'pending']))] }),
    successes: { names: isMany.names, of: ({ updateIds }) => isMany.of(updateIds.length) },
    note: (world, { updateIds }) => {
      updatesOf(world, updateIds).forEach((update) => noteDiscard(world, update));
      return (answer, state) => {
        world.memory.discarded =
          answer?.ok === true && isReal({ state }) ? answer.value.updateIds : world.memory.discarded;
      };
    },
  },
  'queue:bringBack': {
    weight: 0.5,
    draw: ({ memory }) => ({ updateIds: memory.discarded.length === 0 ? [987_654] : [...memory.discarded] }),
    successes: { names: isMany.names, of: ({ broughtBack }) => isMany.of(broughtBack) },
  },
  'queue:readDay': { weight: 1, draw: nothing },
  'queue:history': {
    weight: 1,
    draw: (world) => ({ updateId: world.random.pick(someUpdates(world, world.random.pick(['parked', 'delivered']))) }),
    failures: ['notFoundHere'],
  },
  'queue:export': { weight: 0.5, draw: ({ random }) => ({ after: random.pick([0, 0, 50]) }) },
  'user:restore': {
    weight: 0.3,
    draw: (world) => ({ userId: world.random.pick(shopOf(world).userIds) as Id }),
    failures: ['queueFull'],
    unseen: { queueFull: 'the queue has 10,000 places' },
    note: (world, { userId }) => {
      const { evidence, nowMs, life } = world;
      const intent: RestorationIntent = { ...whoOf(world), userId, atMs: nowMs(), life: life(), status: 'asked' };
      evidence.restorations.push(intent);
      return (answer, state) => {
        Object.assign(intent, { ...whoOf({ state }), status: statusOf(answer, state, true) });
      };
    },
  },
  'user:readRestoration': {
    weight: 1,
    draw: (world) => ({ userId: world.random.pick(shopOf(world).userIds) as Id }),
    successes: { names: ['some', 'none'], of: (update) => (update === null ? 'none' : 'some') },
  },
} satisfies CallRows<'coupon' | 'couponSet' | 'shopLists' | 'queue' | 'user'>;
