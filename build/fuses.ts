// Never weakens one for a test. https://www.electronjs.org/docs/latest/tutorial/fuses
import { FuseState, FuseV1Options, FuseVersion, flipFuses, getCurrentFuseWire } from '@electron/fuses';

/**
 * The value of each fuse: the program runs its own code, from its own archive, and nothing that a command line or a
 * variable names. No fuse closes Node's NODE_COMPILE_CACHE: who sets a variable of a user's session can do as that user anyway.
 */
const shippedFuses = {
  [FuseV1Options.RunAsNode]: false,
  [FuseV1Options.EnableCookieEncryption]: true,
  [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: false,
  [FuseV1Options.EnableNodeCliInspectArguments]: false,
  [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: true,
  [FuseV1Options.OnlyLoadAppFromAsar]: true,
  [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
  [FuseV1Options.GrantFileProtocolExtraPrivileges]: false,
  [FuseV1Options.WasmTrapHandlers]: true,
} as const;

/** The names of the fuses of this program that are not as they should be; empty when all is well. */
async function findWrongFuses(program: string): Promise<readonly string[]> {
  const wire: Readonly<Record<string, unknown>> = await getCurrentFuseWire(program);
  const names: Readonly<Record<string, unknown>> = FuseV1Options;
  return Object.entries(shippedFuses).flatMap(([fuse, isOn]) =>
    wire[fuse] === (isOn ? FuseState.ENABLE : FuseState.DISABLE) ? [] : [String(names[fuse])],
  );
}

/**
 * Sets the fuses of a packaged program and reads them back. Throws when one is not as it should be, or is one that this
 * list does not know.
 */
export async function setFuses(program: string, isDarwin: boolean): Promise<void> {
  await flipFuses(program, {
    version: FuseVersion.V1,
    resetAdHocDarwinSignature: isDarwin,
    strictlyRequireAllFuses: true,
    ...shippedFuses,
  });
  const wrong = await findWrongFuses(program);
  if (wrong.length > 0) {
    throw new Error(`fuses that could not be set: ${wrong.join(', ')}`);
  }
}
