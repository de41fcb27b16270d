import { createCouponReading, type CouponReading } from '../../coupons/reading.ts';
import { createCouponRefresh, type ReadingLane } from '../../coupons/refresh.ts';
import type { Failure } from '../../domain/failure.ts';
import type { Result } from '../../domain/result.ts';
import type { Expiring } from '../../expiring/expiring.ts';
import type { OpenHub } from '../../hub/open-hub.ts';
import type { Ports } from '../../ports.ts';
import { startQueue, type Queue } from '../../queue/queue.ts';
import type { QueuePorts, Sender } from '../../queue/queue-ports.ts';
import type { Owner } from '../../queue/rows.ts';
import { openWaitingPlaces, type WaitingPlaces } from '../../queue/waiting-places.ts';
import type { RateLimit } from '../../rate-limit/rate-limit.ts';
import type { Session } from '../../session/session.ts';
import type { Stocktakes } from '../../stocktakes/stocktakes.ts';
import { pause } from '../../storage/pause.ts';
import { createDiskWatch, type DiskState, type DiskWatch } from '../../storage/disk-watch.ts';
import { openCopyAndWatchList, type OpenCopy } from './copy.ts';
import { openCouponsAndQueue, openPlans, type OpenCoupons, type OpenPlans, type PlanListeners } from './coupons.ts';
import { openExpiring } from './expiring.ts';
import { createLists, createListVersions, type ListVersions, type OpenLists } from './lists.ts';
import { openOwnStocktakes } from './stocktakes.ts';
import { openOwnRateLimit, type OpenedRateLimit } from './rate-limit.ts';
import { createPlatformAccess, type PlatformAccess } from './platform-access.ts';
import { logChanges } from './platform-log.ts';
import type { WorkspaceTarget } from './target.ts';

export interface Workspace extends PlatformAccess, OpenCopy, OpenCoupons, OpenLists, OpenPlans {
  readonly target: WorkspaceTarget;
  readonly rateLimit: RateLimit;
  /** Null where the terminal takes part in no hub. */
  readonly hub: OpenHub | null;
  readonly queue: Queue;
  readonly stocktakes: Stocktakes;
  readonly expiring: Expiring;
  /** Where a damaged queue.db now lies; null when all was well. */
  readonly queueSetAside: string | null;
  readonly waitingPlaces: WaitingPlaces;
  /** How the disk takes what this store keeps. */
  readonly disk: DiskWatch;
  /** Whose updates are made and shown now; null when nobody is signed in. */
  owner(): Owner | null;
  /** Whether what this user has asked for goes out as it is now, whoever is at the screen. */
  readonly sendsFor: (email: string) => boolean;
  /** Reads the coupon settings from the platform now. Fails as the call does, or with `signInNeeded`. */
  readCoupons(lane: ReadingLane): Promise<Result<void, Failure>>;
  /** Whether they were read whole just now. */
  areCouponsFresh(): boolean;
  readonly listVersions: ListVersions;
  /** Lets everything else have its turn. Answers whether to go on: false once this store is being closed. */
  pause(): Promise<boolean>;
  /** Abandons every call that is under way; `close` is then quick. */
  abort(): void;
  close(): Promise<void>;
}

export interface WorkspaceListeners extends PlanListeners {
  /** Anything that a screen may show has changed, but for the products' cards. */
  readonly onChange: () => void;
  /** A figure or a coupon on some card may have changed too. */
  readonly onCardsChange: () => void;
  /** The copy was damaged and begins anew. */
  readonly onRebuilt: () => void;
  /** The counts were damaged; the file now lies there. */
  readonly onStocktakesSetAside: (path: string) => void;
  /** The platform told the coupon settings without the company alone. */
  readonly onCompanyUnnamed: () => void;
  /** The disk has begun to refuse what is written, or takes it again. */
  readonly onDisk: (state: DiskState) => void;
}

