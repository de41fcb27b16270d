import { Arch, Platform, build, type AfterPackContext, type Configuration } from 'electron-builder';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { setFuses } from './fuses.ts';
import { product, projectDirectory, registryRuntimeDirectory, stop } from './project.ts';
import { chooseRuntime, findForeignRuntime, runtimeOf, type RuntimeChoice } from './runtime-choice.ts';
import { whyShipped } from './shipped-packages.ts';
import { readShipped, writeBill, writeNotices } from './software.ts';
import { readUpdateSource } from './update-source.ts';

const usage = `Usage: npm run package:dir | npm run package [-- --target NAME | --only-build | --built | --rehearsal | --help]

  package:dir    a folder in dist/package
  package        the installers of this system in dist/package, and the feed of updates
  --windows DIR  with package:dir, on any system: Windows' folder, with the Electron for Windows that DIR holds, for a trial
  --only-build   with package, what lies in dist/ before anything is packaged, and nothing else
  --built        package what --only-build made: no package runs but electron-builder's and those that it needs
  --rehearsal    with --target, for x64 with the runtime of package:dir: to try the steps of a release, never to be passed on
  --target NAME  one kind alone, as electron-builder calls it, for x64 and arm64: nsis, zip, appx, AppImage, deb, dmg

Environment, for the installers: TILLSIDE_UPDATE_URL and TILLSIDE_UPDATE_KEY (the public key, base64; several with commas or spaces between
them while one takes the place of another) say where updates come from and who may sign them; without both, the app looks for none unless a provisioning file says so. CSC_LINK, CSC_KEY_PASSWORD, WIN_CSC_LINK,
WIN_CSC_KEY_PASSWORD, APPLE_API_KEY, APPLE_API_KEY_ID and APPLE_API_ISSUER are electron-builder's.
`;

const executableNames: Readonly<Record<string, (productName: string) => string>> = {
  darwin: (productName) => `${productName}.app`,
  win32: (productName) => `${productName}.exe`,
  linux: () => 'tillside',
};

const billFile = join(projectDirectory, 'dist', 'tillside.cdx.json');

function environment(name: string): string {
  return process.env[name] ?? '';
}

async function finish(
  { appOutDir, electronPlatformName, packager }: AfterPackContext,
  runtime: RuntimeChoice,
  namedVersion: string,
): Promise<void> {
  const resources = packager.getResourcesDir(appOutDir);
  // Electron's own demonstration app, which comes along with an unpacked runtime.
  rmSync(join(resources, 'default_app.asar'), { force: true });
  const versionFile = join(appOutDir, 'version');
  if (runtime.isForEvaluation) {
    writeFileSync(
      join(appOutDir, 'FOR-EVALUATION-ONLY.txt'),
      "This folder holds a third party's repackaging of Electron. It is for evaluation and must not be passed on.\n",
    );
  } else if (existsSync(versionFile)) {
    const foreign = findForeignRuntime(readFileSync(versionFile, 'utf8').trim(), namedVersion);
    if (foreign !== null) {
      throw new Error(foreign);
    }
  }
  const name =
    executableNames[electronPlatformName]?.(packager.appInfo.productFilename) ?? packager.appInfo.productFilename;
  await setFuses(join(appOutDir, name), electronPlatformName === 'darwin');
}

/** The package's description of itself, in its package.json: app/hosts/electron/built-in-update-source.ts reads it. */
function describeProduct(): Readonly<Record<string, unknown>> {
  const updates = readUpdateSource(environment('TILLSIDE_UPDATE_URL'), environment('TILLSIDE_UPDATE_KEY'));
  if (!updates.ok) {
    stop(updates.failure, 1);
  }
  return updates.value === null ? {} : { updates: updates.value };
}

/** The targets to make; without a name, those that electron-builder.yml lists. */
function targetsOf(
  hasInstallers: boolean,
  name: string | undefined,
  isForWindows: boolean,
  isRehearsal: boolean,
): ReturnType<Platform['createTarget']> {
  if (isForWindows) {
    return Platform.WINDOWS.createTarget('dir', Arch.x64);
  }
  if (!hasInstallers) {
    return Platform.current().createTarget('dir');
  }
  return name === undefined
    ? Platform.current().createTarget()
    : Platform.current().createTarget(name, Arch.x64, ...(isRehearsal ? [] : [Arch.arm64]));
}

/** Builds the app into dist/, and writes its notices and its bill of materials there. */
async function buildAll(versions: Parameters<typeof writeBill>[1]): Promise<void> {
  // Not at the top: where secrets are, nothing that builds is even loaded.
  const { buildApp } = await import('./build.ts');
  const folders = await buildApp(['renderer', 'main', 'worker', 'preload', 'scannerPreload'], 'warn');
  const packages = readShipped(projectDirectory, [...folders, 'node_modules/keytar']);
  const strange = packages.filter(({ name }) => !(name in whyShipped));
  if (strange.length > 0) {
    stop(
      `These packages would ship, and build/shipped-packages.ts does not say why: ${strange.map(({ name }) => name).join(', ')}`,
      1,
    );
  }
  writeFileSync(join(projectDirectory, 'dist', 'THIRD-PARTY-NOTICES.txt'), writeNotices(packages));
  writeFileSync(billFile, writeBill(packages, versions));
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      installers: { type: 'boolean', default: false },
      target: { type: 'string' },
      windows: { type: 'string' },
      'only-build': { type: 'boolean', default: false },
      built: { type: 'boolean', default: false },
      rehearsal: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(usage);
    return;
  }
  if (values.rehearsal && values.target === undefined) {
    stop('--rehearsal needs --target', 2);
  }
  const { version, devDependencies } = product;
  const namedVersion = devDependencies['electron'] ?? '';
  const runtimeDirectory = values.windows ?? registryRuntimeDirectory;
  const atHand = join(runtimeDirectory, 'version');
  const runtime = chooseRuntime({
    kind: values.installers && !values.rehearsal ? 'installers' : 'folder',
    namedVersion,
    evaluationVersion: existsSync(atHand) ? readFileSync(atHand, 'utf8').trim() : null,
    overridden: environment('ELECTRON_OVERRIDE_DIST_PATH'),
  });
  if (!runtime.ok) {
    stop(runtime.failure, 1);
  }

  const output = join('dist', 'package');
  rmSync(join(projectDirectory, output), { recursive: true, force: true });
  if (!values.built) {
    await buildAll({ version, electronVersion: runtime.value.version });
  }
  if (values['only-build']) {
    return;
  }
  mkdirSync(join(projectDirectory, output), { recursive: true });
  cpSync(billFile, join(projectDirectory, output, 'tillside.cdx.json'));

  const configuration: Configuration = {
    extends: 'electron-builder.yml',
    extraMetadata: { tillside: describeProduct() },
    // Without an address no feed would be written; RFC 2606 keeps this one from ever being anybody's.
    publish: [{ provider: 'generic', url: environment('TILLSIDE_UPDATE_URL') || 'https://updates.invalid' }],
    afterPack: (context: AfterPackContext) => finish(context, runtime.value, namedVersion),
    ...runtimeOf(runtime.value, runtimeDirectory),
    ...(values.installers && environment('APPLE_API_KEY') !== '' ? { mac: { notarize: true } } : {}),
  };
  await build({
    projectDir: projectDirectory,
    targets: targetsOf(values.installers, values.target, values.windows !== undefined, values.rehearsal),
    publish: 'never',
    config: configuration,
  });
}

await main();
