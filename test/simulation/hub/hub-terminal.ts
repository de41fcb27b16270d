import type { HubMemoryRepository, StoredMemory } from '../../../app/hub/rate-share.ts';
import { createHubMember, type HubMember } from '../../../app/hub/member.ts';
import type { HubLink } from '../../../app/hub/link.ts';
import type { Clock } from '../../../app/ports.ts';
import type { Id } from '../../../app/domain/int64.ts';
import type { Lane, WantedFigure } from '../../../app/rate-limit/lanes.ts';
import { openRateLimit, type RateLimit } from '../../../app/rate-limit/rate-limit.ts';
import { documentedRules, latestArrivalMs } from '../../../app/rate-limit/rules.ts';
import { surelyPassedMs, type SendLog } from '../../../app/rate-limit/send-log.ts';
import type { Refusal } from '../../../app/rate-limit/shared-limit.ts';
import type { SeededRandom } from '../../support/seeded-random.ts';
import type { World } from '../virtual-clock.ts';
import { linkTo, shopAccount, type Lines, type Register } from './register.ts';

/** The data on a terminal's disk. */
interface Disk {
  rows: { readonly id: number; readonly lane: Lane; settledMs: number | null; isAbandoned: boolean }[];
  refusal: { readonly refusal: Refusal; readonly atMs: number } | null;
  memory: StoredMemory | null;
}

/** The send log on the simulated disk; what was settled is written with the next request, as in the real one. */
function logOn(disk: Disk): SendLog {
  let settled: (() => void)[] = [];
  const flush = (): void => {
    for (const write of settled) {
      write();
    }
    settled = [];
  };
  return {
    remember: (uptimeMs) =>
      disk.rows.map(({ id, lane, settledMs, isAbandoned }) => ({
        id,
        lane,
        arrivedForMs:
          settledMs === null
            ? -latestArrivalMs
            : surelyPassedMs(settledMs, uptimeMs) - (isAbandoned ? latestArrivalMs : 0),
      })),
    take: (lane) => {
      flush();
      const id = Math.max(0, ...disk.rows.map((row) => row.id)) + 1;
      disk.rows.push({ id, lane, settledMs: null, isAbandoned: false });
      return id;
    },
    settle: (id, uptimeMs, isAbandoned) => {
      settled.push(() => {
        const row = disk.rows.find((other) => other.id === id);
        if (row !== undefined) {
          row.settledMs = uptimeMs;
          row.isAbandoned = isAbandoned;
        }
      });
    },
    readRefusal: (uptimeMs) => {
      if (disk.refusal === null) {
        return null;
      }
      const { refusal, atMs } = disk.refusal;
      const passedMs = surelyPassedMs(atMs, uptimeMs);
      const { sharing } = refusal;
      return {
        pauseMs: refusal.pauseMs - passedMs,
        sharing:
          sharing === null
            ? null
            : { ...sharing, growsInMs: sharing.growsInMs - passedMs, refusedForMs: sharing.refusedForMs + passedMs },
      };
    },
    keepRefusal: (refusal, atMs) => {
      disk.refusal = { refusal, atMs };
    },
    keep: flush,
    forget: (ids) => {
      disk.rows = disk.rows.filter(({ id }) => !ids.includes(id));
    },
    fill: () => undefined,
  };
}

/** The platform as one terminal reaches it. */
export interface PlatformLine {
  /** A request leaves: it arrives after a while, or late, or never; answers its status, or null when none comes. */
  send(answered: (status: number | null) => void): void;
}

/** A person's question that one listing may answer with others' (H15). */
export interface FigureQuestion {
  readonly figure: WantedFigure;
  /** Ends its wait for a slot. */
  readonly signal: AbortSignal;
  /** An answer has come, with the figures of these others. */
  readonly onAnswer: (others: readonly Id[]) => void;
}

export interface HubTerminal {
  readonly name: string;
  readonly lines: Lines;
  /** One request in this lane; `done` is called with how long it waited for its slot. */
  ask(lane: Lane, done?: (waitedMs: number) => void, question?: FigureQuestion): void;
  /** Ends without a word. */
  crash(): void;
  /** Starts again; the machine too, when its uptime begins anew. At the same hub unless another is named. */
  start(isReboot: boolean, at?: string): void;
  /** Ends in order. */
  close(how?: Parameters<HubMember['close']>[0]): Promise<void>;
  suspend(forMs: number): void;
  isUp(): boolean;
  /** Whether its disk has a record of the terminal with this name. */
  remembers(other: string): boolean;
  member(): HubMember | null;
  rateLimit(): RateLimit | null;
  /** How many slots were granted to persons, and for how many they are asked still. */
  grants(): number;
  personsWaiting(): number;
}

export const hubKey = new Uint8Array(32).fill(7);

