// The queue of scenes: the real one over a queue.db of each scene. A scene says what a person asked for and what came of
// each attempt; how its updates stand by then is the repository's word. Nothing is sent: the engine is started calm.
import type { Handlers } from '../../app/contract/bridge.ts';
import { openCouponRepository } from '../../app/coupons/repository.ts';
import type { Failure } from '../../app/domain/failure.ts';
import type { Id } from '../../app/domain/int64.ts';
import { fail, succeed } from '../../app/domain/result.ts';
import { createNodeRandom } from '../../app/hosts/node/node-ports.ts';
import { createConnection } from '../../app/platform/connection.ts';
import type { Clock } from '../../app/ports.ts';
import { createQueueHandlers } from '../../app/queue/calls.ts';
import { dispositionOf, type Outcome } from '../../app/queue/disposition.ts';
import { startQueue } from '../../app/queue/queue.ts';
import { openQueueRepository, type QueueRepository } from '../../app/queue/repository.ts';
import type { Owner } from '../../app/queue/rows.ts';
import { createQueueTable } from '../../app/queue/table.ts';
import { openRateLimit } from '../../app/rate-limit/rate-limit.ts';
import { documentedRules } from '../../app/rate-limit/rules.ts';
import { openSendLog } from '../../app/rate-limit/send-log.ts';
import { countChanges } from '../../app/storage/change-counter.ts';
import { openQueueDatabase } from '../support/queue-database.ts';
import type { HostAnswer, Scene } from './fake-bridge.ts';
import { usualUpdates, type UpdateEvent } from './scene-updates.ts';

/** What answers the calls of some channels. */
export interface ScenePart {
  readonly handlers: Partial<Handlers>;
  /** How many updates there are of each status, if any has changed since this was asked last. */
  changes?(): HostAnswer['queue'];
  close(): Promise<void>;
}

const minuteMs = 60_000;
const betweenUpdatesMs = 11 * minuteMs;
const betweenEventsMs = 20_000;

function outcomeOf(event: 'done' | 'doneBefore' | 'silence' | Failure): Outcome {
  if (event === 'silence') {
    return { kind: 'noAnswer', failure: { kind: 'timedOut' } };
  }
  const failure: Failure = typeof event === 'object' ? event : { kind: 'refused', status: 204 };
  const isReplayed = event === 'doneBefore';
  return { kind: 'answer', status: failure.status ?? 400, echo: 'ours', isPage: false, isReplayed, failure };
}

/** Plays what becomes of updates. What `leaves` is under way where `areAttemptsOpen`, else it had no answer. */
function createStory(repository: QueueRepository, areAttemptsOpen: boolean) {
  let keys = 0;

  /** The platform has what was asked for, or the opposite. */
  function read(updateId: number, now: number, isAsWanted: boolean): void {
    const row = repository.find(updateId);
    if (row?.kind === 'coupon') {
      const theirs = (row.is_enabled === 1) === isAsWanted;
      repository.applyReading(row.owner_id, new Map([[row.subject_id, theirs]]), now, [updateId]);
    }
  }

  function attempt(updateId: number, event: Parameters<typeof outcomeOf>[0] | 'leaves', now: number): void {
    const row = repository.find(updateId);
    const ownerId = row?.owner_id ?? 0;
    read(updateId, now, false);
    keys += 1;
    const request = repository.seal(ownerId, `${keys}f8fad5b-d9cb-469f-a165-70867728950e`, now);
    if (request === null || request.subjects.join() !== row?.subject_id) {
      throw new Error(`another update than ${updateId} would be sent`);
    }
    const requestId = request.id;
    const attemptId = repository.beginAttempt(requestId, now);
    if (event === 'leaves' && areAttemptsOpen) {
      repository.setUnderWay({ requestId, ownerId, size: 1 });
    } else {
      const outcome = outcomeOf(event === 'leaves' ? 'silence' : event);
      repository.settle({ ownerId, requestId, attemptId }, outcome, dispositionOf(outcome, request), now);
    }
  }

  function happen(updateId: number, event: UpdateEvent, now: number): void {
    switch (event) {
      case 'holds':
      case 'conflict':
        read(updateId, now, event === 'holds');
        break;
      case 'old':
        repository.parkOld(repository.find(updateId)?.owner_id ?? 0, now);
        break;
      case 'retry':
      case 'discard':
        repository[event](updateId, now);
        break;
      default:
        attempt(updateId, event, now);
    }
  }

  return (updateId: number, events: readonly UpdateEvent[], since: number): void => {
    events.forEach((event, place) => happen(updateId, event, since + (place + 1) * betweenEventsMs));
  };
}

