// A keychain in a file, in the place of the system's: it outlives the host that is killed.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';

/** The entries of the keychain in this file, by the account of each; null where there is no file. */
export function readKeychain(path: string): Readonly<Record<string, string>> | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>;
  } catch {
    return null;
  }
}

const path = process.env['TILLSIDE_TEST_KEYCHAIN'];
if (path !== undefined) {
  const keep = async (entries: Readonly<Record<string, string | undefined>>): Promise<void> => {
    await sleep(1);
    writeFileSync(`${path}.new`, JSON.stringify({ ...readKeychain(path), ...entries }));
    renameSync(`${path}.new`, path);
  };
  const keychain = {
    getPassword: (_service: string, account: string) => Promise.resolve(readKeychain(path)?.[account] ?? null),
    setPassword: (_service: string, account: string, password: string) => keep({ [account]: password }),
    deletePassword: async (_service: string, account: string) => {
      await keep({ [account]: undefined });
      return true;
    },
  };
  Object.assign(globalThis, { tillsideTestKeychain: keychain });
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'keytar'
        ? { url: 'data:text/javascript,export default globalThis.tillsideTestKeychain', shortCircuit: true }
        : next(specifier, context),
  });
}
