import { fail, succeed, type Result } from '../../app/domain/result.ts';
import { printHubAddress, type HubAddress } from '../../app/hub/address.ts';
import { createStoredText } from '../../app/hub/stored-text.ts';
import { createListeners } from '../../app/domain/listeners.ts';
import { newsPrefix, type HubFailure, type HubFailureKind, type HubLink } from '../../app/hub/link.ts';
import type { Clock } from '../../app/ports.ts';

/** Where the tests' hub is. Its parts are told apart from everything else. */
export const hubAddress: HubAddress = {
  user: 'till',
  password: 'canary-of-the-hub',
  host: '192.168.0.10',
  port: 5432,
  database: 'tillside',
  storeKey: Buffer.from('canary-key-of-thirty-two-bytes..').toString('base64url'),
  fingerprint: 'ab'.repeat(32),
};
export const hubAddressText = printHubAddress(hubAddress);

/** A way to one text alone, which is answered at once. */
export function linkToText(text: ReturnType<typeof createStoredText>): HubLink {
  return {
    read: (_, __, since) => Promise.resolve(succeed(text.read(since))),
    write: (_, { version, serverMs }, document, __, rows) =>
      Promise.resolve(succeed(text.write(version, serverMs, document, rows))),
    onBell: () => undefined,
    close: () => Promise.resolve(),
  };
}

/** A hub in memory; a link whose address has another password is refused. */
export function createHubRegister(clock: Clock) {
  const bells = createListeners<[account: string]>();
  const texts = new Map<string, ReturnType<typeof createStoredText>>();
  const textOf = (account: string): ReturnType<typeof createStoredText> => {
    const text = texts.get(account) ?? createStoredText(() => clock.now());
    texts.set(account, text);
    return text;
  };
  const register = {
    /** Why every call fails, `noAnswer` in its own time; null while it is answered. */
    failure: null as HubFailureKind | null,
    doBellsRing: true,
    /** Loses everything. */
    empty: (): void => {
      texts.clear();
    },
    /** Writes into every register what no key opens. */
    spoil: (): void => {
      for (const text of texts.values()) {
        const { version, serverMs } = text.read();
        text.write(version, serverMs, 'garbage');
      }
    },
    /** How often a link was opened. */
    opened: 0,
    /** As whom nobody signs in any more. */
    ended: [] as string[],
    open: ({ user, password }: HubAddress): HubLink => {
      register.opened += 1;
      const failure = (): HubFailureKind | null =>
        register.failure ?? (password === hubAddress.password ? null : 'wrongPassword');
      const answer = async <Value>(timeoutMs: number, value: () => Value): Promise<Result<Value, HubFailure>> => {
        const kind = failure();
        if (kind === 'noAnswer') {
          await new Promise<void>((resolve) => {
            clock.after(timeoutMs, resolve);
          });
        }
        return kind === null ? succeed(value()) : fail({ kind });
      };
      return {
        read: (account, timeoutMs, since) => answer(timeoutMs, () => textOf(account).read(since)),
        write: (account, { version, serverMs }, document, timeoutMs, rows) =>
          answer(timeoutMs, () => {
            const isWritten = textOf(account).write(version, serverMs, document, rows);
            if (isWritten && account.startsWith(newsPrefix) && register.doBellsRing) {
              bells.emit(account);
            }
            return isWritten;
          }),
        onBell: bells.add,
        endSignIn: () => {
          if (failure() !== null) return Promise.resolve(false);
          register.ended.push(user);
          return Promise.resolve(true);
        },
        close: () => Promise.resolve(),
      };
    },
  };
  return register;
}
