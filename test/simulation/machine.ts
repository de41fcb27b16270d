import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Failure } from '../../app/domain/failure.ts';
import { fail, succeed, type Result } from '../../app/domain/result.ts';
import type { Clock, Http, Ports, Random, SettingsFile, Shell, Vault } from '../../app/ports.ts';
import { isOpening } from './openings.ts';
import { alterRow, leaveBesideQueue, setDisk, soundDisk, type Damage, type DiskFault } from './disk.ts';
import type { Network, Sender } from './network.ts';
import { platformEpochMs } from './referee.ts';
import type { SeededRandom } from '../support/seeded-random.ts';
import type { Trace } from './trace.ts';
import type { World } from './virtual-clock.ts';

/** How the keychain is just now. */
type VaultState = 'open' | 'locked' | 'unavailable';

/** One run of the terminal's process, from its start to its end. */
export interface Life {
  readonly number: number;
  readonly ports: Ports;
  isAlive(): boolean;
  /** The process dies within its next so many calls of a port, in the middle of whatever it is doing. */
  crashAfterCalls(calls: number): void;
}

export interface Machine {
  /** Starts a run on what the last one left. Only when none is alive. */
  begin(): Life;
  /** The run of now is gone; what it had on disk is kept as it is. */
  crash(why: string): void;
  /** The run has ended by itself. */
  end(): void;
  /** The machine restarts: its uptime begins anew. Only when no run is alive. */
  reboot(): void;
  sleep(durationMs: number): void;
  /** When it is awake again; in the past while it is. */
  awakeAtMs(): number;
  /** By how much the wall clock is off. */
  clockOffMs(): number;
  /** Somebody sets the wall clock. */
  shiftClock(byMs: number): void;
  setVault(state: VaultState): void;
  isVaultOpen(): boolean;
  /** Whether its keychain has an entry of this name for any platform. */
  isInVault(name: string): boolean;
  setSettingsWritable(isWritable: boolean): void;
  /** How the disk takes what this run and the next ones write to databases. */
  setDisk(fault: DiskFault): void;
  isDiskFine(): boolean;
  /** Lays the leftovers of an earlier start beside queue.db. Only when no run is alive. */
  leaveBesideQueue(): void;
  /** A bit flips in a row of the queue. Only when no run is alive. Null when there was none to flip. */
  alterRow(): Damage | null;
  /** The copy of the listing is gone from the disk. Only when no run is alive. */
  wipeCopy(): void;
  /** The folder of the run of now, or of the last one. */
  folder(): string;
  /** How often a run died. */
  crashes(): number;
}

interface MachineWorld {
  readonly world: World;
  readonly random: SeededRandom;
  readonly trace: Trace;
  readonly network: Network;
  /** An empty folder that belongs to this machine. */
  readonly root: string;
  /** The content of its settings when it is switched on; empty where it is absent. */
  readonly settings?: object;
  /** The surroundings of the terminal, and its practice store; nothing where it is absent. */
  readonly around?: Partial<Shell>;
  /** Called when a run dies by itself, in the middle of a call of a port. */
  readonly onCrash: () => void;
  /** Called with what a timer of the terminal threw, which would end a real process. */
  readonly onThrow: (error: unknown) => void;
  /** Sees everything that leaves the process for a place where no secret may be. */
  readonly inspect: (where: string, text: string) => void;
}

function nameOfDamage(damage: Damage | null): string {
  if (damage === null) {
    return 'nothing';
  }
  return damage.kind === 'update' ? `update ${String(damage.updateId)}` : 'a request';
}