export function createHubTerminal(
  world: World,
  register: Register,
  platform: PlatformLine,
  name: string,
  random: SeededRandom,
  openLink?: (clock: Clock, lines: Lines) => HubLink,
  /** The platform's window as it is set at this terminal. */
  windowMs: () => number = () => documentedRules.windowMs,
  /** At which account its requests count when it starts. */
  accountNow: () => string | null = () => null,
): HubTerminal {
  const lines: Lines = { isThereCut: false, isBackCut: false, meanMs: 3 };
  const disk: Disk = { rows: [], refusal: null, memory: null };
  let bootMs = world.nowMs() - random.integer(10_000, 10_000_000);
  let run = 0;
  let awakeMs = 0;
  let grants = 0;
  let personsWaiting = 0;
  let now: { readonly member: HubMember; readonly rateLimit: RateLimit; readonly clock: Clock } | null = null;

  let place = 'hub';
  const repository = (): HubMemoryRepository => ({
    place,
    read: () => disk.memory,
    write: (stored) => {
      disk.memory = stored;
    },
  });

  /** Calls back in this run alone, and not while the machine sleeps. */
  function inRun(ofRun: number, callback: () => void): void {
    if (ofRun !== run) {
      return;
    }
    if (world.nowMs() < awakeMs) {
      world.after(awakeMs - world.nowMs(), () => {
        inRun(ofRun, callback);
      });
      return;
    }
    callback();
  }

  function start(isReboot: boolean, at = place): void {
    place = at;
    run += 1;
    personsWaiting = 0;
    const ofRun = run;
    if (isReboot) {
      bootMs = world.nowMs() - 1_000;
    }
    const clock: Clock = {
      now: () => world.nowMs(),
      uptimeMs: () => world.nowMs() - bootMs,
      after: (delayMs, callback) =>
        world.after(delayMs, () => {
          inRun(ofRun, callback);
        }),
    };
    const member = createHubMember({
      clock,
      random: random.fork(`uuid${run}`),
      link: openLink?.(clock, lines) ?? linkTo(register, lines, world, clock, random.fork(`link${run}`)),
      account: shopAccount,
      key: hubKey,
      windowMs,
      self: { id: name, name, appVersion: '1' },
      repository: repository(),
      countsAt: accountNow(),
      onChange: () => undefined,
      onTwin: () => undefined,
    });
    const rateLimit = openRateLimit(
      clock,
      logOn(disk),
      () => ({ ...documentedRules, windowMs: member.windowMs() }),
      member.turns,
    );
    member.start(rateLimit);
    now = { member, rateLimit, clock };
  }
  start(false);

  return {
    name,
    lines,
    ask: (lane, done, question) => {
      if (now === null) {
        return;
      }
      const { rateLimit, clock } = now;
      const ofRun = run;
      const fromMs = clock.uptimeMs();
      const purpose =
        question === undefined
          ? undefined
          : { kind: 'balance' as const, subject: question.figure.productId, figure: question.figure };
      const persons = lane === 'person' ? 1 : 0;
      personsWaiting += persons;
      void rateLimit.take(lane, question?.signal, purpose).then((taken) => {
        personsWaiting -= ofRun === run ? persons : 0;
        if (!taken.ok || ofRun !== run) {
          return;
        }
        const slot = taken.value;
        grants += persons;
        done?.(clock.uptimeMs() - fromMs);
        const others = question === undefined ? [] : rateLimit.wantedFigures(question.figure.scope);
        clock.after(random.waitMs(40), () => {
          if (slot.leave() !== null) {
            slot.giveBack();
            return;
          }
          let isOver = false;
          const abandoned = clock.after(20_000, () => {
            isOver = true;
            slot.abandon();
          });
          platform.send((status) => {
            inRun(ofRun, () => {
              if (!isOver) {
                isOver = true;
                abandoned.cancel();
                if (status === null) {
                  slot.abandon();
                } else {
                  slot.settle();
                }
                if (status === 200) {
                  question?.onAnswer(others);
                }
                if (status === 429) {
                  rateLimit.slowDown();
                }
              }
            });
          });
        });
      });
    },
    crash: () => {
      run += 1;
      personsWaiting = 0;
      now = null;
    },
    start,
    close: async (how) => {
      const closed = now;
      if (closed !== null) {
        closed.rateLimit.close();
        await closed.member.close(how);
        if (now === closed) {
          now = null;
          run += 1;
          personsWaiting = 0;
        }
      }
    },
    suspend: (forMs) => {
      awakeMs = world.nowMs() + forMs;
    },
    isUp: () => now !== null,
    remembers: (other) => disk.memory?.memory.document.members[other] !== undefined,
    member: () => now?.member ?? null,
    rateLimit: () => now?.rateLimit ?? null,
    grants: () => grants,
    personsWaiting: () => personsWaiting,
  };
}
