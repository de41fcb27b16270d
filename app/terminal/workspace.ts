import { join } from 'node:path';
import type { RateLimit } from '../rate-limit/rate-limit.ts';
import type { Lane } from '../rate-limit/lanes.ts';
import { openCatalogue, type Catalogue } from '../catalogue/catalogue.ts';
import { createCouponList, type CouponList } from '../coupons/list.ts';
import { createCouponMany, type CouponMany } from '../coupons/bulk-switch.ts';
import { startPlanner, type Planner, type PlanMade } from '../coupons/planner.ts';
import { openCouponSets, type CouponSets } from '../coupons/sets.ts';
import { createCouponReading, type CouponReading } from '../coupons/reading.ts';
import { createCouponRefresh } from '../coupons/refresh.ts';
import { openSharedCoupons, type SharedCoupons } from '../coupons/shared-coupons.ts';
import { openCouponStore, type CouponStore } from '../coupons/store.ts';
import type { Failure } from '../domain/failure.ts';
import type { Result } from '../domain/result.ts';
import { createPlatformClient, type PlatformClient } from '../platform/client.ts';
import { createConnection, type Connection } from '../platform/connection.ts';
import { probePlatform } from '../platform/connection-test.ts';
import { createExchange, type Exchange } from '../platform/exchange.ts';
import { createTokenRequest, type RequestToken } from '../platform/tokens.ts';
import type { Ports } from '../ports.ts';
import { startQueue, type Queue } from '../queue/queue.ts';
import type { Confirm } from '../queue/settlement.ts';
import type { Owner } from '../queue/rows.ts';
import { openWaitingPlaces, type WaitingPlaces } from '../queue/waiting-places.ts';
import { createQueueTable, type QueueTable } from '../queue/table.ts';
import { openSteadyTime } from '../queue/steady-time.ts';
import { openQueueStore, type QueueStore } from '../queue/store.ts';
import type { Expiring } from '../expiring/expiring.ts';
import { createSession, type Session } from '../session/session.ts';
import type { Stocktakes } from '../stocktakes/stocktakes.ts';
import type { Database } from '../storage/database.ts';
import { countChanges } from '../storage/change-counter.ts';
import { pause } from '../storage/pause.ts';
import { openExpiring } from './open-expiring.ts';
import { openOwnStocktakes } from './open-stocktakes.ts';
import { openOwnRateLimit, type OpenedRateLimit, type OpenHub } from './own-rate-limit.ts';
import { logChanges, logRefusals, logTokens } from './platform-log.ts';
import { openMinima } from '../watch-list/minima.ts';
import { openWatchList, type WatchList } from '../watch-list/watch-list.ts';
import type { WorkspaceTarget } from './workspace-target.ts';

export interface PlatformClock {
  readonly aheadMs: number;
  /** When that was, by this machine's clock. */
  readonly at: number;
}

export interface Workspace {
  readonly target: WorkspaceTarget;
  readonly exchange: Exchange;
  readonly rateLimit: RateLimit;
  /** Null where the terminal takes part in no hub. */
  readonly hub: OpenHub | null;
  readonly connection: Connection;
  readonly session: Session;
  readonly client: PlatformClient;
  readonly queue: Queue;
  readonly queueStore: QueueStore;
  readonly coupons: CouponStore;
  readonly couponList: CouponList;
  /** Null where the terminal takes part in no hub. */
  readonly sharedCoupons: SharedCoupons | null;
  readonly couponMany: CouponMany;
  readonly couponSets: CouponSets;
  readonly planner: Planner;
  readonly queueTable: QueueTable;
  readonly catalogue: Catalogue;
  readonly stocktakes: Stocktakes;
  readonly watchList: WatchList;
  readonly expiring: Expiring;
  /** Where a damaged queue.db now lies; null when all was well. */
  readonly queueSetAside: string | null;
  readonly waitingPlaces: WaitingPlaces;
  /**
   * By how much this machine's clock is ahead of the platform's, by its last answer that told its time, to about a
   * second; null before that.
   */
  platformClock(): PlatformClock | null;
  /** Whose updates are made and shown now; null when nobody is signed in. */
  owner(): Owner | null;
  /** Reads the coupon settings from the platform now. Fails as the call does, or with `signInNeeded`. */
  readCoupons(lane: Lane): Promise<Result<void, Failure>>;
  /** The same as long as no update, or no confirmed setting, has changed. Throws StorageError. */
  listVersions(): { readonly queue: string; readonly coupons: string };
  /** Lets everything else have its turn. Answers whether to go on: false once this store is being closed. */
  pause(): Promise<boolean>;
  /** Abandons every call that is under way; `close` is then quick. */
  abort(): void;
  close(): Promise<void>;
}

