// How the queue of a scene came to be: what a person asked for, and what became of each attempt at it.
import type { Failure } from '../../app/domain/failure.ts';
import type { Id } from '../../app/domain/int64.ts';
import { dispositionOf, type Outcome } from '../../app/queue/disposition.ts';
import type { QueueRepository } from '../../app/queue/repository.ts';
import type { Owner } from '../../app/queue/rows.ts';
import type { Scene } from './fake-bridge.ts';
import { usualUpdates, type UpdateEvent } from './scene-updates.ts';

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
export function createStory(repository: QueueRepository, areAttemptsOpen: boolean) {
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
export function keepUpdates(
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

export const newestOf = ({ history }: QueueRepository): number => history.list([], 0, 1).rows[0]?.id ?? 0;

/** Leaves room for so many more, by those of another company. */
export function fillUp(repository: QueueRepository, owner: Owner, { nowMs, queueRoom }: Scene): void {
  if (queueRoom !== undefined) {
    const wishes = Array.from({ length: repository.room() - queueRoom }, (_, place) => ({
      productId: String(500_000 + place) as Id,
      isEnabled: true,
      seen: null,
    }));
    const ownerId = repository.ownerId({ ...owner, companyId: '9' as Id });
    repository.enqueueMany(wishes, { ownerId, isSeenFresh: false, now: nowMs });
  }
}