/**
 * Opens a store's databases and starts its work. Throws StorageError when queue.db cannot be opened, but for damage, or
 * used; then nothing of it stays open.
 */
export async function openWorkspace(
  ports: Ports,
  target: WorkspaceTarget,
  listeners: WorkspaceListeners,
): Promise<Workspace> {
  const rateLimit = await openOwnRateLimit(ports, target);
  const opened: (() => void | Promise<void>)[] = [() => rateLimit.close()];
  try {
    return await composeWorkspace(ports, target, listeners, rateLimit, opened);
  } catch (error) {
    for (const close of opened.toReversed()) {
      await close();
    }
    throw error;
  }
}

/** Whose updates are made, and under whose sign-ins what waits goes out. */
function ownersOf({ platform, companyId }: WorkspaceTarget, session: Session) {
  const ownerAs = (email: string): Owner => ({ platform, companyId, email: email.toLowerCase() });
  const senders = (): readonly Sender[] =>
    session.signIns().map((tokens) => ({ owner: ownerAs(tokens.email), tokens }));
  return {
    senders,
    owner: (): Owner | null => {
      const { email } = session.state();
      return email === null ? null : ownerAs(email);
    },
    sendsFor: (email: string): boolean =>
      senders().some((one) => one.owner.email === email && one.tokens.user() !== null),
  };
}

function startOwnQueue(
  { clock, random, shell }: Ports,
  parts: Omit<QueuePorts, 'clock' | 'random' | 'isCalm' | 'log'>,
): Queue {
  return startQueue({
    ...parts,
    clock,
    random,
    isCalm: shell.isSafeMode === true,
    log: (message, details) => {
      shell.log('info', `queue: ${message}`, details);
    },
  });
}

/** `opened` is told at once of each part that must be closed when a later one fails. */
async function composeWorkspace(
  ports: Ports,
  target: WorkspaceTarget,
  listeners: WorkspaceListeners,
  openedRateLimit: OpenedRateLimit,
  opened: (() => void | Promise<void>)[],
): Promise<Workspace> {
  const { queueDatabase, rateLimit, hub, close: closeRateLimit } = openedRateLimit;
  const { onCardsChange } = listeners;
  const { clock, random, shell } = ports;
  const { database } = queueDatabase;
  const isCalm = shell.isSafeMode === true;
  const closing = new AbortController();
  const pauseOpen = (): Promise<boolean> => pause(clock, closing.signal);
  const access = createPlatformAccess(ports, target, rateLimit, closing.signal);
  const { connection, session, client } = access;
  const disk = createDiskWatch({
    clock,
    tryWriting: () => [database, catalogue].forEach((file) => file.tryWriting()),
    onChange: listeners.onDisk,
  });
  opened.push(() => disk.close());
  const copy = await openCopyAndWatchList(ports, target, access, openedRateLimit, {
    ...listeners,
    onBatches: (place, batches) => expiring.note(place, batches),
    onDiskTrouble: disk.note,
  });
  const { catalogue, watchList } = copy;
  opened.push(() => {
    watchList.close();
    catalogue.close();
    return catalogue.released();
  });
  const couponParts = openCouponsAndQueue(openedRateLimit, ports, target, catalogue, () => {
    couponList.forgetSettings();
    onCardsChange();
  });
  const { queueStore, sharedCoupons } = couponParts;
  opened.push(() => sharedCoupons?.close());
  const listVersions = createListVersions(database, couponParts, target);

  const owners = ownersOf(target, session);
  const couponRefresh = createCouponRefresh(
    {
      clock,
      ...owners,
      client,
      ...couponParts,
      onCompanyUnnamed: listeners.onCompanyUnnamed,
      onRefreshed: () => {
        couponList.forgetSettings();
        onCardsChange();
      },
    },
    closing.signal,
  );
  const queueParts = { ...owners, store: queueStore, rateLimit, client, connection, shop: target };
  const queue = startOwnQueue(ports, { ...queueParts, settingsRead: couponRefresh.keep, onStorageError: disk.note });

  const listParts = { ...owners, queue, connection, catalogue, areCouponsFresh: couponRefresh.isFresh, ...couponParts };
  const lists = createLists(ports, target, listParts, pauseOpen);
  const { couponList } = lists;
  const stocktakes = openOwnStocktakes(ports, target, listeners, pauseOpen);
  const expiring = openExpiring(ports, target, { ...access, rateLimit, queue, catalogue }, pauseOpen);
  const planParts = { queue, ...couponParts, couponList, catalogue, pause: pauseOpen };
  const plans = openPlans(ports, target, database, planParts, listeners);
  const couponReading = createCouponReading({ clock, random, connection }, () => couponRefresh.refresh('catalogue'));

  const workspace: Workspace = {
    ...access,
    target,
    rateLimit,
    hub,
    queue,
    ...couponParts,
    ...lists,
    ...plans,
    ...copy,
    stocktakes,
    expiring,
    queueSetAside: queueDatabase.replaced,
    waitingPlaces: openWaitingPlaces(database),
    disk,
    ...owners,
    readCoupons: couponRefresh.refresh,
    areCouponsFresh: couponRefresh.isFresh,
    listVersions,
    pause: pauseOpen,
    abort: () => {
      closing.abort();
      // Whoever waits for the rate limit would else be waited for in turn.
      rateLimit.close();
    },
    close: async () => {
      closing.abort();
      disk.close();
      connection.close();
      plans.planner.close();
      couponReading.stop();
      sharedCoupons?.close();
      catalogue.stop();
      await queue.close();
      rateLimit.close();
      await session.settle();
      watchList.close();
      catalogue.close();
      await stocktakes.close();
      await expiring.close();
      await closeRateLimit();
      await catalogue.released();
    },
  };
  disk.look();
  followChanges(workspace, couponReading, isCalm, listeners);
  logChanges(workspace, clock, (...line) => shell.log(...line));
  return workspace;
}

