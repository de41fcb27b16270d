import { soundDisk, type DiskFault, type DiskState } from './disk.ts';
import type { Evidence } from './evidence.ts';
import type { Machine } from './machine.ts';
import { platformEpochMs, type Referee } from './referee.ts';
import { createRounds } from './rounds.ts';
import type { Fault } from './scenario.ts';
import type { SeededRandom } from '../support/seeded-random.ts';
import type { Till } from './till.ts';
import type { Trace } from './trace.ts';
import type { World } from './virtual-clock.ts';

export interface Faults {
  /** From now on one of them happens at about this distance. */
  begin(weights: Readonly<Partial<Record<Fault, number>>>, meanGapMs: number): void;
  /** Nothing bad happens any more, and all that was bad is well. */
  heal(): void;
  /** The process dies and the files of the copy are deleted; then it is opened again. */
  wipe(): void;
  /** Somebody ends the app, and starts it again. */
  restart(): void;
  /** The process has died by itself. */
  recover(): void;
  /** Nobody opens the terminal again. */
  finish(): void;
}

interface FaultsWorld {
  readonly world: World;
  readonly random: SeededRandom;
  readonly trace: Trace;
  readonly machine: Machine;
  readonly till: Till;
  readonly referee: Referee;
  readonly evidence: Evidence;
  /** Products that somebody at another terminal switches. */
  readonly others: readonly string[];
  /** Users whom somebody else deletes and restores. */
  readonly busyUsers: readonly string[];
  /** Else its queue never becomes one of the version before, which knows no clients. */
  readonly hasOneClient: boolean;
}

const minuteMs = 60_000;
const reopenedWithinMs = 65_000;
/** From the evening before a day off to the morning after it. */
const dayOffMs = 40 * 60 * minuteMs;
/** Where the clock stands when the battery that keeps it is empty. */
const emptyBatteryMs = Date.UTC(2000, 0, 1) - platformEpochMs;

/** Opens the till again, once, however often that is asked. */
function createReopening(world: World, till: Till) {
  let isDue = false;
  let isFinished = false;

  function after(delayMs: number): void {
    if (isDue) {
      return;
    }
    isDue = true;
    world.after(delayMs, () => {
      if (isFinished) {
        return;
      }
      isDue = false;
      if (till.isRunning()) {
        // It is still closing.
        after(500);
        return;
      }
      till.open();
    });
  }

  return {
    after,
    isDue: () => isDue,
    /** Opens it after `start`, which runs then. */
    afterStart: (delayMs: number, start: () => void): void => {
      isDue = true;
      world.after(delayMs, () => {
        start();
        isDue = false;
        till.open();
      });
    },
    finish: (): void => {
      isFinished = true;
    },
  };
}

type Happen = Readonly<Record<Fault, () => void>>;

/** The faults of the platform. */
function faultsOfPlatform({
  world,
  random,
  trace,
  referee,
  evidence,
  others,
  busyUsers,
}: FaultsWorld): Pick<Happen, 'expire' | 'revoke' | 'users' | 'other' | 'sell'> {
  return {
    expire: () => {
      trace.add('all access tokens end');
      referee.tokens.expireAll();
    },
    revoke: () => {
      trace.add('all tokens are revoked');
      referee.tokens.revokeAll();
      evidence.sessionTroubles.push({ fromMs: world.nowMs(), toMs: world.nowMs() });
    },
    users: () => {
      const userId = random.pick(busyUsers);
      if (random.chance(0.7)) {
        referee.users.remove(userId);
      } else {
        referee.restoreByOther(userId);
      }
    },
    other: () => {
      referee.changeByOther(random.pick(others), random.chance(0.5));
    },
    sell: () => {
      referee.stock.sell();
    },
  };
}

/** The faults of the machine's clock, and how long the machine is asleep or off. */
function faultsOfTime(
  { world, random, machine, till, evidence }: FaultsWorld,
  reopening: ReturnType<typeof createReopening>,
): Pick<Happen, 'clock' | 'sleep' | 'reboot'> {
  // Chances of their own, so that the other draws stay what they were.
  const [daysOff, batteries] = [random.fork('days off'), random.fork('batteries')];

  function setClock(byMs: number): void {
    machine.shiftClock(byMs);
    evidence.clockShifts.push(world.nowMs());
    evidence.wallClock.push({ atMs: world.nowMs(), offMs: machine.clockOffMs() });
  }

  function sleep(durationMs: number): void {
    evidence.copy.sleeps.push({ fromMs: world.nowMs(), toMs: world.nowMs() + durationMs });
    machine.sleep(durationMs);
  }

  /** The machine starts in the year 2000, and a time server answers some time later. */
  function startWithoutTime(): void {
    const lostMs = emptyBatteryMs - world.nowMs() - machine.clockOffMs();
    evidence.lostClocks.push(world.nowMs());
    setClock(lostMs);
    world.after(batteries.integer(2_000, 3 * minuteMs), () => {
      setClock(-lostMs);
    });
  }

  return {
    clock: () => {
      setClock(random.pick([-1, 1]) * random.pick([5000, 10 * minuteMs, 60 * minuteMs, 24 * 60 * minuteMs]));
    },
    sleep: () => {
      const durationMs = random.pick([20_000, 5 * minuteMs, 40 * minuteMs, 8 * 60 * minuteMs]);
      sleep(Math.max(durationMs, daysOff.chance(0.1) ? dayOffMs : 0));
    },
    reboot: () => {
      till.kill();
      if (reopening.isDue()) {
        return;
      }
      // Some are up again before a minute is over.
      const defaultMs = random.pick([random.integer(8000, 20_000), random.integer(45_000, 2 * minuteMs)]);
      const isBatteryEmpty = batteries.chance(0.2);
      const offMs = daysOff.chance(isBatteryEmpty ? 0.5 : 0.05) ? dayOffMs : defaultMs;
      if (offMs === dayOffMs) {
        sleep(offMs);
      }
      reopening.afterStart(offMs, () => {
        machine.reboot();
        if (isBatteryEmpty) {
          startWithoutTime();
        }
      });
    },
  };
}

