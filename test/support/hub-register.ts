import { fail, succeed } from '../../app/domain/result.ts';
import { printHubAddress, type HubAddress } from '../../app/hub/address.ts';
import { maxReadingAgeMs, type HubFailureKind, type HubLink } from '../../app/hub/link.ts';
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

/** A hub in memory; a link whose address has another password is refused. */
export function createHubRegister(clock: Clock) {
  const documents = new Map<string, { readonly version: number; readonly document: string }>();
  const register = {
    /** Why every call fails; null while it is answered. */
    failure: null as HubFailureKind | null,
    open: ({ password }: HubAddress): HubLink => {
      const failure = (): HubFailureKind | null =>
        register.failure ?? (password === hubAddress.password ? null : 'wrongPassword');
      return {
        read: (account) => {
          const kind = failure();
          const { version = 0, document = null } = documents.get(account) ?? {};
          return Promise.resolve(
            kind === null
              ? succeed({ version, document, isUnused: version === 0, serverMs: clock.now() })
              : fail({ kind }),
          );
        },
        write: (account, { version, serverMs }, document) => {
          const kind = failure();
          if (kind !== null) {
            return Promise.resolve(fail({ kind }));
          }
          const isNewest = (documents.get(account)?.version ?? 0) === version;
          const isTaken = isNewest && clock.now() - serverMs <= maxReadingAgeMs;
          if (isTaken) {
            documents.set(account, { version: version + 1, document });
          }
          return Promise.resolve(succeed(isTaken));
        },
        close: () => Promise.resolve(),
      };
    },
  };
  return register;
}