/** What the change of one part means to the others, and to the screens. */
function followChanges(
  { session, connection, rateLimit, queue, catalogue, couponList, sharedCoupons, queueTable, expiring }: Workspace,
  couponReading: CouponReading,
  isCalm: boolean,
  { onChange, onCardsChange }: WorkspaceListeners,
): void {
  function resume(): void {
    queue.resume();
    if (session.user() === null || isCalm) {
      catalogue.stop();
      couponReading.stop();
    } else {
      catalogue.start();
      couponReading.start();
    }
  }

  const whoNow = (): string => `${session.state().state} ${session.state().email ?? ''}`;
  const keptNow = (): string =>
    session
      .signIns()
      .map(({ email }) => email)
      .join(' ');
  let who = whoNow();
  let kept = keptNow();
  let isStuck = session.state().failure !== null;
  session.onChange(() => {
    const wasStuck = isStuck;
    isStuck = session.state().failure !== null;
    // What waited for the keychain goes on as soon as that is open.
    if (whoNow() !== who || (wasStuck && !isStuck)) {
      who = whoNow();
      resume();
    } else if (keptNow() !== kept) {
      queue.resume();
    }
    kept = keptNow();
    onCardsChange();
  });
  connection.onReturn(() => {
    if (session.user() !== null && !isCalm) {
      catalogue.resume();
      couponReading.start();
    }
  });
  connection.onChange(onChange);
  rateLimit.onChange(() => {
    expiring.noticeOthers();
    onChange();
  });
  // It was switched on in an earlier run.
  expiring.reconsider();
  queue.onChange(() => {
    sharedCoupons?.noteQueue();
    couponList.forgetSettings();
    onCardsChange();
  });
  catalogue.onChange(() => {
    couponList.forgetNames();
    queueTable.forgetNames();
    onCardsChange();
  });
}
