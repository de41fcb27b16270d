import type { Catalogue } from '../../catalogue/catalogue.ts';
import { createCouponRefresh } from '../../coupons/refresh.ts';
import { openSharedCoupons } from '../../coupons/shared-coupons.ts';
import { openCouponRepository } from '../../coupons/repository.ts';
import { startQueue } from '../../queue/queue.ts';
import { shareSettled } from '../../queue/settled.ts';
import type { Sender } from '../../queue/queue-ports.ts';
import type { Owner } from '../../queue/rows.ts';
import type { Confirm } from '../../queue/settlement.ts';
import { openSteadyTime } from '../../queue/steady-time.ts';
import { openQueueRepository } from '../../queue/repository.ts';
import type { Session } from '../../session/session.ts';
import { onlyStorageError } from '../../storage/database.ts';
import type { DiskWatch } from '../../storage/disk-watch.ts';
import type { ShopContext, WorkspaceTarget } from './context.ts';
import type { PlatformAccess } from './platform-access.ts';
import type { OpenedRateLimit } from './rate-limit.ts';

interface UpdatesOver extends OpenedRateLimit, PlatformAccess {
  readonly catalogue: Catalogue;
  readonly onStorageError: DiskWatch['note'];
  /** The confirmed settings, or what another till has waiting, have changed. */
  readonly onSettings: () => void;
}

/** The updates of a shop, and the coupon settings that their delivery confirms. */
export type OpenUpdates = ReturnType<typeof openUpdates>;

/** Whose updates are made, and under whose sign-ins what waits goes out. */
function ownersOf({ platform, companyId }: WorkspaceTarget, session: Session) {
  const ownerAs = (email: string): Owner => ({ platform, companyId, email: email.toLowerCase() });
  const senders = (): readonly Sender[] =>
    session.signIns().map((tokens) => ({ owner: ownerAs(tokens.email), tokens, isStuck: tokens.isStuck() }));
  return {
    senders,
    /** Whose updates are made and shown now; null when nobody is signed in. */
    owner: (): Owner | null => {
      const { email } = session.state();
      return email === null ? null : ownerAs(email);
    },
    /** Whether what this user has asked for goes out as it is now, whoever is at the screen. */
    sendsFor: (email: string): boolean =>
      senders().some(({ owner, tokens, isStuck }) => owner.email === email && !isStuck && tokens.user() !== null),
  };
}

/** The coupon part of queue.db: the confirmed settings, and the updates whose delivery confirms them. */
function openRepositories(
  { ports: { clock }, target, onAbort }: ShopContext,
  { queueDatabase: { database }, hub, catalogue, onSettings }: UpdatesOver,
) {
  const coupons = openCouponRepository(database);
  const confirm: Confirm = (scope, settings, mark, isEarlier) => {
    coupons.confirm(scope, settings, mark);
    // The others may have heard of something newer.
    if (isEarlier !== true && scope.platform === target.platform && scope.companyId === target.companyId) {
      sharedCoupons?.noteDelivered(settings);
    }
  };
  const steady = openSteadyTime(database, clock, target.steadyOffsets);
  const queueRepository = openQueueRepository(
    database,
    confirm,
    target.queueLimits,
    () => target.rateLimitRules().windowMs,
    (productId) => catalogue.nameOf(productId)?.name ?? null,
    steady,
    target.client,
  );
  /** Null where the terminal takes part in no hub. */
  const sharedCoupons =
    hub === null
      ? null
      : openSharedCoupons({
          texts: hub.texts,
          clock,
          scope: target,
          till: target.hub?.self.name ?? '',
          isMember: (id) => hub.member.hasMember(id),
          queueRepository,
          coupons,
          onChange: onSettings,
        });
  onAbort(() => sharedCoupons?.close());
  return { coupons, queueRepository, steady, sharedCoupons };
}

/** Opens the updates and the coupon settings of a shop, and starts the queue. */
export function openUpdates(context: ShopContext, parts: UpdatesOver) {
  const { ports, target, listeners, closing, logOf, onAbort, onClose } = context;
  const { clock, random, shell } = ports;
  const { rateLimit, client, connection, session, onStorageError, onSettings } = parts;
  const owners = ownersOf(target, session);
  const repositories = openRepositories(context, parts);
  const { queueRepository } = repositories;
  const { keep, refresh, isFresh, isReadWithin, judgeKept } = createCouponRefresh(
    {
      clock,
      ...owners,
      client,
      ...repositories,
      hasOtherCompany: () => target.hasOtherCompany() || queueRepository.hasOtherCompany(target),
      onCompanyUnnamed: () => listeners.notify('couponsOfNoCompany', target.companyId),
      onRefreshed: onSettings,
    },
    closing,
  );
  try {
    judgeKept(target);
  } catch (thrown) {
    onStorageError(onlyStorageError(thrown));
  }
  const log = logOf('queue');
  // Before the queue: what it waits for is known before that looks for work.
  const settled =
    parts.hub === null
      ? null
      : shareSettled({
          texts: parts.hub.texts,
          clock,
          repository: queueRepository,
          connection,
          onRead: (count) => {
            log('hub read', { settled: count });
            queue.noticeRows();
          },
        });
  onAbort(() => settled?.close());
  const queue = startQueue({
    clock,
    random,
    ...owners,
    repository: queueRepository,
    rateLimit,
    client,
    connection,
    shop: target,
    settingsRead: keep,
    onStorageError,
    isCalm: shell.isSafeMode === true,
    waitsMs: settled?.waitsMs,
    log,
  });
  queue.onChange(() => settled?.note());
  onClose(() => queue.close());
  return {
    ...owners,
    ...repositories,
    queue,
    /** Reads the coupon settings from the platform now, for this user where theirs go out. Fails as the call does, or with `signInNeeded`. */
    readCoupons: refresh,
    /** Whether they were read whole just now. */
    areCouponsFresh: isFresh,
    /** Whether they were read whole in this run, no longer ago than so many milliseconds. */
    areCouponsReadWithin: (maxAgeMs: number): boolean => isReadWithin(target, maxAgeMs),
  };
}
