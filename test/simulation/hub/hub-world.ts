import { createSeededRandom, type SeededRandom } from '../../support/seeded-random.ts';
import { createWorld, type World } from '../virtual-clock.ts';
import { askFigures } from './figure-scans.ts';
import { createHubTerminal, type HubTerminal, type PlatformLine } from './hub-terminal.ts';
import { watchIdle, type Idle } from './idle-watch.ts';
import { createRegister, type Register } from './register.ts';

export interface HubScenario {
  readonly seed: number;
  readonly terminals: number;
  /** The platform's window; it is set so at the first terminal, and at the others unless they were forgotten. */
  readonly windowMs: number;
  readonly isSetOnce: boolean;
  readonly minutes: number;
  /** How often something happens to the hub, a network or a terminal; infinite for a calm world. */
  readonly faultEveryMs: number;
  /** Requests of somebody outside at the account, a window. */
  readonly outsidePerWindow: number;
  /** Persons ask for figures that one listing can answer (H15); some of what other tills share of them is lost. */
  readonly isListed: boolean;
}

/** Everything is well again for so long at the end of a scenario: until a share has grown, and as long again. */
export function healedMs({ windowMs }: Pick<HubScenario, 'windowMs'>): number {
  return 13 * 60_000 + 2 * windowMs;
}

export interface HubEvidence {
  /** When each request reached the platform, in order, and when one was refused. */
  readonly arrivals: readonly number[];
  readonly refusals: readonly number[];
  /** Of these, what terminals sent that nobody at the hub could know of. */
  readonly unknown: readonly number[];
  /** Persons' requests that were granted a slot, and how long each waited for it. */
  readonly persons: readonly { readonly atMs: number; readonly waitedMs: number }[];
  /** When each terminal's background requests were granted. */
  readonly background: readonly (readonly number[])[];
  /** In the end. */
  readonly modes: readonly (string | null)[];
  readonly faults: readonly string[];
  /** The longest time at the end in which a person waited who might have gone. */
  readonly idle: Idle;
  readonly endMs: number;
}

function createPlatform(world: World, random: SeededRandom, windowMs: number) {
  const arrivals: number[] = [];
  const unknown: number[] = [];
  const refusals: number[] = [];
  const arrive = (isUnknown: boolean): number => {
    const nowMs = world.nowMs();
    arrivals.push(nowMs);
    if (isUnknown) {
      unknown.push(nowMs);
    }
    const used = arrivals.filter((timeMs) => timeMs > nowMs - windowMs).length;
    if (used > 60) {
      refusals.push(nowMs);
    }
    return used > 60 ? 429 : 200;
  };
  return {
    arrivals,
    unknown,
    refusals,
    arrive,
    /** The platform as one terminal reaches it; `isUnknown`: nobody at the hub can know of that terminal now. */
    lineOf: (isUnknown: () => boolean): PlatformLine => ({
      send: (answered) => {
        const isSentUnknown = isUnknown();
        const arriveSo = (): number => arrive(isSentUnknown);
        const fate = random.pickWeighted({ answered: 96, answerLost: 1, lost: 1, late: 1, reset: 1 });
        if (fate === 'late') {
          // In the hands of a proxy until long after this end gave up.
          world.after(random.integer(20_000, 139_000), arriveSo);
        } else if (fate === 'reset') {
          world.after(random.waitMs(200), () => {
            answered(null);
          });
          world.after(random.integer(300, 110_000), arriveSo);
        } else if (fate !== 'lost') {
          world.after(random.waitMs(100), () => {
            const status = arriveSo();
            if (fate === 'answered') {
              world.after(random.waitMs(100), () => {
                answered(status);
              });
            }
          });
        }
      },
    }),
  };
}

/**
 * Who is known to the hub. When it loses everything while no other terminal has a record of one that is off or cut off,
 * nothing can tell the rest that this one may use its share: until it has written again, nobody knows of it.
 */
