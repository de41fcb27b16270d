import { createHash } from 'node:crypto';
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
  /** The data directory: it sets this terminal's entries apart from those of another one of the same user. */
  readonly dataDirectory: string;
  /** Where the folder was before it was moved. */
  readonly formerDirectories?: readonly string[];
  /** Where the keychain comes from; keytar unless a test says otherwise. */
  readonly load?: () => Promise<Keychain>;
}

/** The longest that a caller waits for the keychain. */
export const vaultDeadlineMs = 3000;
/** What comes later than this was a person's to answer, whom the system has asked for the keychain's password. */
const askedMs = 1000;
/** For so long nobody who has not given it is asked again for what the app reads by itself. */
export const quietMs = 5 * 60_000;

/** Windows keeps 2,560 bytes an entry (CRED_MAX_CREDENTIAL_BLOB_SIZE). */
const maxEntryBytes = 2500;
/** An entry that says where the parts of a long secret are: which of two sets, how many, and the digest of the whole. */
const partsPattern = /^parts:([ab]):(\d{1,3}):([\w-]{43})$/;

/** The value of an entry whose parts do not fit together: no secret of this app. */
const damaged = '';

const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** What stands in an entry for a moment to prove that there is none any more; keytar takes no empty text. */
const trial = 'removed';

/**
 * A keychain that a person has not unlocked is left alone for a while: libsecret asks for the password anew at each reading,
 * in a dialog that takes the keyboard from whoever scans.
 */
function sparing(keychain: Keychain, clock: Pick<Clock, 'uptimeMs'>) {
  let quietUntilMs = -Infinity;
  let unanswered = 0;
  const isQuiet = (): boolean => clock.uptimeMs() < quietUntilMs;
  const answered = (): void => {
    [quietUntilMs, unanswered] = [-Infinity, 0];
  };
  const noteNo = (sinceMs: number): void => {
    const endMs = clock.uptimeMs();
    if (endMs - sinceMs < askedMs) {
      answered();
      return;
    }
    unanswered += 1;
    // One may be slow and open, as at the start of a slow machine, and have no such entry.
    quietUntilMs = unanswered > 1 ? endMs + quietMs : -Infinity;
  };
  /** Asks, whatever was answered before. */
  async function ask(service: string, account: string): Promise<string | null> {
    const sinceMs = clock.uptimeMs();
    const entry = await keychain.getPassword(service, account);
    if (entry === null) {
      noteNo(sinceMs);
    } else {
      answered();
    }
    return entry;
  }
  /** Rejects where the keychain takes nothing; where it is left alone, without asking. */
  async function tryOut(service: string, account: string): Promise<void> {
    if (isQuiet()) {
      throw new Error('the keychain is locked');
    }
    const sinceMs = clock.uptimeMs();
    try {
      await keychain.setPassword(service, account, trial);
    } catch (error) {
      noteNo(sinceMs);
      throw error;
    }
  }
  return {
    /** Null as well, as of a locked one, while it is left alone. */
    getPassword: async (service: string, account: string) => (isQuiet() ? null : ask(service, account)),
    /** For what a person does. */
    askForPassword: ask,
    setPassword: async (service: string, account: string, password: string): Promise<void> => {
      await keychain.setPassword(service, account, password);
      answered();
    },
    /** Throws where the entry may be there still: of a locked one it is said, as of none, that nothing was removed. */
    removePassword: async (service: string, account: string): Promise<void> => {
      if (!(await keychain.deletePassword(service, account))) {
        await tryOut(service, account);
        await keychain.deletePassword(service, account);
      }
      answered();
    },
    deletePassword: (service: string, account: string) => keychain.deletePassword(service, account),
    askAnew: answered,
  };
}

type SparingKeychain = ReturnType<typeof sparing>;

/**
 * Secrets of any length in entries of at most `maxEntryBytes`. A crash in the middle of a write leaves the older secret
 * whole: the parts of the newer one lie in the other set until the entry that names them is written.
 */