/** Makes the updates of a scene. */
function keepUpdates(
  repository: QueueRepository,
  play: ReturnType<typeof createStory>,
  owner: Owner,
  scene: Scene,
): void {
  const { nowMs, updates = usualUpdates } = scene;
  updates.forEach((update, place) => {
    const { events = [], email = owner.email, ageMs = (updates.length - place) * betweenUpdatesMs } = update;
    const asked = { ownerId: repository.ownerId({ ...owner, email }), now: nowMs - ageMs };
    if ('userId' in update) {
      repository.enqueueRestoration({ ...asked, userId: update.userId as Id });
    } else {
      const { productId, isEnabled } = update;
      // Whoever changes their mind has seen at first what they ask for at last.
      const seen = events.includes('conflict') ? isEnabled : null;
      repository.enqueue({ ...asked, productId: productId as Id, isEnabled, seen, isSeenFresh: false });
    }
    play(newestOf(repository), events, events.includes('old') ? nowMs - betweenEventsMs : asked.now);
  });
}

const newestOf = ({ history }: QueueRepository): number => history.list([], 0, 1).rows[0]?.id ?? 0;

/** Opens it in this folder. */
export async function openSceneQueue(folder: string, clock: Clock, scene: Scene): Promise<ScenePart> {
  const { state, updates = usualUpdates, restoring = [] } = scene;
  const { session, profile } = state;
  const shop = {
    platform: profile?.platformUrl ?? 'https://shop.example.com',
    companyId: profile?.companyId ?? ('1' as Id),
  };
  const owner = session.email === null ? null : { ...shop, email: session.email };
  const products = new Map(updates.flatMap((one) => ('userId' in one ? [] : [[one.productId, one] as const])));
  const catalogue = {
    nameOf: (productId: Id) => products.get(productId) ?? null,
    products: (text: string) =>
      Promise.resolve(
        succeed({
          products: [...products.values()]
            .filter(({ name }) => name.toLowerCase().includes(text.toLowerCase()))
            .map(({ productId }) => ({ productId: productId as Id })),
          isCut: false,
        }),
      ),
  };

  const database = await openQueueDatabase(folder);
  const { confirm } = openCouponRepository(database);
  const queueRepository = openQueueRepository(
    database,
    confirm,
    undefined,
    undefined,
    (productId) => products.get(productId)?.name ?? null,
  );
  const random = createNodeRandom();
  const unasked = () => Promise.resolve(fail({ kind: 'unreachable' } as const));
  const queue = startQueue({
    clock,
    random,
    repository: queueRepository,
    rateLimit: openRateLimit(clock, openSendLog(database, shop.platform), () => documentedRules),
    client: { listCouponSettings: unasked, write: unasked },
    connection: createConnection({ clock, random }, () => undefined),
    shop,
    owner: () => owner,
    senders: () =>
      owner === null
        ? []
        : [{ owner, tokens: { user: () => owner.email, accessToken: unasked, renew: unasked }, isStuck: false }],
    settingsRead: () => Promise.resolve(),
    isCalm: true,
    log: () => undefined,
  });
  const play = createStory(queueRepository, state.queue.heldBy === null);
  keepUpdates(queueRepository, play, { ...shop, email: owner?.email ?? 'ana@example.com' }, scene);
  const queueTable = createQueueTable({
    clock,
    shop,
    offsetMinutes: () => -180,
    senderIds: () => (owner === null ? [] : [queueRepository.knownOwnerId(owner)]),
    queue,
    queueRepository,
    catalogue,
    pause: () => Promise.resolve(true),
  });
  const open = {
    target: shop,
    catalogue,
    queueRepository,
    queue,
    queueTable,
    owner: () => owner,
    sendsFor: (email: string) => email === owner?.email,
  };
  const handlers = createQueueHandlers((action) => Promise.resolve(action(open)));
  const countOfChanges = countChanges(database, 'updates');
  let told = countOfChanges();
  return {
    handlers: {
      ...handlers,
      'user:restore': async (input) => {
        const before = newestOf(queueRepository);
        const answer = await handlers['user:restore'](input);
        if (newestOf(queueRepository) !== before) {
          play(newestOf(queueRepository), restoring, scene.nowMs);
        }
        return answer;
      },
    },
    changes: () => {
      const isSame = countOfChanges() === told;
      told = countOfChanges();
      const { pending, inFlight, parked, delivered } = queue.state();
      return isSame ? null : { pending, inFlight, parked, delivered };
    },
    close: async () => {
      await queue.close();
      database.close();
    },
  };
}
