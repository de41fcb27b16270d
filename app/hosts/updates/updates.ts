// Everything that is electron-updater's lies behind `Updater`. policy.ts has the invariants.
import type { Clock, Http, Random, Shell, Timer, UpdateState } from '../../ports.ts';
import type { UpdateSource } from '../node/device-choices.ts';
import { downloadSigned } from '../signed/download.ts';
import { isGoodOn, isSigned } from '../signed/signature.ts';
import { fileFor, isOlder, type Feed, type Machine } from './feed.ts';
import type { KeptUpdate, KeptUpdateFile } from './kept-update.ts';
import { decideInstall, maxAttempts, nextCheckAfter } from './policy.ts';

/** The work of electron-updater, behind the few words that the policy needs. */
export interface Updater {
  /** Reads a feed whose signature has held; null when it makes no sense. */
  read(feed: string): Feed | null;
  /** Whether this version is newer, and this terminal within its stage. */
  isOffered(feed: string): Promise<boolean>;
  /** Fetches it, or finds it fetched. Rejects when it cannot be had whole and right. */
  fetch(feed: string, url: string): Promise<void>;
  /** Removes all that was fetched but the files of these feeds. */
  keepOnly(...feeds: readonly string[]): void;
  /** Whether what was fetched lies here whole: answers what replaces this app by it, or null. */
  prepare(feed: string): Promise<Replace | null>;
}

/** Replaces this app, which then ends. Rejects when it cannot; this app is then as it was. */
export type Replace = () => Promise<void>;

export interface UpdatesParts {
  readonly clock: Clock;
  readonly random: Random;
  readonly http: Http;
  readonly log: Shell['log'];
  readonly kept: KeptUpdateFile;
  /** Whether this package can be replaced without an administrator. */
  readonly isUnattended: boolean;
  /** Reads electron-updater when it is first needed, which is some minutes after most starts. */
  readonly openUpdater: () => Promise<Updater>;
  /** Null: nobody has said where updates come from and who signs them. */
  readonly source: UpdateSource | null;
  /** This app's own version. */
  readonly version: string;
  readonly machine: Machine;
  /**
   * Removes the program that this one has taken the place of, and which was kept in case this one never answers (U10);
   * answers whether there was one.
   */
  readonly forgetFormer: () => boolean;
  /** The feed's name, such as latest-linux.yml. */
  readonly feedName: string;
  readonly isRequestUnderWay: () => Promise<boolean>;
}

export type Updates = ReturnType<typeof createUpdates>;

const noteEveryMs = 5 * 60_000;

function attemptsAt({ attempts }: KeptUpdate, version: string): number {
  return attempts?.version === version ? attempts.count : 0;
}

/**
 * The feed as it was read, and who reads it; null when it is not signed with one of these keys (U1), makes no sense, or
 * is for other machines (U9).
 */
async function readSignedFeed(
  { log, openUpdater, machine }: UpdatesParts,
  text: string,
  signature: string,
  keys: readonly string[],
): Promise<{ readonly feed: Feed; readonly updater: Updater } | null> {
  if (!isSigned(text, signature, keys)) {
    log('warning', 'updates: the feed is not signed by a key that this terminal knows; nothing of it is used');
    return null;
  }
  const updater = await openUpdater();
  const feed = updater.read(text);
  if (feed === null) {
    log('warning', 'updates: the signed feed makes no sense, or does not say for which machines its files are');
    return null;
  }
  if (fileFor(feed, machine) === null) {
    log('warning', 'updates: the signed feed has no file for this machine; nothing of it is used', { ...machine });
    return null;
  }
  return { feed, updater };
}

/** Looks for a newer version now and then, one check at a time, and fetches it. */
function createChecks(parts: UpdatesParts) {
  const { clock, random, http, log, kept, isUnattended, source, feedName } = parts;
  let lastCheck: UpdateState['lastCheck'] = 'good';
  /** The newer version that is only told (U7). */
  let announced: string | null = null;
  let checking: Promise<void> | null = null;
  let timer: Timer | null = null;
  let isClosed = false;

  /** Answers what came of it. */
  async function checkOnce({ url, publicKey }: UpdateSource): Promise<UpdateState['lastCheck']> {
    const signed = await downloadSigned({
      http,
      warn: (message, details) => log('warning', `updates: ${message}`, details),
      address: `${url.replace(/\/+$/, '')}/${feedName}`,
    });
    if (!signed.ok) {
      return signed.failure;
    }
    const { text, signature } = signed.value;
    const read = await readSignedFeed(parts, text, signature, publicKey);
    if (read === null) {
      return 'failed';
    }
    const { feed, updater } = read;
    if (!isGoodOn(feed.expires, clock.now())) {
      log('warning', 'updates: the feed is not good on the date of this machine; nothing of it is used', {
        expires: new Date(feed.expires).toISOString(),
        now: new Date(clock.now()).toISOString(),
      });
      return 'date';
    }
    kept.change({ checkedAt: clock.now() });
    if (!(await updater.isOffered(text))) {
      announced = null;
      return 'good';
    }
    if (!isUnattended) {
      announced = feed.version; // U7
      return 'good';
    }
    const { ready } = kept.get();
    if (ready?.feed === text) {
      return 'good'; // It lies here, and a start will see whether it is still whole.
    }
    const known = ready === null ? null : updater.read(ready.feed);
    if (known !== null && isGoodOn(known.expires, clock.now()) && isOlder(feed.version, known.version)) {
      log('warning', 'updates: older than what lies ready; nothing of it is used', { version: feed.version });
      return 'good'; // U6
    }
    updater.keepOnly(text, ready?.feed ?? text);
    await updater.fetch(text, url);
    if (!isClosed && kept.change({ ready: { version: feed.version, feed: text, signature } })) {
      // Not before: what lies ready is what a start looks for.
      updater.keepOnly(text);
      log('info', 'updates: ready for the next start', { version: feed.version });
    }
    return 'good';
  }

  async function check(): Promise<void> {
    if (source === null || isClosed) {
      return;
    }
    checking ??= checkOnce(source)
      .catch((error: unknown) => {
        log('warning', 'updates: not fetched', { reason: String(error).slice(0, 300) });
        return 'failed' as const;
      })
      .then((came) => {
        lastCheck = came;
        checking = null;
      });
    await checking;
  }

  function checkAfter(last: 'none' | 'answered' | 'failed'): void {
    timer = clock.after(nextCheckAfter(last, random.fraction()), () => {
      void check().then(() => {
        if (!isClosed) {
          checkAfter(lastCheck === 'good' ? 'answered' : 'failed');
        }
      });
    });
  }

  return {
    state: () => ({ isChecking: checking !== null, lastCheck, announced }),
    begin: () => {
      if (source !== null) {
        checkAfter('none');
      }
    },
    check,
    close: () => {
      isClosed = true;
      timer?.cancel();
    },
  };
}