function watchLosses(register: Register, terminals: readonly HubTerminal[]) {
  const unknown = new Set<HubTerminal>();
  const hasRecord = ({ name }: HubTerminal): boolean =>
    register.read().rows?.some(({ member }) => member === name) === true;
  return {
    /** After each loss. */
    lost: (): void => {
      for (const terminal of terminals) {
        if (!hasRecord(terminal) && !terminals.some((other) => other !== terminal && other.remembers(terminal.name))) {
          unknown.add(terminal);
        }
      }
    },
    isUnknown: (terminal: HubTerminal): boolean => {
      if (unknown.has(terminal) && hasRecord(terminal)) {
        unknown.delete(terminal);
      }
      return unknown.has(terminal);
    },
  };
}

/** Something goes wrong, for a while. */
function breakSomething(
  world: World,
  register: Register,
  terminals: readonly HubTerminal[],
  random: SeededRandom,
  untilMs: number,
  notify: { readonly fault: (words: string) => void; readonly lost: () => void },
): void {
  const terminal = random.pick(terminals);
  const name = terminals.indexOf(terminal);
  const forMs = Math.min(random.pick([3_000, 30_000, 120_000, 400_000, 900_000]), untilMs - world.nowMs());
  const later = (callback: () => void): void => {
    world.after(forMs, callback);
  };
  const kind = random.pickWeighted({
    cutThere: 3,
    cutBack: 3,
    cutBoth: 3,
    cutAll: 2,
    slow: 2,
    freeze: 2,
    empty: 1,
    backUp: 2,
    restore: 1,
    jump: 2,
    cutAndJump: 2,
    cutAndStuck: 2,
    crash: 3,
    powerCut: 2,
    close: 2,
    suspend: 2,
  });
  notify.fault(`${kind} ${name} ${forMs}`);
  const cut = (one: HubTerminal, isThereCut: boolean, isBackCut: boolean): void => {
    Object.assign(one.lines, { isThereCut, isBackCut });
  };
  switch (kind) {
    case 'cutThere':
    case 'cutBack':
    case 'cutBoth':
      cut(terminal, kind !== 'cutBack', kind !== 'cutThere');
      later(() => {
        cut(terminal, false, false);
      });
      return;
    case 'cutAll':
      for (const one of terminals) {
        cut(one, true, true);
      }
      later(() => {
        for (const one of terminals) {
          cut(one, false, false);
        }
      });
      return;
    case 'slow':
      terminal.lines.meanMs = random.pick([300, 1_000]);
      later(() => {
        terminal.lines.meanMs = 3;
      });
      return;
    case 'freeze':
      register.setFrozen(true);
      later(() => {
        register.setFrozen(false);
      });
      return;
    case 'empty':
      register.empty();
      notify.lost();
      return;
    case 'backUp':
      register.backUp();
      return;
    case 'restore':
      register.restore();
      notify.lost();
      return;
    case 'jump':
      register.jumpClock(random.pick([-3_600_000, -60_000, 60_000, 3_600_000]));
      return;
    case 'cutAndJump':
    case 'cutAndStuck':
      cut(terminal, true, true);
      later(() => {
        cut(terminal, false, false);
      });
      if (kind === 'cutAndJump') {
        world.after(random.integer(1_000, 60_000), () => {
          register.jumpClock(3_600_000);
        });
      } else {
        // The server's clock stands still.
        for (let passedMs = 500; passedMs < forMs; passedMs += 500) {
          world.after(passedMs, () => {
            register.jumpClock(-500);
          });
        }
      }
      return;
    case 'suspend':
      if (terminal.isUp()) {
        terminal.suspend(forMs);
      }
      return;
    case 'close':
      void terminal.close().then(() => {
        later(() => {
          if (!terminal.isUp()) {
            terminal.start(false);
          }
        });
      });
      return;
    case 'crash':
    case 'powerCut':
      if (terminal.isUp()) {
        terminal.crash();
        world.after(random.pick([500, forMs]), () => {
          if (!terminal.isUp()) {
            terminal.start(kind === 'powerCut');
          }
        });
      }
  }
}

