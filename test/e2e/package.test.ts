import { existsSync, readFileSync, readdirSync, renameSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { describe, expect, it } from 'vitest';
import { whyShipped } from '../../build/shipped-packages.ts';
import { startChild, type Child } from '../support/child.ts';
import { findElectron } from '../support/electron.ts';
import { bytesOf, linkPackage, packageDirectory, readAsar, whyNoPackage } from '../support/packaged.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const isAsked = !['', '0', 'false', undefined].includes(process.env['TILLSIDE_PACKAGED']);
const root = resolve(import.meta.dirname, '../..');

interface Bill {
  readonly specVersion: string;
  readonly metadata: { readonly component: { readonly version: string } };
  readonly components: readonly {
    readonly name: string;
    readonly version: string;
    readonly purl: string;
    readonly hashes?: readonly { readonly content: string }[];
  }[];
}

describe.skipIf(!isAsked && whyNoPackage() !== null)('the packaged folder', () => {
  const resources = join(packageDirectory, 'resources');
  const bill = (): Bill => JSON.parse(readFileSync(join(packageDirectory, '..', 'tillside.cdx.json'), 'utf8')) as Bill;

  it('holds the built app, its icons and keytar for this system alone, each with its digest', () => {
    const files = readAsar(join(resources, 'app.asar'));
    const allowed = [
      /^package\.json$/,
      /^dist\/(?:main(?:-[\w-]+)?\.js|(?:scanner-)?preload\.cjs|checkpoint-worker\.js)$/,
      /^dist\/icons\/[\w@-]+\.(?:png|ico)$/,
      /^dist\/renderer\/(?:index|companion|panel)\.html$/,
      /^dist\/renderer\/assets\/[\w.-]+\.(?:js|css|svg|png|woff2|mp3|wav)$/,
      /^node_modules\/keytar\/(?:package\.json|LICENSE\.md|lib\/keytar\.js|prebuilds\/linux-x64\/keytar\.node)$/,
    ];
    expect(files.filter(({ path }) => !allowed.some((pattern) => pattern.test(path))).map(({ path }) => path)).toEqual(
      [],
    );
    expect(files.map(({ path }) => path)).toEqual(
      expect.arrayContaining([
        'dist/main.js',
        'dist/preload.cjs',
        'dist/scanner-preload.cjs',
        'dist/checkpoint-worker.js',
      ]),
    );
    // Of earlier builds nothing.
    const namesIn = (folder: string): readonly string[] => readdirSync(join(root, 'assets', 'icons', folder));
    expect(files.flatMap(({ path }) => /^dist\/icons\/(.+)/.exec(path)?.[1] ?? []).toSorted()).toEqual(
      [...namesIn('tray'), 'icon.png'].toSorted(),
    );
    const scriptsOf = files.filter(({ path }) => path.startsWith('dist/main'));
    const imported = new Set(
      scriptsOf.flatMap((file) => file.text().match(/(?<=["']\.\/)main-[\w-]+\.js(?=["'])/g) ?? []),
    );
    expect(scriptsOf.map(({ path }) => path)).toEqual(
      [...imported]
        .map((name) => `dist/${name}`)
        .concat('dist/main.js')
        .toSorted(),
    );
    // The system loads a native module, and reads none out of an archive; all else is under the archive's digests.
    expect(
      files.filter(({ path, isUnpacked }) => isUnpacked !== path.endsWith('.node')).map(({ path }) => path),
    ).toEqual([]);
    expect(files.filter(({ hasIntegrity }) => !hasIntegrity).map(({ path }) => path)).toEqual([]);
    // Neither a source map nor an address of a developer's machine.
    const scripts = files.filter(({ path }) => /\.(?:c?js|css)$/.test(path));
    expect(
      scripts
        .filter((file) => file.text().includes('sourceMappingURL=') || file.text().includes(root))
        .map(({ path }) => path),
    ).toEqual([]);
  });

  it('holds beside the archive what it must, and nothing of whoever developed or tested it', () => {
    expect(readdirSync(resources).toSorted()).toEqual([
      'LICENSE.txt',
      'THIRD-PARTY-NOTICES.txt',
      'app-update.yml',
      'app.asar',
      'app.asar.unpacked',
      'provisioning.schema.json',
    ]);
    expect(readdirSync(join(packageDirectory, 'locales')).toSorted()).toEqual([
      'en-US.pak',
      'es-419.pak',
      'es.pak',
      'pt-BR.pak',
    ]);
    const names = readdirSync(packageDirectory, { recursive: true }).map(String);
    expect(
      names.filter((name) =>
        /default_app|debugging-allowed|electron-gt|playwright|vitest|\.(?:ts|map|test\.\w+)$/.test(name),
      ),
    ).toEqual([]);
    expect(
      existsSync(join(packageDirectory, 'LICENSE.electron.txt')) &&
        existsSync(join(packageDirectory, 'LICENSES.chromium.html')),
    ).toBe(true);
  });

  it("is no larger than it must be: the app's own part has a limit, and no Electron file is unneeded", () => {
    expect(bytesOf(resources)).toBeLessThan(7_000_000);
    expect(bytesOf(packageDirectory)).toBeLessThan(280_000_000);
    const names = readdirSync(packageDirectory).filter((name) => name !== 'FOR-EVALUATION-ONLY.txt');
    // app/hosts/README.md says what each is for.
    expect(names.toSorted()).toEqual([
      'LICENSE.electron.txt',
      'LICENSES.chromium.html',
      'chrome-sandbox',
      'chrome_100_percent.pak',
      'chrome_200_percent.pak',
      'chrome_crashpad_handler',
      'icudtl.dat',
      'libEGL.so',
      'libGLESv2.so',
      'libffmpeg.so',
      'libvk_swiftshader.so',
      'libvulkan.so.1',
      'locales',
      'resources',
      'resources.pak',
      'snapshot_blob.bin',
      'tillside',
      'v8_context_snapshot.bin',
      'version',
      'vk_swiftshader_icd.json',
    ]);
  });

  it('has every fuse as it should be, read back from the program', async () => {
    // Written out, and not taken from the list that set them.
    expect(await getCurrentFuseWire(join(packageDirectory, 'tillside'))).toMatchObject({
      [FuseV1Options.RunAsNode]: FuseState.DISABLE,
      [FuseV1Options.EnableCookieEncryption]: FuseState.ENABLE,
      [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: FuseState.DISABLE,
      [FuseV1Options.EnableNodeCliInspectArguments]: FuseState.DISABLE,
      [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: FuseState.ENABLE,
      [FuseV1Options.OnlyLoadAppFromAsar]: FuseState.ENABLE,
      [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: FuseState.DISABLE,
      [FuseV1Options.GrantFileProtocolExtraPrivileges]: FuseState.DISABLE,
      [FuseV1Options.WasmTrapHandlers]: FuseState.ENABLE,
    });
  });

  it('says why each package in it ships, with its licence and digest, and names no other', () => {
    const [electron, ...packages] = bill().components;
    expect(electron?.name).toBe('electron');
    expect(electron?.version).toBe(readFileSync(join(packageDirectory, 'version'), 'utf8').trim());
    expect(packages.map(({ name }) => name).filter((name) => !(name in whyShipped))).toEqual([]);
    expect(Object.keys(whyShipped).filter((name) => packages.every((one) => one.name !== name))).toEqual([]);
    const notices = readFileSync(join(resources, 'THIRD-PARTY-NOTICES.txt'), 'utf8');
    expect(
      packages.filter(({ name, version }) => !notices.includes(`\n${name} ${version} (`)).map(({ name }) => name),
    ).toEqual([]);
    expect(
      packages.filter(({ hashes }) => !/^[0-9a-f]{128}$/.test(hashes?.[0]?.content ?? '')).map(({ name }) => name),
    ).toEqual([]);
  });

  it('has no development dependency in it', () => {
    const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      devDependencies: Record<string, string>;
    };
    const [, ...packages] = bill().components;
    // Ajv serves both: conf brings it along, and a test judges by it.
    expect(packages.map(({ name }) => name).filter((name) => name in devDependencies && name !== 'ajv')).toEqual([]);
    const manifest = JSON.parse(
      readAsar(join(resources, 'app.asar'))
        .find(({ path }) => path === 'package.json')
        ?.text() ?? '{}',
    ) as Record<string, unknown>;
    expect(manifest).not.toHaveProperty('devDependencies');
    expect(manifest).not.toHaveProperty('scripts');
    expect(manifest['version']).toBe(bill().metadata.component.version);
  });

  it.skipIf('missing' in findElectron())(
    'lets no debugger in as it ships: neither into the page nor into Node',
    async () => {
      // By this name Electron takes itself for a runtime that is being developed with.
      const renamed = join(linkPackage(), 'electron');
      renameSync(join(renamed, '..', 'tillside'), renamed);
      const start = (program: string, debugging: string): Child =>
        startChild(program, [
          ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
          '--data-dir',
          temporaryDirectory(),
          '--lang',
          'en',
          debugging,
        ]);
      for (const program of [join(packageDirectory, 'tillside'), renamed]) {
        for (const debugging of ['--remote-debugging-port=0', '--inspect=0']) {
          const child = start(program, debugging);
          await expect.poll(() => child.process.exitCode, { timeout: 20_000 }).toBe(2);
          expect(child.errorLines.join('\n')).not.toMatch(/^(?:DevTools|Debugger) listening/m);
        }
      }
    },
  );

  it.skipIf('missing' in findElectron())('is no Node, whatever a variable says', async () => {
    const child = startChild(join(packageDirectory, 'tillside'), ['-e', 'console.log(1)'], {
      environment: { ELECTRON_RUN_AS_NODE: '1', TILLSIDE_DATA_DIR: temporaryDirectory() },
    });
    await expect(child.waitForLine(/./, 3_000)).rejects.toThrow(/matched/);
    await child.stop('SIGKILL');
    expect(child.lines).toEqual([]);
  });

  it('says so when its runtime is for evaluation only', () => {
    const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      devDependencies: Record<string, string>;
    };
    const isNamed = readFileSync(join(packageDirectory, 'version'), 'utf8').trim() === devDependencies['electron'];
    expect(existsSync(join(packageDirectory, 'FOR-EVALUATION-ONLY.txt'))).toBe(!isNamed);
  });
});