/** Replaces this app by what lies ready, if the policy lets it; answers whether it did. */
async function installReady(parts: UpdatesParts): Promise<boolean> {
  const { clock, log, kept, isUnattended, source, version, isRequestUnderWay } = parts;
  const { ready, lastOpenAt } = kept.get();
  if (source === null || ready === null) {
    return false;
  }
  const read = await readSignedFeed(parts, ready.feed, ready.signature, source.publicKey);
  if (read === null || !(await read.updater.isOffered(ready.feed))) {
    // Installed, or older than this version, or of a key that is no longer ours (U1, U6).
    log('info', 'updates: what lay ready is not needed any more', { version: ready.version, runs: version });
    // Its attempts stay counted until it has its window (U5): it may be a new version that ends before (U10).
    kept.change({ ready: null });
    return false;
  }
  const { feed, updater } = read;
  const attempts = attemptsAt(kept.get(), feed.version);
  const now = clock.now();
  const facts = { now, ready: { attempts }, lastOpenAt, isUnattended, isInDate: isGoodOn(feed.expires, now) };
  const quick = decideInstall({ ...facts, isRequestUnderWay: false });
  const decision =
    quick === 'install' ? decideInstall({ ...facts, isRequestUnderWay: await isRequestUnderWay() }) : quick;
  log('info', 'updates: at the start', { version: feed.version, decision });
  if (decision !== 'install') {
    return false;
  }
  const replace = await updater.prepare(ready.feed);
  if (replace === null) {
    log('warning', 'updates: what was fetched is not whole any more, and is fetched again', { version: feed.version });
    kept.change({ ready: null });
    return false;
  }
  // An attempt that could not be counted is none (U5).
  const { attempts: before } = kept.get();
  if (!kept.change({ attempts: { version: feed.version, count: attempts + 1 } })) {
    // Nor is it later, when the disk takes something else of this.
    kept.change({ attempts: before });
    return false;
  }
  try {
    await replace();
    return true;
  } catch (error) {
    log('error', 'updates: not installed', { reason: String(error).slice(0, 300) });
    return false;
  }
}

/** Brings policy, server and updater together. */
export function createUpdates(parts: UpdatesParts) {
  const { clock, log, kept, source, version, forgetFormer } = parts;
  const checks = createChecks(parts);
  let noteTimer: Timer | null = null;

  function noteOpen(): void {
    kept.change({ lastOpenAt: clock.now() });
    noteTimer = clock.after(noteEveryMs, noteOpen);
  }

  return {
    state: (): UpdateState => {
      if (source === null) {
        return { state: 'off', version: null, checkedAt: null, lastCheck: 'good' };
      }
      const { ready, checkedAt } = kept.get();
      const { isChecking, lastCheck, announced } = checks.state();
      if (ready !== null) {
        const state = attemptsAt(kept.get(), ready.version) >= maxAttempts ? 'failed' : 'ready';
        return { state, version: ready.version, checkedAt, lastCheck };
      }
      if (announced !== null) {
        return { state: 'announced', version: announced, checkedAt, lastCheck };
      }
      return { state: isChecking ? 'checking' : 'upToDate', version: null, checkedAt, lastCheck };
    },
    /** At a start, before anything else is open: true when this app is being replaced and ends. */
    installAtStart: (): Promise<boolean> =>
      installReady(parts).catch((error: unknown) => {
        log('error', 'updates: not installed', { reason: String(error).slice(0, 300) });
        return false;
      }),
    /** Begins to look for updates now and then, and to note that Tillside is open. */
    begin: () => {
      try {
        if (forgetFormer()) {
          log('info', 'updates: this version has answered; the former one is removed', { version });
        }
      } catch (error) {
        log('warning', 'updates: the former version cannot be removed', { reason: String(error).slice(0, 300) });
      }
      if (kept.get().attempts?.version === version) {
        kept.change({ attempts: null });
      }
      noteOpen();
      checks.begin();
    },
    /** Looks now. */
    check: checks.check,
    close: () => {
      if (noteTimer !== null) {
        kept.change({ lastOpenAt: clock.now() });
      }
      checks.close();
      noteTimer?.cancel();
    },
  };
}
