import { fail, succeed } from '../../app/domain/result.ts';
import type { SettingsFile, Shell, Vault } from '../../app/ports.ts';

/** A shell of a host without a practice store. */
export function makeShell(dataDirectory: string, more: Partial<Shell> = {}): Shell {
  return {
    host: 'browser',
    version: '0.0.0',
    dataDirectory,
    systemLanguage: 'en',
    offsetMinutes: () => 0,
    log: () => undefined,
    startPractice: () => Promise.reject(new Error('no practice here')),
    ...more,
  };
}

const unavailable = fail({ kind: 'vaultUnavailable' as const });

/** A keychain in which nothing is found; one that is locked keeps nothing either. */
export function makeVault(isLocked = false): Vault {
  return {
    read: () => Promise.resolve(succeed(null)),
    write: () => Promise.resolve(isLocked ? unavailable : succeed(undefined)),
    remove: () => Promise.resolve(succeed(undefined)),
  };
}

/** A keychain that keeps these secrets, and neither gives nor takes one while it is locked. */
export function vaultOf(secrets: Map<string, string>, isLocked = () => false): Vault {
  return {
    read: (name) => Promise.resolve(isLocked() ? unavailable : succeed(secrets.get(name) ?? null)),
    write: (name, secret) =>
      Promise.resolve(isLocked() ? unavailable : (secrets.set(name, secret), succeed(undefined))),
    remove: (name) => Promise.resolve((secrets.delete(name), succeed(undefined))),
  };
}

/** A settings file in memory, which holds this. */
export function makeSettingsFile(document: unknown = null): SettingsFile {
  let kept = document;
  return { read: () => kept, write: (next) => ((kept = next), succeed(undefined)) };
}