/** Makes the faults of one till; none happens yet. */
export function createFaults(faultsWorld: FaultsWorld): Faults {
  const { world, random, machine, till, evidence, hasOneClient } = faultsWorld;
  const reopening = createReopening(world, till);
  const rounds = createRounds(world);

  /** Something that a sign-in may suffer from, until it is undone. */
  function trouble(durationMs: number, undo: () => void): void {
    evidence.sessionTroubles.push({ fromMs: world.nowMs(), toMs: world.nowMs() + durationMs });
    world.after(durationMs, undo);
  }

  function reopenSoon(): void {
    reopening.after(random.chance(0.8) ? random.integer(150, 4000) : random.waitMs(minuteMs));
  }

  function wipe(): void {
    till.kill();
    machine.wipeCopy();
    evidence.copy.wipes.push(world.nowMs());
    reopenSoon();
  }

  function repair(): void {
    machine.setSettingsWritable(true);
    machine.setDisk(soundDisk);
  }

  // Chances of their own, so that the other draws stay what they were.
  const disks = random.fork('disks');

  function drawDisk(state: DiskState): DiskFault {
    return {
      state: disks.chance(0.2) ? 'closed' : state,
      files: disks.pick(['', '', '', 'queue', 'catalogue', 'audit'] as const),
      afterWrites: disks.pick([0, 0, disks.integer(1, 10), disks.integer(1, 200)]),
    };
  }

  /** The till is started while the disk refuses, beside what an earlier start has left. */
  function startOnSuchDisk(): void {
    till.kill();
    if (disks.chance(0.5) && hasOneClient) {
      machine.leaveBesideQueue();
    }
    reopening.after(disks.integer(150, 2_000));
  }

  const happen: Happen = {
    ...faultsOfPlatform(faultsWorld),
    ...faultsOfTime(faultsWorld, reopening),
    wipe,
    kill: () => {
      till.kill();
      reopenSoon();
    },
    killSoon: () => {
      till.killSoon(random.pick([random.integer(1, 12), random.integer(1, 60), random.integer(1, 400)]));
    },
    quit: () => {
      till.quit();
      reopenSoon();
    },
    vault: () => {
      machine.setVault(random.pick(['locked', 'unavailable']));
      trouble(random.waitMs(30_000), () => {
        machine.setVault('open');
      });
    },
    disk: () => {
      machine.setSettingsWritable(false);
      const fault = drawDisk(random.pick(['full', 'readOnly'] as const));
      const durationMs = random.waitMs(20_000);
      // A copy that could not be opened is opened within a minute.
      const toMs = world.nowMs() + durationMs + (fault.state === 'closed' ? reopenedWithinMs : 0);
      evidence.fullDisks.push({ fromMs: world.nowMs(), toMs });
      if (disks.chance(0.4)) {
        startOnSuchDisk();
      }
      machine.setDisk(fault);
      trouble(durationMs, () => {
        repair();
        if (!till.isRunning()) {
          reopening.after(1000);
        }
      });
    },
    rot: () => {
      till.kill();
      const damage = machine.alterRow();
      if (damage !== null) {
        evidence.damages.push({ atMs: world.nowMs(), damage });
      }
      reopenSoon();
    },
  };

  return {
    begin: (weights, meanGapMs) => {
      rounds.begin(
        () => random.waitMs(meanGapMs),
        () => {
          if (till.isRunning() && world.nowMs() >= machine.awakeAtMs()) {
            happen[random.pickWeighted(weights)]();
          }
        },
      );
    },
    heal: () => {
      rounds.end();
      till.killSoon(Number.POSITIVE_INFINITY);
      machine.setVault('open');
      repair();
      if (!till.isRunning()) {
        reopening.after(1000);
      }
    },
    wipe,
    restart: happen.quit,
    finish: reopening.finish,
    recover: () => {
      till.bury();
      reopenSoon();
    },
  };
}
