import { fail, succeed, type Result } from '../../../app/domain/result.ts';
import type { HubFailure, HubLink, HubReading } from '../../../app/hub/link.ts';
import { openDocument } from '../../../app/hub/sealed-document.ts';
import { createStoredText } from '../../../app/hub/stored-text.ts';
import type { Clock } from '../../../app/ports.ts';
import type { SeededRandom } from '../../support/seeded-random.ts';
import type { World } from '../virtual-clock.ts';

/** The hub's server in the simulated world, and what can happen to it. */
export interface Register {
  read(): HubReading;
  write(version: number, readMs: number, document: string): boolean;
  /** Opens each document once for all terminals that read it; many terminals would compute little else. */
  openDocument: typeof openDocument;
  /** Runs what has reached the server, at once or when it is no longer frozen. */
  run(statement: () => void): void;
  setFrozen(isFrozen: boolean): void;
  jumpClock(ms: number): void;
  empty(): void;
  /** Takes a backup now. */
  backUp(): void;
  restore(): void;
}

export function createRegister(world: World): Register {
  let skewMs = 1_700_000_000_000;
  const serverMs = (): number => world.nowMs() + skewMs;
  const empty = { version: 0, document: null, isUnused: false };
  let text = createStoredText(serverMs);
  let backup: Omit<HubReading, 'serverMs'> = empty;
  let opened: (HubReading & { readonly result: ReturnType<typeof openDocument> }) | null = null;
  let isFrozen = false;
  let waiting: (() => void)[] = [];
  return {
    read: () => text.read(),
    write: (...input) => text.write(...input),
    openDocument: (key, account, reading) => {
      if (reading.document !== opened?.document || reading.version !== opened.version) {
        opened = { ...reading, result: openDocument(key, account, reading) };
      }
      return opened.result;
    },
    run: (statement) => {
      if (isFrozen) {
        waiting.push(statement);
      } else {
        statement();
      }
    },
    setFrozen: (frozen) => {
      isFrozen = frozen;
      if (!frozen) {
        const all = waiting;
        waiting = [];
        for (const statement of all) {
          statement();
        }
      }
    },
    jumpClock: (ms) => {
      skewMs += ms;
    },
    empty: () => {
      text = createStoredText(serverMs, empty);
    },
    backUp: () => {
      backup = { ...text.read(), isUnused: false };
    },
    restore: () => {
      text = createStoredText(serverMs, backup);
    },
  };
}

/** The network between one terminal and the hub; each direction can be cut, and be slow. */
export interface Lines {
  isThereCut: boolean;
  isBackCut: boolean;
  meanMs: number;
}

/** The terminal's end of the register; what is cut is answered by nobody. */
export function linkTo(register: Register, lines: Lines, world: World, clock: Clock, random: SeededRandom): HubLink {
  function call<Value>(statement: () => Value, timeoutMs: number): Promise<Result<Value, HubFailure>> {
    const { promise, resolve } = Promise.withResolvers<Result<Value, HubFailure>>();
    clock.after(timeoutMs, () => {
      resolve(fail({ kind: 'noAnswer' }));
    });
    if (!lines.isThereCut) {
      world.after(random.waitMs(lines.meanMs), () => {
        register.run(() => {
          const value = statement();
          if (!lines.isBackCut) {
            // A machine that sleeps hears it when it wakes.
            clock.after(random.waitMs(lines.meanMs), () => {
              resolve(succeed(value));
            });
          }
        });
      });
    }
    return promise;
  }

  return {
    read: (_, timeoutMs) => call(() => register.read(), timeoutMs),
    write: (_, { version, serverMs }, document, timeoutMs) =>
      call(() => register.write(version, serverMs, document), timeoutMs),
    onBell: () => undefined,
    close: () => Promise.resolve(),
  };
}
