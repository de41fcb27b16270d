// Everything that is electron-updater's lies behind `Updater`. policy.ts has the invariants.
import type { Clock, Http, Random, Shell, Timer, UpdateState } from '../../ports.ts';
import type { UpdateSource } from '../node/device-choices.ts';
import type { Feed } from './feed.ts';
import type { KeptUpdateFile } from './kept-update.ts';
import { decideInstall, maxAttempts, nextCheckAfter } from './policy.ts';
import { isSignedFeed } from './signature.ts';

/** What electron-updater does, behind the few words that the policy needs. */
export interface Updater {
  /** Whether this package can be replaced without an administrator. */
  readonly isUnattended: boolean;
  /** Reads a feed whose signature has held; null when it makes no sense. */
  read(feed: string): Feed | null;
  /** Whether this version is newer, and this terminal within its stage. */
  isOffered(feed: string): Promise<boolean>;
  /** Fetches it, or finds it fetched. Rejects when it cannot be had whole and right. */
  fetch(feed: string, url: string): Promise<void>;
  /**
   * Looks, without the network, whether what was fetched lies here whole; answers what replaces this app by it, or
   * null.
   */
  prepare(feed: string): Promise<Replace | null>;
}

/** Replaces this app, which then ends. Throws when it cannot; this app is then as it was. */
export type Replace = () => void;

export interface UpdatesParts {
  readonly clock: Clock;
  readonly random: Random;
  readonly http: Http;
  readonly log: Shell['log'];
  readonly kept: KeptUpdateFile;
  readonly updater: Updater;
  /** Null: nobody has said where updates come from and who signs them. */
  readonly source: UpdateSource | null;
  /** This app's own version. */
  readonly version: string;
  /** The feed's name, such as latest-linux.yml. */
  readonly feedName: string;
  readonly isRequestUnderWay: () => Promise<boolean>;
}

export interface Updates {
  state(): UpdateState;
  /** At a start, before anything else is open: true when this app is being replaced and ends. */
  installAtStart(): Promise<boolean>;
  /** Begins to look for updates now and then, and to note that Tillside is open. */
  begin(): void;
  /** Looks now. */
  check(): Promise<void>;
  close(): void;
}

const exchangeTimeoutMs = 30_000;
const maxFeedBytes = 100_000;
const maxSignatureBytes = 1000;
const noteEveryMs = 5 * 60_000;

interface SignedFeed {
  readonly text: string;
  readonly signature: string;
  readonly feed: Feed;
}