function inParts(keychain: SparingKeychain, service: string) {
  const partName = (name: string, set: string, part: number): string => `${name} ${set}${part}`;

  /** From the last part to the first: what a crash leaves of a set is found by its first part. */
  async function removeSet(name: string, set: string): Promise<void> {
    let last = 0;
    while ((await keychain.getPassword(service, partName(name, set, last + 1))) !== null) {
      last += 1;
    }
    for (let part = last; part > 0; part -= 1) {
      await keychain.deletePassword(service, partName(name, set, part));
    }
  }

  return {
    read: async (name: string): Promise<string | null> => {
      const entry = await keychain.getPassword(service, name);
      const [, set, count, digest] = partsPattern.exec(entry ?? '') ?? [];
      if (set === undefined) {
        return entry;
      }
      let encoded = '';
      for (let part = 1; part <= Number(count); part += 1) {
        encoded += (await keychain.getPassword(service, partName(name, set, part))) ?? '';
      }
      const secret = Buffer.from(encoded, 'base64').toString('utf8');
      return digestOf(secret) === digest ? secret : damaged;
    },
    write: async (name: string, secret: string): Promise<void> => {
      const entry = await keychain.askForPassword(service, name);
      const before = partsPattern.exec(entry ?? '')?.[1];
      if (Buffer.byteLength(secret) <= maxEntryBytes) {
        await keychain.setPassword(service, name, secret);
      } else {
        const set = before === 'a' ? 'b' : 'a';
        const parts =
          Buffer.from(secret)
            .toString('base64')
            .match(new RegExp(`.{1,${maxEntryBytes}}`, 'g')) ?? [];
        for (const [index, part] of parts.entries()) {
          await keychain.setPassword(service, partName(name, set, index + 1), part);
        }
        await keychain.setPassword(service, name, `parts:${set}:${parts.length}:${digestOf(secret)}`);
      }
      if (before !== undefined) {
        await removeSet(name, before);
      }
    },
    remove: async (name: string): Promise<void> => {
      await keychain.removePassword(service, name);
      // The leftover of a crash lies in either set.
      await removeSet(name, 'a');
      await removeSet(name, 'b');
    },
  };
}

async function loadKeytar(): Promise<Keychain> {
  const module = await import('keytar');
  return module.default;
}

const serviceOf = (dataDirectory: string): string => `Tillside ${dataDirectory}`;

/**
 * The keychain's entries of this terminal. Every call answers within `vaultDeadlineMs`, and a
 * reading of what is not there within twice that; failures are
 * `vaultUnavailable`, and `vaultMoved` of what lies there for a former directory: it is not used, for that one may
 * be a copy's, with a terminal that uses it.
 */
export function createKeytarVault({
  clock,
  dataDirectory,
  formerDirectories = [],
  load = loadKeytar,
}: VaultOptions): Vault & { readonly isAsking: () => boolean } {
  const service = serviceOf(dataDirectory);
  let keychain: Promise<SparingKeychain> | undefined;
  /** Settles when no call is under way any more. */
  let lastCall: Promise<unknown> = Promise.resolve();
  let isAsking = false;

  const call = async <Value>(
    action: (entries: ReturnType<typeof inParts>, opened: SparingKeychain, isWanted: () => boolean) => Promise<Value>,
  ): Promise<Result<Value, Failure>> => {
    let isGivenUp = false;
    const turn = lastCall.then(async (): Promise<Result<Value, Failure>> => {
      // A write that nobody waits for any more must not happen late: an old secret would overwrite a newer one.
      if (isGivenUp) {
        return fail({ kind: 'vaultUnavailable' });
      }
      isAsking = true;
      try {
        keychain ??= load().then((loaded) => sparing(loaded, clock));
        const opened = await keychain;
        return succeed(await action(inParts(opened, service), opened, () => !isGivenUp));
      } catch (error) {
        return fail({
          kind: 'vaultUnavailable',
          message: (error instanceof Error ? error.message : String(error)).slice(0, 500),
        });
      } finally {
        isAsking = false;
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
    read: async (name) => {
      const read = await call((entries) => entries.read(name));
      if (!read.ok || read.value !== null || formerDirectories.length === 0) {
        return read;
      }
      // In time of their own: there is nothing here, however slow the keychain is about others. One after the other, for
      // each call that it does not answer holds a thread.
      const former = await call(async (_entries, opened, isWanted) => {
        for (const one of formerDirectories) {
          // What comes next waits for this one.
          if (!isWanted()) {
            break;
          }
          if ((await opened.getPassword(serviceOf(one), name)) !== null) {
            return true;
          }
        }
        return false;
      });
      return former.ok && former.value ? fail({ kind: 'vaultMoved' }) : read;
    },
    write: (name, secret) => call((entries) => entries.write(name, secret)),
    remove: (name) => call((entries) => entries.remove(name)),
    askAnew: () => {
      void keychain?.then(
        (opened) => opened.askAnew(),
        () => undefined,
      );
    },
    /** Whether a call is under way, given up or not. */
    isAsking: () => isAsking,
  };
}