/** Lets several terminals share one account by a hub. */
export async function runHub(scenario: HubScenario): Promise<HubEvidence> {
  const world = createWorld();
  const random = createSeededRandom(`hub ${scenario.seed}`);
  const register = createRegister(world);
  const platform = createPlatform(world, random.fork('platform'), scenario.windowMs);
  const { windowMs } = scenario;
  const endMs = scenario.minutes * 60_000;
  const healsMs = endMs - healedMs(scenario);
  const terminals: HubTerminal[] = [];
  const losses = watchLosses(register, terminals);
  const persons: { readonly atMs: number; readonly waitedMs: number }[] = [];
  const background: number[][] = [];
  const faults: string[] = [];
  const figures = askFigures(world, random.fork('figures'), 0.9);

  function drive(terminal: HubTerminal, at: number): void {
    const own = random.fork(`work ${at}`);
    const granted: number[] = [];
    // Persons and queues of more than ten send as much as those of ten, and in a longer window as much as in a minute: else
    // they alone would exceed the limit.
    const rarer = Math.max(1, scenario.terminals / 10) * (windowMs / 60_000);
    background[at] = granted;
    const scan = (): void => {
      const atMs = world.nowMs();
      const waited = (waitedMs: number): void => {
        persons.push({ atMs, waitedMs });
      };
      if (scenario.isListed) {
        figures.ask(terminal, waited);
      } else {
        terminal.ask('person', waited);
      }
      world.after(own.waitMs(60_000 * rarer), scan);
    };
    const queue = (): void => {
      terminal.ask('queue');
      world.after(own.waitMs(120_000 * rarer), queue);
    };
    // One page after the other, whatever became of the one before.
    const copy = (): void => {
      let isOver = false;
      const next = (): void => {
        if (!isOver) {
          isOver = true;
          world.after(own.waitMs(200), copy);
        }
      };
      terminal.ask('catalogue', () => {
        granted.push(world.nowMs());
        next();
      });
      world.after(90_000, next);
    };
    world.after(own.waitMs(5_000), scan);
    world.after(own.waitMs(5_000), queue);
    world.after(own.waitMs(5_000), copy);
  }

  for (let at = 0; at < scenario.terminals; at += 1) {
    const isLate = Number.isFinite(scenario.faultEveryMs) && random.chance(0.3);
    world.after(random.integer(0, isLate ? Math.min(40 * 60_000, endMs - 2 * healedMs(scenario)) : 120_000), () => {
      // Who comes later finds a window that the others have learned, unless the hub was lost with the first.
      const isForgotten = scenario.isSetOnce && terminals.length > 0 && !isLate;
      const terminal: HubTerminal = createHubTerminal(
        world,
        register,
        platform.lineOf(() => losses.isUnknown(terminal)),
        `till ${at}`,
        random.fork(`terminal ${at}`),
        undefined,
        () => (isForgotten ? Math.min(60_000, windowMs) : windowMs),
      );
      terminals.push(terminal);
      drive(terminal, at);
    });
  }
  const intrude = (): void => {
    platform.arrive(false);
    world.after(random.waitMs(windowMs / scenario.outsidePerWindow), intrude);
  };
  if (scenario.outsidePerWindow > 0) {
    world.after(endMs / 4, intrude);
  }
  const mishaps = random.fork('faults');
  const breakNext = (): void => {
    if (world.nowMs() < healsMs) {
      if (terminals.length > 0) {
        breakSomething(world, register, terminals, mishaps, healsMs, {
          fault: (words) => {
            faults.push(`${world.nowMs()} ${words}`);
          },
          lost: losses.lost,
        });
      }
      world.after(mishaps.waitMs(scenario.faultEveryMs), breakNext);
    }
  };
  if (Number.isFinite(scenario.faultEveryMs)) {
    world.after(300_000, breakNext);
    world.after(healsMs, () => {
      register.setFrozen(false);
      for (const terminal of terminals) {
        Object.assign(terminal.lines, { isThereCut: false, isBackCut: false, meanMs: 3 });
      }
    });
    world.after(healsMs + 10_000, () => {
      for (const terminal of terminals.filter((one) => !one.isUp())) {
        terminal.start(false);
      }
    });
  }
  await world.runUntil(endMs - healedMs(scenario) / 3);
  const idle = watchIdle(world, terminals);
  await world.runUntil(endMs);
  return {
    arrivals: platform.arrivals.toSorted((left, right) => left - right),
    unknown: platform.unknown.toSorted((left, right) => left - right),
    refusals: platform.refusals,
    persons,
    background,
    modes: terminals.map((terminal) => terminal.member()?.state().mode ?? null),
    faults,
    idle: idle.longest(),
    endMs,
  };
}
