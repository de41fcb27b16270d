import { join } from 'node:path';
import { createCouponReading, type CouponReading } from '../../coupons/reading.ts';
import type { Ports } from '../../ports.ts';
import { createStocktakes } from '../../stocktakes/stocktakes.ts';
import { createDiskWatch } from '../../storage/disk-watch.ts';
import {
  createClosing,
  createContext,
  type Opened,
  type ShopContext,
  type WorkspaceListeners,
  type WorkspaceTarget,
} from './context.ts';
import { openCopy, type OpenCopy } from './copy.ts';
import { openExpiring } from './expiring.ts';
import { openLists } from './lists.ts';
import { openPlatformCheck } from './platform-check.ts';
import { openPlatformAccess } from './platform-access.ts';
import { logChanges } from './platform-log.ts';
import { openOwnRateLimit } from './rate-limit.ts';
import { openUpdates } from './updates.ts';

type Parts = Awaited<ReturnType<typeof openParts>>;

/** A shop at work. */
export interface Workspace extends Parts, Pick<Opened, 'closing' | 'abort' | 'close'> {}

/**
 * Opens a shop's databases and starts its work. Throws StorageError when queue.db cannot be opened, but for damage, or
 * used; then nothing of it stays open.
 */
export async function openWorkspace(
  ports: Ports,
  target: WorkspaceTarget,
  listeners: WorkspaceListeners,
): Promise<Workspace> {
  const opened = createClosing();
  const { closing, abort, close } = opened;
  try {
    return { ...(await openParts(createContext(ports, target, listeners, opened))), closing, abort, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function openStocktakes({ ports: { clock }, target, listeners, pause, onClose }: ShopContext) {
  const stocktakes = createStocktakes({
    path: join(target.directory, 'stocktakes.db'),
    shop: target,
    clock,
    pause,
    onSetAside: (path) => listeners.notify('stocktakesSetAside', path.slice(-500)),
    onChange: listeners.onChange,
  });
  onClose(() => stocktakes.close());
  return stocktakes;
}

/** Each part is closed in turn, so that of two that work together the one that is used is opened first. */
async function openParts(context: ShopContext) {
  const { ports, target, listeners, pause, onAbort, onClose } = context;
  const { clock, random, shell } = ports;
  let copied: OpenCopy | null = null;
  // The last: all else is closed while another thread still flushes the copy.
  onClose(() => copied?.catalogue.released());
  const opened = await openOwnRateLimit(context, listeners.notify);
  const { queueDatabase, rateLimit, hub } = opened;
  const { database } = queueDatabase;
  const access = openPlatformAccess(context, rateLimit);
  const { connection } = access;
  const disk = createDiskWatch({
    clock,
    // The copy also where queue.db cannot be written to.
    tryWriting: () => {
      try {
        catalogue.tryWriting();
      } finally {
        database.tryWriting();
      }
    },
    onChange: listeners.onDisk,
  });
  onAbort(() => disk.close());
  // Closed after the copy: what still reads that for a count then ends.
  const stocktakes = openStocktakes(context);
  const copy = await openCopy(context, {
    ...opened,
    ...access,
    onBatches: (place, batches) => expiring.note(place, batches),
    onTrouble: disk.note,
  });
  copied = copy;
  const { catalogue } = copy;
  const updates = openUpdates(context, {
    ...opened,
    ...access,
    catalogue,
    onStorageError: disk.note,
    onSettings: () => {
      lists.couponList.forgetSettings();
      listeners.onCardsChange();
    },
  });
  const lists = openLists(context, { ...copy, ...updates, database, connection });
  const expiring = openExpiring(context, { ...access, rateLimit, queue: updates.queue, catalogue });
  const couponReading = createCouponReading({ clock, random, connection }, () => updates.readCoupons('catalogue'));
  onAbort(() => couponReading.stop());
  const parts = {
    target,
    ...access,
    rateLimit,
    /** Null where the terminal takes part in no hub. */
    hub,
    ...copy,
    ...updates,
    ...lists,
    stocktakes,
    expiring,
    platformCheck: openPlatformCheck({ ...context, ...access, rateLimit }),
    /** How the disk takes what this shop keeps. */
    disk,
    pause,
  };
  disk.look();
  followChanges(parts, couponReading, context);
  logChanges(parts, clock, (...line) => shell.log(...line));
  return parts;
}

/** Passes on the change of one part to the others, and to the screens. */
function followChanges(
  { session, connection, rateLimit, queue, catalogue, couponList, sharedCoupons, queueTable, expiring }: Parts,
  couponReading: CouponReading,
  { ports: { shell }, listeners: { onChange, onCardsChange }, closing }: ShopContext,
): void {
  const isCalm = (): boolean => shell.isSafeMode === true || closing.aborted;

  function resume(): void {
    queue.resume();
    if (session.user() === null || isCalm()) {
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
    // Updates that waited for the keychain go on as soon as it is open.
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
    if (session.user() !== null && !isCalm()) {
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