/** Brings policy, server and updater together. */
export function createUpdates({
  clock,
  random,
  http,
  log,
  kept,
  updater,
  source,
  version,
  feedName,
  isRequestUnderWay,
}: UpdatesParts): Updates {
  let isCheckGood = true;
  let announced: string | null = null;
  let checking: Promise<void> | null = null;
  let checkTimer: Timer | null = null;
  let noteTimer: Timer | null = null;
  let isClosed = false;

  const attemptsAt = (wanted: string): number => {
    const { attempts } = kept.get();
    return attempts?.version === wanted ? attempts.count : 0;
  };

  async function ask(url: string, maxBytes: number): Promise<string | null> {
    const answer = await http.send({
      method: 'GET',
      url,
      headers: { 'cache-control': 'no-cache' },
      timeoutMs: exchangeTimeoutMs,
      maxBytes,
    });
    if (!answer.ok) {
      log('warning', 'updates: no answer', { kind: answer.failure.kind });
      return null;
    }
    if (answer.value.status !== 200) {
      log('warning', 'updates: the server refuses', { status: answer.value.status });
      return null;
    }
    return answer.value.body;
  }

  /** U1. */
  function believe(text: string, signature: string, publicKey: string): SignedFeed | null {
    if (!isSignedFeed(text, signature, publicKey)) {
      log('warning', 'updates: the feed is not signed by the key that this terminal knows; nothing of it is used');
      return null;
    }
    const feed = updater.read(text);
    if (feed === null) {
      log('warning', 'updates: the signed feed makes no sense');
    }
    return feed === null ? null : { text, signature, feed };
  }

  async function askForFeed({ url, publicKey }: UpdateSource): Promise<SignedFeed | null> {
    const address = `${url.replace(/\/+$/, '')}/${feedName}`;
    const text = await ask(address, maxFeedBytes);
    const signature = text === null ? null : await ask(`${address}.sig`, maxSignatureBytes);
    return text === null || signature === null ? null : believe(text, signature, publicKey);
  }

  async function look(from: UpdateSource): Promise<void> {
    const signed = await askForFeed(from);
    isCheckGood = signed !== null;
    if (signed === null) {
      return;
    }
    kept.change({ checkedAt: clock.now() });
    const { text, signature, feed } = signed;
    if (!(await updater.isOffered(text))) {
      announced = null;
      return;
    }
    if (!updater.isUnattended) {
      announced = feed.version; // U7
      return;
    }
    if (kept.get().ready?.feed === text) {
      return; // It lies here, and a start will see whether it is still whole.
    }
    await updater.fetch(text, from.url);
    if (!isClosed) {
      kept.change({ ready: { version: feed.version, feed: text, signature } });
      log('info', 'updates: ready for the next start', { version: feed.version });
    }
  }

  async function check(): Promise<void> {
    if (source === null || isClosed) {
      return;
    }
    checking ??= look(source)
      .catch((error: unknown) => {
        isCheckGood = false;
        log('warning', 'updates: not fetched', { reason: String(error).slice(0, 300) });
      })
      .finally(() => {
        checking = null;
      });
    await checking;
  }

  function checkAfter(last: 'none' | 'answered' | 'failed'): void {
    checkTimer = clock.after(nextCheckAfter(last, random.fraction()), () => {
      void check().then(() => {
        if (!isClosed) {
          checkAfter(isCheckGood ? 'answered' : 'failed');
        }
      });
    });
  }

  function noteOpen(): void {
    kept.change({ lastOpenAt: clock.now() });
    noteTimer = clock.after(noteEveryMs, noteOpen);
  }

  async function installAtStart(): Promise<boolean> {
    const { ready, lastOpenAt } = kept.get();
    if (source === null || ready === null) {
      return false;
    }
    const signed = believe(ready.feed, ready.signature, source.publicKey);
    if (signed === null || !(await updater.isOffered(ready.feed))) {
      // Installed, or older than this version, or of a key that is no longer ours (U1, U6).
      log('info', 'updates: what lay ready is not needed any more', { version: ready.version, runs: version });
      kept.change({ ready: null, attempts: null });
      return false;
    }
    const attempts = attemptsAt(signed.feed.version);
    const facts = { now: clock.now(), ready: { attempts }, lastOpenAt, isUnattended: updater.isUnattended };
    const quick = decideInstall({ ...facts, isRequestUnderWay: false });
    const decision =
      quick === 'install' ? decideInstall({ ...facts, isRequestUnderWay: await isRequestUnderWay() }) : quick;
    log('info', 'updates: at the start', { version: signed.feed.version, decision });
    if (decision !== 'install') {
      return false;
    }
    const replace = await updater.prepare(ready.feed);
    if (replace === null) {
      log('warning', 'updates: what was fetched is not whole any more, and is fetched again', {
        version: signed.feed.version,
      });
      kept.change({ ready: null });
      return false;
    }
    // An attempt that could not be counted is none (U5).
    if (!kept.change({ attempts: { version: signed.feed.version, count: attempts + 1 } })) {
      return false;
    }
    try {
      replace();
      return true;
    } catch (error) {
      log('error', 'updates: not installed', { reason: String(error).slice(0, 300) });
      return false;
    }
  }

  return {
    state: () => {
      const { ready, checkedAt } = kept.get();
      if (source === null) {
        return { state: 'off', version: null, checkedAt: null, isCheckGood: true };
      }
      if (ready !== null) {
        const state = attemptsAt(ready.version) >= maxAttempts ? 'failed' : 'ready';
        return { state, version: ready.version, checkedAt, isCheckGood };
      }
      if (announced !== null) {
        return { state: 'announced', version: announced, checkedAt, isCheckGood };
      }
      return { state: checking === null ? 'upToDate' : 'checking', version: null, checkedAt, isCheckGood };
    },
    installAtStart,
    begin: () => {
      noteOpen();
      if (source !== null) {
        checkAfter('none');
      }
    },
    check,
    close: () => {
      if (noteTimer !== null) {
        kept.change({ lastOpenAt: clock.now() });
      }
      isClosed = true;
      checkTimer?.cancel();
      noteTimer?.cancel();
    },
  };
}