/** Makes a machine that has just been switched on. */
export function createMachine({
  world,
  random,
  trace,
  network,
  root,
  settings,
  around,
  onCrash,
  onThrow,
  inspect,
}: MachineWorld): Machine {
  const vault = new Map<string, string>();
  let vaultState: VaultState = 'open';
  let settingsText: string | null = settings === undefined ? null : JSON.stringify(settings);
  let isSettingsWritable = true;
  let disk = soundDisk;
  // It has been on for a day.
  let bootedAtMs = -86_400_000;
  let wallOffsetMs = random.integer(-90_000, 90_000);
  let awakeAtMs = 0;
  let lastSleepMs = -1;
  let lives = 0;
  let folders = 0;
  let crashes = 0;
  let living = 0;

  world.holdWhile(isOpening);
  // Chances of its own, so that the other draws stay what they were.
  const disks = random.fork('disks');

  const folderOf = (number: number): string => join(root, String(number));
  mkdirSync(folderOf(0), { recursive: true });

  /** Calls back after the delay, once the machine is awake, if this run still lives. */
  function after(life: number, delayMs: number, callback: () => void): { cancel(): void } {
    let isCancelled = false;
    const attempt = (waitMs: number): void => {
      world.after(waitMs, () => {
        if (isCancelled || living !== life) {
          return;
        }
        if (world.nowMs() < awakeAtMs) {
          attempt(awakeAtMs - world.nowMs());
          return;
        }
        try {
          callback();
        } catch (error) {
          onThrow(error);
        }
      });
    };
    attempt(delayMs);
    return {
      cancel: () => {
        isCancelled = true;
      },
    };
  }

  /** The world's own changes of files are refused by no disk. */
  function byHand<Value>(action: () => Value): Value {
    setDisk(folderOf(folders), soundDisk);
    try {
      return action();
    } finally {
      setDisk(folderOf(folders), disk);
    }
  }

  function crash(why: string): void {
    trace.add(`crash ${why}`);
    crashes += 1;
    living = 0;
    cpSync(folderOf(folders), folderOf(folders + 1), { recursive: true });
    setDisk(folderOf(folders), soundDisk);
    folders += 1;
    setDisk(folderOf(folders), disk);
  }

  function begin(): Life {
    lives += 1;
    living = lives;
    const number = lives;
    let callsLeft = Number.POSITIVE_INFINITY;

    /** Every call of a port comes by here; answers whether the process still lives. */
    function pass(): boolean {
      callsLeft -= 1;
      if (living === number && callsLeft <= 0) {
        crash('at a call of a port');
        onCrash();
      }
      return living === number;
    }

    const clock: Clock = {
      now: () => (pass(), platformEpochMs + world.nowMs() + wallOffsetMs),
      uptimeMs: () => (pass(), world.nowMs() - bootedAtMs),
      after: (delayMs, callback) => (pass(), after(number, delayMs, callback)),
    };

    const chance = random.fork(`life ${String(number)}`);
    const lifeRandom: Random = { uuid: () => (pass(), chance.uuid()), fraction: () => (pass(), chance.fraction()) };

    const sender: Sender = {
      life: number,
      isAlive: () => living === number,
      after: (delayMs, callback) => {
        after(number, delayMs, callback);
      },
      sleptSince: (timeMs) => lastSleepMs >= timeMs,
    };
    const http: Http = {
      send: (request) => {
        if (pass()) {
          return network.send(sender, request);
        }
        // The process is gone; only its own closing may let go of it.
        return new Promise((resolve) => {
          const cancel = (): void => {
            resolve(fail({ kind: 'cancelled' }));
          };
          request.signal?.addEventListener('abort', cancel, { once: true });
          if (request.signal?.aborted === true) {
            cancel();
          }
        });
      },
    };

    // One call at a time, as with the real one.
    let vaultFreeAtMs = 0;
    function ask<Value>(action: () => Result<Value, Failure>): Promise<Result<Value, Failure>> {
      if (!pass()) {
        return Promise.resolve(fail({ kind: 'vaultUnavailable' }));
      }
      return new Promise((resolve) => {
        vaultFreeAtMs = Math.max(world.nowMs(), vaultFreeAtMs) + random.integer(0, 40);
        after(number, vaultFreeAtMs - world.nowMs(), () => {
          resolve(vaultState === 'unavailable' ? fail({ kind: 'vaultUnavailable' }) : action());
        });
      });
    }
    const lifeVault: Vault = {
      read: (name) => ask(() => succeed(vaultState === 'locked' ? null : (vault.get(name) ?? null))),
      write: (name, secret) =>
        ask(() => {
          if (vaultState === 'locked') {
            return fail({ kind: 'vaultUnavailable' });
          }
          vault.set(name, secret);
          return succeed(undefined);
        }),
      remove: (name) =>
        ask(() => {
          if (vaultState === 'locked') {
            return fail({ kind: 'vaultUnavailable' });
          }
          vault.delete(name);
          return succeed(undefined);
        }),
    };

    const settingsFile: SettingsFile = {
      read: () => (pass(), settingsText === null ? null : (JSON.parse(settingsText) as unknown)),
      write: (document) => {
        if (pass()) {
          const text = JSON.stringify(document);
          inspect('settings', text);
          if (!isSettingsWritable) {
            return fail({ kind: 'storageFull' });
          }
          settingsText = text;
        }
        return succeed(undefined);
      },
    };

    const shell: Shell = {
      host: 'browser',
      version: '0.0.0',
      dataDirectory: folderOf(folders),
      systemLanguage: 'en',
      offsetMinutes: () => 0,
      log: (level, message, details) => {
        if (pass()) {
          inspect('log', `${level} ${message} ${JSON.stringify(details ?? {})}`);
          trace.add(`log ${message}`);
        }
      },
      startPractice: () => Promise.reject(new Error('this till has no practice store')),
      ...around,
    };

    trace.add(`begin run ${String(number)}`);
    return {
      number,
      ports: { clock, random: lifeRandom, http, vault: lifeVault, settingsFile, shell },
      isAlive: () => living === number,
      crashAfterCalls: (calls) => {
        callsLeft = calls;
      },
    };
  }

  return {
    begin,
    crash,
    end: () => {
      living = 0;
      trace.add('end');
    },
    reboot: () => {
      bootedAtMs = world.nowMs() - random.integer(3000, 7000);
      trace.add('reboot');
    },
    sleep: (durationMs) => {
      awakeAtMs = world.nowMs() + durationMs;
      lastSleepMs = awakeAtMs;
      trace.add(`sleep for ${String(durationMs)} ms`);
    },
    awakeAtMs: () => awakeAtMs,
    clockOffMs: () => wallOffsetMs,
    shiftClock: (byMs) => {
      wallOffsetMs += byMs;
      trace.add(`clock set by ${String(byMs)} ms`);
    },
    setVault: (state) => {
      vaultState = state;
      trace.add(`keychain ${state}`);
    },
    isVaultOpen: () => vaultState === 'open',
    isInVault: (name) => vault.keys().some((one) => one.startsWith(`${name} `)),
    setSettingsWritable: (isWritable) => {
      isSettingsWritable = isWritable;
      trace.add(`settings ${isWritable ? 'writable' : 'full'}`);
    },
    setDisk: (fault) => {
      disk = fault;
      setDisk(folderOf(folders), fault);
      trace.add(
        `disk ${fault.state} for ${fault.files === '' ? 'all' : fault.files} after ${String(fault.afterWrites)}`,
      );
    },
    isDiskFine: () => disk.state === 'fine',
    leaveBesideQueue: () => {
      trace.add(`left beside the queue: ${byHand(() => leaveBesideQueue(folderOf(folders), disks))}`);
    },
    alterRow: () => {
      const damage = byHand(() => alterRow(folderOf(folders), random));
      trace.add(`damage to ${nameOfDamage(damage)}`);
      return damage;
    },
    wipeCopy: () => {
      const store = join(folderOf(folders), 'store');
      for (const name of existsSync(store) ? readdirSync(store) : []) {
        if (name.startsWith('catalogue')) {
          rmSync(join(store, name), { force: true });
        }
      }
      trace.add('the copy is gone');
    },
    folder: () => folderOf(folders),
    crashes: () => crashes,
  };
}
