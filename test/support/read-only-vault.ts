import { expect } from 'vitest';
import { succeed } from '../../app/domain/result.ts';
import type { Vault } from '../../app/ports.ts';

/** A keychain, empty unless told, for a command that changes nothing: to write to it fails the test. */
export const readOnlyVault = (secrets: ReadonlyMap<string, string> = new Map()): Vault => ({
  read: (name) => Promise.resolve(succeed(secrets.get(name) ?? null)),
  write: (name) => expect.fail(`${name} is written`),
  remove: (name) => expect.fail(`${name} is removed`),
});
