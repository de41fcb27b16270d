import type { Failure } from '../domain/failure.ts';
import { fail, succeed, type Result } from '../domain/result.ts';
import type { Clock, Vault } from '../ports.ts';

/** The part of keytar that this app uses. */
export interface Keychain {
  getPassword(service: string, account: string): Promise<string | null>;
  setPassword(service: string, account: string, password: string): Promise<void>;
  deletePassword(service: string, account: string): Promise<boolean>;
}

export interface VaultOptions {
  readonly clock: Clock;
  /** What sets this terminal's entries apart from those of another one of the same user: its data directory. */
  readonly dataDirectory: string;
  /** Where the keychain comes from; keytar unless a test says otherwise. */
  readonly load?: () => Promise<Keychain>;
}

/** The longest that a caller waits for the keychain. */
export const vaultDeadlineMs = 3000;

async function loadKeytar(): Promise<Keychain> {
  const module = await import('keytar');
  return module.default;
}

/**
 * The keychain's entries of this terminal. Every call answers within `vaultDeadlineMs`; failures are
 * `vaultUnavailable`.
 */
export function createKeytarVault({ clock, dataDirectory, load = loadKeytar }: VaultOptions): Vault {
  const service = `Tillside ${dataDirectory}`;
  let keychain: Promise<Keychain> | undefined;
  /** Settles when no call is under way any more. */
  let lastCall: Promise<unknown> = Promise.resolve();

  const call = async <Value>(action: (keychain: Keychain) => Promise<Value>): Promise<Result<Value, Failure>> => {
    let isGivenUp = false;
    const turn = lastCall.then(async (): Promise<Result<Value, Failure>> => {
      // What nobody waits for any more must not happen late: an old secret would overwrite a newer one.
      if (isGivenUp) {
        return fail({ kind: 'vaultUnavailable' });
      }
      try {
        keychain ??= load();
        return succeed(await action(await keychain));
      } catch (error) {
        return fail({
          kind: 'vaultUnavailable',
          message: (error instanceof Error ? error.message : String(error)).slice(0, 500),
        });
      }
    });
    lastCall = turn;
    const late = Promise.withResolvers<Result<Value, Failure>>();
    const deadline = clock.after(vaultDeadlineMs, () => {
      isGivenUp = true;
      late.resolve(
        fail({ kind: 'vaultUnavailable', message: `the keychain did not answer within ${vaultDeadlineMs} ms` }),
      );
    });
    const result = await Promise.race([turn, late.promise]);
    deadline.cancel();
    return result;
  };

  return {
    read: (name) => call((opened) => opened.getPassword(service, name)),
    write: (name, secret) => call((opened) => opened.setPassword(service, name, secret)),
    remove: (name) =>
      call(async (opened) => {
        await opened.deletePassword(service, name);
      }),
  };
}
