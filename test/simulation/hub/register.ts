import { fail, succeed, type Result } from '../../../app/domain/result.ts';
import type { HubFailure, HubLink, HubReading, HubRowChange } from '../../../app/hub/link.ts';
import { createStoredText, type Stored } from '../../../app/hub/stored-text.ts';
import type { Clock } from '../../../app/ports.ts';
import type { SeededRandom } from '../../support/seeded-random.ts';
import type { World } from '../virtual-clock.ts';

/** The hub's server in the simulated world, and what can happen to it. */
export interface Register {
  read(account?: string, since?: number): HubReading;
  write(account: string, version: number, readMs: number, document: string, rows?: readonly HubRowChange[]): boolean;
  /** Runs what has reached the server, at once or when it is no longer frozen. */
  run(statement: () => void): void;
  setFrozen(isFrozen: boolean): void;
  jumpClock(ms: number): void;
  /** The server is started again. */
  restart(): void;
  empty(): void;
  /** Takes a backup now. */
  backUp(): void;
  restore(): void;
}

/** Whose text is looked at unless told. */
export const shopAccount = 'https://platform.example.com';

export function createRegister(world: World): Register {
  let skewMs = 1_700_000_000_000;
  const serverMs = (): number => world.nowMs() + skewMs;
  let texts = new Map<string, ReturnType<typeof createStoredText>>();
  let lives = 1;
  let backup: readonly (readonly [string, Stored])[] = [];
  const textOf = (account: string): ReturnType<typeof createStoredText> => {
    const text = texts.get(account) ?? createStoredText(serverMs);
    texts.set(account, text);
    return text;
  };
  const become = (stored: typeof backup): void => {
    lives += 1;
    texts = new Map(stored.map(([account, text]) => [account, createStoredText(serverMs, text)]));
  };
  let isFrozen = false;
  let waiting: (() => void)[] = [];
  return {
    read: (account = shopAccount, since) => ({
      ...textOf(account).read(since),
      life: String(lives),
      isIntact: lives === 1,
    }),
    write: (account, ...input) => textOf(account).write(...input),
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
    restart: () => {
      lives += 1;
    },
    empty: () => {
      become([]);
    },
    backUp: () => {
      backup = [...texts].map(([account, text]) => [account, text.stored()]);
    },
    restore: () => {
      become(backup);
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
    read: (account, timeoutMs, since) => call(() => register.read(account, since), timeoutMs),
    write: (account, { version, serverMs }, document, timeoutMs, rows) =>
      call(() => register.write(account, version, serverMs, document, rows), timeoutMs),
    onBell: () => undefined,
    close: () => Promise.resolve(),
  };
}
