import Bottleneck from 'bottleneck';
import PQueue from 'p-queue';
import { accountLimit, accountWindowMs } from './shared-account.ts';
import { scanNowAndThen, wayMs, type Scan, type SharingTerminal, type TerminalWorld } from './sharing-terminal.ts';

/** Puts one call through a limiter; the urgent ones first. */
type Limiter = (isUrgent: boolean, call: () => Promise<number | null>) => Promise<number | null>;

const defaultWaitMs = 5_000;
const maxTries = 3;

function pQueue(cap: number): Limiter {
  const queue = new PQueue({ intervalCap: cap, interval: accountWindowMs, strict: true });
  return (isUrgent, call) => queue.add(call, { priority: isUrgent ? 1 : 0 });
}

function reservoir(cap: number): Limiter {
  const limiter = new Bottleneck({
    reservoir: cap,
    reservoirRefreshAmount: cap,
    reservoirRefreshInterval: accountWindowMs,
  });
  return (isUrgent, call) => limiter.schedule({ priority: isUrgent ? 0 : 5 }, call);
}

function start({ world, account, random, number, ...setting }: TerminalWorld, limiter: Limiter): SharingTerminal {
  const ways = random.fork('ways');
  const scans: Scan[] = [];
  const ending = new AbortController();
  let pausedUntilMs = 0;
  const rest = (forMs: number): Promise<void> =>
    new Promise((resolve) => {
      world.after(forMs, resolve);
    });

  /** How long to wait, or null when it passed. */
  async function send(): Promise<number | null> {
    await rest(wayMs(ways));
    const refusal = account.arrive(number);
    await rest(wayMs(ways));
    return refusal === null ? null : 1000 * (refusal.retryAfterSeconds ?? defaultWaitMs / 1000);
  }

  async function ask(isUrgent: boolean): Promise<boolean> {
    for (let tries = 0; tries < maxTries; tries += 1) {
      await rest(Math.max(0, pausedUntilMs - world.nowMs()));
      const waitMs = await limiter(isUrgent, send);
      if (waitMs === null) {
        return true;
      }
      pausedUntilMs = Math.max(pausedUntilMs, world.nowMs() + waitMs);
    }
    return false;
  }

  async function copy(): Promise<void> {
    while (!ending.signal.aborted) {
      await ask(false);
    }
  }

  void copy();
  scanNowAndThen(
    { world, account, random, number, ...setting },
    scans,
    () => ending.signal.aborted,
    () => ask(true),
  );
  return {
    scans,
    stop: () => {
      ending.abort();
    },
  };
}

interface SharingPeer {
  readonly name: string;
  readonly start: (setting: TerminalWorld) => SharingTerminal;
}

/** Each with the whole limit, and each with its equal part. */
export const sharingPeers: readonly SharingPeer[] = [
  { name: 'p-queue strict, 60', start: (setting) => start(setting, pQueue(accountLimit)) },
  {
    name: 'p-queue strict, 60 / N',
    start: (setting) => start(setting, pQueue(Math.floor(accountLimit / setting.terminals))),
  },
  { name: 'Bottleneck reservoir, 60', start: (setting) => start(setting, reservoir(accountLimit)) },
  {
    name: 'Bottleneck reservoir, 60 / N',
    start: (setting) => start(setting, reservoir(Math.floor(accountLimit / setting.terminals))),
  },
];