export interface WorkspaceListeners {
  /** Anything that a screen may show has changed, but for the products' cards. */
  readonly onChange: () => void;
  /** A figure or a coupon on some card may have changed too. */
  readonly onCardsChange: () => void;
  /** The copy was damaged and begins anew. */
  readonly onRebuilt: () => void;
  /** The counts were damaged; the file now lies there. */
  readonly onStocktakesSetAside: (path: string) => void;
  readonly onPlanMade: (made: PlanMade) => void;
  /** A plan of the set of this name has missed a moment. */
  readonly onPlanMissed: (name: string) => void;
}

/** The session of a target, whose calls for a token go this way. */
export function openSession(
  { clock, shell }: Pick<Ports, 'clock' | 'shell'>,
  target: WorkspaceTarget,
  requestToken: RequestToken,
): Session {
  const logged = logTokens(requestToken, (...line) => shell.log(...line));
  return createSession({
    clock,
    vault: target.vault,
    requestToken: target.proving?.(logged) ?? logged,
    client: target.client,
    saveMark: target.saveMark,
    ...(target.onTokenLeft === undefined ? {} : { onTokenLeft: target.onTokenLeft }),
    ...(target.isKept === undefined ? {} : { isKept: target.isKept }),
    ...(target.onOver === undefined ? {} : { onOver: target.onOver }),
    ...(target.signInSlot === undefined ? {} : { slot: target.signInSlot }),
  });
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

/** The way to the platform of one store. */
type PlatformAccess = Pick<Workspace, 'connection' | 'exchange' | 'session' | 'client' | 'platformClock'>;

function createPlatformAccess(
  ports: Ports,
  target: WorkspaceTarget,
  rateLimit: RateLimit,
  closing: AbortSignal,
): PlatformAccess {
  const { clock, random, http, shell } = ports;
  const connection = createConnection({ clock, random }, () => {
    if (shell.isSafeMode === true) {
      // In safe mode nothing is sent by itself; but whoever asks for something must not be told for ever that there is
      // no network.
      connection.doubt();
    } else {
      void probePlatform(exchange, rateLimit, 'catalogue');
    }
  });
  let platformClock: PlatformClock | null = null;
  const exchange = logRefusals(
    createExchange(
      http,
      target.platformUrl,
      connection,
      closing,
      () => clock.now(),
      (platformTime, receivedAt) => {
        platformClock = { aheadMs: receivedAt - platformTime, at: receivedAt };
      },
    ),
    (...line) => shell.log(...line),
  );
  const requestToken = createTokenRequest(exchange, rateLimit, target.tokenKeys);
  const session = openSession(ports, target, requestToken);
  const client = createPlatformClient({ exchange, rateLimit, tokens: session, companyId: target.companyId });
  return { connection, exchange, session, client, platformClock: () => platformClock };
}

function openOwnCatalogue(
  { clock, random, shell }: Ports,
  target: WorkspaceTarget,
  client: PlatformClient,
  { rateLimit, hub }: OpenedRateLimit,
  watchList: WatchList,
  onBatches: Expiring['note'],
  onRebuilt: () => void,
): Promise<Catalogue> {
  return openCatalogue({
    path: join(target.directory, target.catalogueFile),
    fingerprint: `${target.platform} ${target.companyId}`,
    stockIds: target.stockIds,
    clock,
    random,
    client,
    planning: {
      quietHours: target.quietHours,
      offsetMinutes: (at) => shell.offsetMinutes(at),
      perMinute: () => {
        const { limit, reserve } = rateLimit.state();
        return ((limit - reserve) * 60_000) / target.rateLimitRules().windowMs;
      },
      forecastMs: (requests) => rateLimit.forecastMs(requests),
    },
    texts: hub?.texts ?? null,
    scaleLayouts: target.scaleLayouts,
    shownFields: target.shownFields,
    log: (message, details) => {
      shell.log('info', `catalogue: ${message}`, details);
    },
    checkpoint: (path) => shell.checkpoint?.(path) ?? Promise.resolve(false),
    onFigure: (place) => watchList.noteFigure(place),
    watched: (list) => watchList.places(list),
    onBatches,
    onRebuilt: () => {
      watchList.noteAll();
      onRebuilt();
    },
  });
}

/** The copy, and the watch list that reads it. */
async function openCopyAndWatchList(
  ports: Ports,
  target: WorkspaceTarget,
  client: PlatformClient,
  opened: OpenedRateLimit,
  { onCardsChange, onRebuilt, onBatches }: WorkspaceListeners & { readonly onBatches: Expiring['note'] },
): Promise<Pick<Workspace, 'catalogue' | 'watchList'>> {
  let catalogue: Catalogue | null = null;
  const watchList = openWatchList({
    minima: openMinima(opened.queueDatabase.database, target),
    clock: ports.clock,
    figureOf: (place) => catalogue?.figure(place),
    onChange: onCardsChange,
  });
  catalogue = await openOwnCatalogue(ports, target, client, opened, watchList, onBatches, onRebuilt);
  watchList.noteAll();
  return { catalogue, watchList };
}

/** What queue.db holds of coupons: the confirmed settings, and the updates whose delivery confirms them. */
function openCouponsAndQueue(
  { queueDatabase: { database }, hub }: OpenedRateLimit,
  { clock }: Pick<Ports, 'clock'>,
  target: WorkspaceTarget,
  catalogue: Catalogue,
  onSharedChange: () => void,
): Pick<Workspace, 'coupons' | 'queueStore' | 'sharedCoupons'> {
  const coupons = openCouponStore(database);
  const confirm: Confirm = (scope, settings, mark) => {
    coupons.confirm(scope, settings, mark);
    if (scope.platform === target.platform && scope.companyId === target.companyId) {
      sharedCoupons?.noteDelivered(settings);
    }
  };
  const queueStore = openQueueStore(
    database,
    confirm,
    target.queueLimits,
    () => target.rateLimitRules().windowMs,
    (productId) => catalogue.nameOf(productId)?.name ?? null,
    openSteadyTime(database, clock, target.steadyOffsets),
  );
  const sharedCoupons =
    hub === null
      ? null
      : openSharedCoupons({
          texts: hub.texts,
          clock,
          scope: target,
          till: target.hub?.self.name ?? '',
          isMember: (id) => Object.hasOwn(hub.member.state().document?.members ?? {}, id),
          queueStore,
          coupons,
          onChange: onSharedChange,
        });
  return { coupons, queueStore, sharedCoupons };
}

function watchLists(
  database: Database,
  { coupons, sharedCoupons }: Pick<Workspace, 'coupons' | 'sharedCoupons'>,
  target: WorkspaceTarget,
): Workspace['listVersions'] {
  const updatesChanged = countChanges(database, 'updates');
  const settingsChanged = countChanges(database, 'confirmed_settings');
  const plansChanged = ['coupon_sets', 'coupon_plans', 'plan_moments'].map((table) => countChanges(database, table));
  return () => ({
    queue: [updatesChanged, ...plansChanged].map((changed) => changed()).join(' '),
    // What a first reading did not list is off from then on.
    coupons: `${settingsChanged()} ${coupons.readAt(target) === null} ${sharedCoupons?.version() ?? 0}`,
  });
}

function ownerOf({ platform, companyId }: WorkspaceTarget, session: Session): Owner | null {
  const { email } = session.state();
  return email === null ? null : { platform, companyId, email: email.toLowerCase() };
}

/** What the screens of coupons and the queue list. */
function createLists(
  { clock, shell }: Ports,
  target: WorkspaceTarget,
  parts: Pick<Workspace, 'owner' | 'queue' | 'connection' | 'catalogue' | 'coupons' | 'queueStore' | 'sharedCoupons'>,
  pauseOpen: () => Promise<boolean>,
): Pick<Workspace, 'couponList' | 'couponMany' | 'queueTable'> {
  const { owner, queue, connection, catalogue, coupons, queueStore, sharedCoupons } = parts;
  const isOnline = (): boolean => connection.state().state === 'online';
  return {
    couponList: createCouponList({
      scope: target,
      owner,
      queueStore,
      coupons,
      ofTill: (productId) => sharedCoupons?.waitingFor(productId),
      catalogue,
      pause: pauseOpen,
    }),
    couponMany: createCouponMany({ scope: target, clock, owner, isOnline, queue, queueStore, coupons }),
    queueTable: createQueueTable({
      clock,
      shop: target,
      offsetMinutes: (at) => shell.offsetMinutes(at),
      ownerId: () => {
        const now = owner();
        return now === null ? 0 : queueStore.knownOwnerId(now);
      },
      queue,
      queueStore,
      catalogue,
      pause: pauseOpen,
    }),
  };
}

/** Saved choices of coupons, and what switches them by itself. */
function openPlans(
  { clock, shell }: Ports,
  target: WorkspaceTarget,
  database: Database,
  { catalogue, ...parts }: Pick<Workspace, 'queue' | 'queueStore' | 'coupons' | 'couponList' | 'catalogue' | 'pause'>,
  { onPlanMade, onPlanMissed }: WorkspaceListeners,
): Pick<Workspace, 'couponSets' | 'planner'> {
  const couponSets = openCouponSets(database, target);
  const planner = startPlanner(
    {
      ...parts,
      scope: target,
      clock,
      offsetMinutes: (at) => shell.offsetMinutes(at),
      graceMinutes: target.planGraceMinutes,
      nameOf: (productId) => catalogue.nameOf(productId)?.name ?? null,
      database,
      sets: couponSets,
      onMade: onPlanMade,
      onMissed: onPlanMissed,
      log: (message, details) => {
        shell.log('info', `plans: ${message}`, details);
      },
    },
    shell.isSafeMode === true,
  );
  return { couponSets, planner };
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
  const { catalogue, watchList } = await openCopyAndWatchList(ports, target, client, openedRateLimit, {
    ...listeners,
    onBatches: (place, batches) => expiring.note(place, batches),
  });
  opened.push(() => {
    watchList.close();
    catalogue.close();
    return catalogue.released();
  });
  const couponParts = openCouponsAndQueue(openedRateLimit, ports, target, catalogue, () => {
    couponList.forgetSettings();
    onCardsChange();
  });
  const { coupons, queueStore, sharedCoupons } = couponParts;
  opened.push(() => sharedCoupons?.close());
  const listVersions = watchLists(database, couponParts, target);

  const owner = (): Owner | null => ownerOf(target, session);
  const couponRefresh = createCouponRefresh(
    {
      clock,
      owner,
      client,
      queueStore,
      coupons,
      onRefreshed: () => {
        couponList.forgetSettings();
        onCardsChange();
      },
    },
    closing.signal,
  );
  const queue = startQueue({
    clock,
    random,
    store: queueStore,
    rateLimit,
    client,
    tokens: session,
    connection,
    owner,
    settingsRead: couponRefresh.keep,
    isCalm,
    log: (message, details) => {
      shell.log('info', `queue: ${message}`, details);
    },
  });

  const lists = createLists(ports, target, { owner, queue, connection, catalogue, ...couponParts }, pauseOpen);
  const { couponList } = lists;
  const stocktakes = openOwnStocktakes(ports, target, listeners, pauseOpen);
  const expiring = openExpiring(ports, target, { ...access, rateLimit, queue, catalogue }, pauseOpen);
  const planParts = { queue, queueStore, coupons, couponList, catalogue, pause: pauseOpen };
  const plans = openPlans(ports, target, database, planParts, listeners);
  const couponReading = createCouponReading({ clock, random }, () => couponRefresh.refresh('catalogue'));

  const workspace: Workspace = {
    ...access,
    target,
    rateLimit,
    hub,
    queue,
    queueStore,
    coupons,
    ...lists,
    sharedCoupons,
    ...plans,
    catalogue,
    stocktakes,
    watchList,
    expiring,
    queueSetAside: queueDatabase.replaced,
    waitingPlaces: openWaitingPlaces(database),
    owner,
    readCoupons: couponRefresh.refresh,
    listVersions,
    pause: pauseOpen,
    abort: () => {
      closing.abort();
      // Whoever waits for the rate limit would else be waited for in turn.
      rateLimit.close();
    },
    close: async () => {
      closing.abort();
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
  let who = whoNow();
  session.onChange(() => {
    if (whoNow() !== who) {
      who = whoNow();
      resume();
    }
    onCardsChange();
  });
  connection.onChange((state) => {
    if (state.state === 'online' && session.user() !== null && !isCalm) {
      catalogue.resume();
      couponReading.start();
    }
    onChange();
  });
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
