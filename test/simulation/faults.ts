import type { Evidence } from './evidence.ts';
import type { Machine } from './machine.ts';
import { platformEpochMs, type Referee } from './referee.ts';
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
}

const minuteMs = 60_000;
/** From the evening before a day off to the morning after it. */
const dayOffMs = 40 * 60 * minuteMs;
/** Where the clock stands when the battery that keeps it is empty. */
const emptyBatteryMs = Date.UTC(2000, 0, 1) - platformEpochMs;

/** Makes the misfortunes of one till; none happens yet. */
export function createFaults({
  world,
  random,
  trace,
  machine,
  till,
  referee,
  evidence,
  others,
  busyUsers,
}: FaultsWorld): Faults {
  let turn = 0;
  let isReopening = false;
  let isFinished = false;
  // Chances of their own, so that the draws above stay what they were.
  const [daysOff, batteries] = [random.fork('days off'), random.fork('batteries')];

  function setClock(byMs: number): void {
    machine.shiftClock(byMs);
    evidence.clockShifts.push(world.nowMs());
    evidence.bridge.push({ atMs: world.nowMs(), offMs: machine.clockOffMs() });
  }

  function sleep(durationMs: number): void {
    evidence.copy.sleeps.push(world.nowMs());
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

  function reopenAfter(delayMs: number): void {
    if (isReopening) {
      return;
    }
    isReopening = true;
    world.after(delayMs, () => {
      if (isFinished) {
        return;
      }
      if (till.isRunning()) {
        // It is still closing.
        isReopening = false;
        reopenAfter(500);
        return;
      }
      isReopening = false;
      till.open();
    });
  }

  /** Something that a sign-in may suffer from, until it is undone. */
  function trouble(durationMs: number, undo: () => void): void {
    evidence.sessionTroubles.push({ fromMs: world.nowMs(), toMs: world.nowMs() + durationMs });
    world.after(durationMs, undo);
  }

  function wipe(): void {
    till.kill();
    machine.wipeCopy();
    evidence.copy.wipes.push(world.nowMs());
    reopenAfter(soon());
  }

  function soon(): number {
    return random.chance(0.8) ? random.integer(150, 4000) : random.waitMs(minuteMs);
  }

  function happen(fault: Fault): void {
    switch (fault) {
      case 'kill':
        till.kill();
        reopenAfter(soon());
        break;
      case 'killSoon':
        till.killSoon(random.pick([random.integer(1, 12), random.integer(1, 60), random.integer(1, 400)]));
        break;
      case 'quit':
        till.quit();
        reopenAfter(soon());
        break;
      case 'reboot':
        till.kill();
        if (!isReopening) {
          isReopening = true;
          // Some are up again before a minute is over.
          const defaultMs = random.pick([random.integer(8000, 20_000), random.integer(45_000, 2 * minuteMs)]);
          const isBatteryEmpty = batteries.chance(0.2);
          const offMs = daysOff.chance(isBatteryEmpty ? 0.5 : 0.05) ? dayOffMs : defaultMs;
          if (offMs === dayOffMs) {
            sleep(offMs);
          }
          world.after(offMs, () => {
            machine.reboot();
            if (isBatteryEmpty) {
              startWithoutTime();
            }
            isReopening = false;
            till.open();
          });
        }
        break;
      case 'sleep':
        sleep(
          Math.max(
            random.pick([20_000, 5 * minuteMs, 40 * minuteMs, 8 * 60 * minuteMs]),
            daysOff.chance(0.1) ? dayOffMs : 0,
          ),
        );
        break;
      case 'clock':
        setClock(random.pick([-1, 1]) * random.pick([5000, 10 * minuteMs, 60 * minuteMs, 24 * 60 * minuteMs]));
        break;
      case 'expire':
        trace.add('all access tokens end');
        referee.tokens.expireAll();
        break;
      case 'revoke':
        trace.add('all tokens are revoked');
        referee.tokens.revokeAll();
        evidence.sessionTroubles.push({ fromMs: world.nowMs(), toMs: world.nowMs() });
        break;
      case 'vault':
        machine.setVault(random.pick(['locked', 'unavailable']));
        trouble(random.waitMs(30_000), () => {
          machine.setVault('open');
        });
        break;
      case 'disk': {
        machine.setSettingsWritable(false);
        machine.setDisk(random.pick(['full', 'readOnly'] as const));
        const durationMs = random.waitMs(20_000);
        evidence.fullDisks.push({ fromMs: world.nowMs(), toMs: world.nowMs() + durationMs });
        trouble(durationMs, () => {
          machine.setSettingsWritable(true);
          machine.setDisk('fine');
        });
        break;
      }
      case 'rot': {
        till.kill();
        const damage = machine.alterRow();
        if (damage !== null) {
          evidence.damages.push({ atMs: world.nowMs(), damage });
        }
        reopenAfter(soon());
        break;
      }
      case 'wipe':
        wipe();
        break;
      case 'users': {
        const userId = random.pick(busyUsers);
        if (random.chance(0.7)) {
          referee.users.remove(userId);
        } else {
          referee.restoreByOther(userId);
        }
        break;
      }
      case 'other':
        referee.changeByOther(random.pick(others), random.chance(0.5));
        break;
      case 'sell':
        referee.stock.sell();
        break;
    }
  }

  return {
    begin: (weights, meanGapMs) => {
      turn += 1;
      const mine = turn;
      const next = (): void => {
        world.after(random.waitMs(meanGapMs), () => {
          if (mine !== turn) {
            return;
          }
          if (till.isRunning() && world.nowMs() >= machine.awakeAtMs()) {
            happen(random.pickWeighted(weights));
          }
          next();
        });
      };
      next();
    },
    heal: () => {
      turn += 1;
      till.killSoon(Number.POSITIVE_INFINITY);
      machine.setVault('open');
      machine.setSettingsWritable(true);
      machine.setDisk('fine');
      if (!till.isRunning()) {
        reopenAfter(1000);
      }
    },
    wipe,
    finish: () => {
      isFinished = true;
    },
    recover: () => {
      till.bury();
      reopenAfter(soon());
    },
  };
}
