// Owns `npm run package:dir`: builds the app and packages it unpacked into dist/package for this machine's system, with
// Electron's switches (fuses) set so that the packaged app runs its own code and nothing else. Uses the runtime of
// `npm run electron:from-registry` when it is there, for evaluation. Never makes an installer, never signs, never publishes.
import { FuseV1Options, FuseVersion, flipFuses } from '@electron/fuses';
import { Platform, build, type AfterPackContext, type Configuration } from 'electron-builder';
import { readFileSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildApp } from './build.ts';
import { projectDirectory, registryRuntimeDirectory } from './project.ts';

const executableNames: Readonly<Record<string, (productName: string) => string>> = {
  darwin: (productName) => `${productName}.app`,
  win32: (productName) => `${productName}.exe`,
  linux: () => 'tillside',
};

async function finish({ appOutDir, electronPlatformName, packager }: AfterPackContext): Promise<void> {
  // Electron's own demonstration app, which comes along with an unpacked runtime.
  rmSync(join(packager.getResourcesDir(appOutDir), 'default_app.asar'), { force: true });
  const name = executableNames[electronPlatformName]?.(packager.appInfo.productFilename) ?? packager.appInfo.productFilename;
  // https://www.electronjs.org/docs/latest/tutorial/fuses
  await flipFuses(join(appOutDir, name), {
    version: FuseVersion.V1,
    resetAdHocDarwinSignature: electronPlatformName === 'darwin',
    strictlyRequireAllFuses: true,
    [FuseV1Options.RunAsNode]: false,
    [FuseV1Options.EnableCookieEncryption]: true,
    [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: false,
    [FuseV1Options.EnableNodeCliInspectArguments]: false,
    [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: true,
    [FuseV1Options.OnlyLoadAppFromAsar]: true,
    [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
    [FuseV1Options.GrantFileProtocolExtraPrivileges]: false,
    [FuseV1Options.WasmTrapHandlers]: true,
  });
}

/** The runtime at hand, if it is for this machine; else electron-builder downloads the electron package's own. */
function runtimeAtHand(): Partial<Configuration> {
  const version = join(registryRuntimeDirectory, 'version');
  return existsSync(version) ? { electronDist: registryRuntimeDirectory, electronVersion: readFileSync(version, 'utf8').trim() } : {};
}

rmSync(join(projectDirectory, 'dist', 'package'), { recursive: true, force: true });
await buildApp(['renderer', 'main', 'worker', 'preload']);
await build({
  projectDir: projectDirectory,
  targets: Platform.current().createTarget('dir'),
  publish: 'never',
  config: { extends: 'electron-builder.yml', afterPack: finish, ...runtimeAtHand() },
});
