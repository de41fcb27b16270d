import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { fail, succeed } from '../../../app/domain/result.ts';
import { parseProvision } from '../../../app/hosts/provisioning/file.ts';
import { product, projectDirectory } from '../../../build/project.ts';
import { writeSchemas } from '../../../build/schemas.ts';
import { chooseRuntime, findForeignRuntime, runtimeOf } from '../../../build/runtime-choice.ts';
import { whyShipped } from '../../../build/shipped-packages.ts';
import { packageFolderOf, readShipped, writeBill, writeNotices } from '../../../build/software.ts';
import { readUpdateSource } from '../../../build/update-source.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

/** Made up: the one that ships is said in package.json alone. */
const [named, evaluated] = ['1.2.4', '1.2.3'];

describe('the runtime of a package', () => {
  const facts = { kind: 'installers', namedVersion: named, evaluationVersion: evaluated, overridden: '' } as const;

  test('an installer holds the one that package.json names, whatever else is at hand', () => {
    expect(chooseRuntime(facts)).toEqual({ ok: true, value: { version: named, isForEvaluation: false } });
    expect(chooseRuntime({ ...facts, overridden: '/elsewhere' })).toMatchObject(
      fail(expect.stringContaining('ELECTRON_OVERRIDE_DIST_PATH') as string),
    );
    expect(chooseRuntime({ ...facts, namedVersion: '^1.2.0' })).toMatchObject({ ok: false });
    expect(findForeignRuntime(evaluated, named)).toContain(evaluated);
    expect(findForeignRuntime(named, named)).toBeNull();
  });

  test('a folder takes the one for evaluation when it is there', () => {
    expect(chooseRuntime({ ...facts, kind: 'folder', overridden: '/elsewhere' })).toEqual(
      succeed({ version: evaluated, isForEvaluation: true }),
    );
    expect(chooseRuntime({ ...facts, kind: 'folder', evaluationVersion: null })).toEqual(
      succeed({ version: named, isForEvaluation: false }),
    );
  });
});

/** As electron-builder fetches the runtime; its package is not one of ours. */
const { downloadElectronArtifactZip } = createRequire(createRequire(import.meta.url).resolve('electron-builder'))(
  'app-builder-lib/out/util/electronGet.js',
) as { downloadElectronArtifactZip: (what: Readonly<Record<string, unknown>>) => Promise<string> };

test('a runtime is the one whose digest the lockfile holds, whatever stands beside it where it is fetched', async () => {
  const { electron: version } = product.devDependencies;
  const name = `electron-v${version}-linux-x64.zip`;
  const other = Buffer.from('another runtime');
  const list = `${createHash('sha256').update(other).digest('hex')} *${name}\n`;
  const asked: string[] = [];
  const server = createServer(({ url = '' }, answer) => {
    asked.push(url);
    answer.end(url.endsWith('SHASUMS256.txt') ? list : other);
  }).listen(0, '127.0.0.1');
  try {
    await once(server, 'listening');
    const download = (told: Readonly<Record<string, unknown>>): Promise<string> =>
      downloadElectronArtifactZip({
        artifactName: 'electron',
        platformName: 'linux',
        arch: 'x64',
        version,
        cacheDir: temporaryDirectory(),
        electronDownload: {
          ...told,
          mirrorOptions: { mirror: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` },
        },
      });
    const told = runtimeOf({ version: version ?? '', isForEvaluation: false }, '/nowhere');
    expect(told).toMatchObject({ electronVersion: version });
    await expect(download(told.electronDownload ?? {})).rejects.toThrow(name);
    expect(asked).toEqual([expect.stringContaining(name)]);
    // The control: by what stands beside it, it would be the right one.
    expect(readFileSync(await download({}))).toEqual(other);
  } finally {
    server.close();
  }
  const packaging = readFileSync(join(projectDirectory, 'build/package.ts'), 'utf8');
  expect(packaging).not.toMatch(/electron(?:Dist|Download)/);
  expect(packaging).toContain('...runtimeOf(runtime.value, runtimeDirectory),');
});

describe('where a package looks for updates', () => {
  const [one, other] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString('base64'));
  const url = 'https://updates.example.com/till';

  test.each([
    ['', '', null],
    [url, `${one}`, [one]],
    [url, `${one}, ${other}`, [one, other]],
    [url, ` ${one}\n${other} `, [one, other]],
  ])('%j and %j', (address, keys, publicKey) => {
    expect(readUpdateSource(address, keys)).toEqual({ ok: true, value: publicKey && { url, publicKey } });
  });

  test.each([
    [url, '', /together/],
    ['', `${one}`, /together/],
    [url, 'abc', /^TILLSIDE_UPDATE_KEY must be an Ed25519 public key/],
    [url, `${one} abc`, /^TILLSIDE_UPDATE_KEY must be an Ed25519 public key/],
    ['http://updates.example.com', `${one}`, /^TILLSIDE_UPDATE_URL must begin with https/],
  ])('%j and %j stop the packaging in words', (address, keys, words) => {
    expect(readUpdateSource(address, keys)).toMatchObject(fail(expect.stringMatching(words) as string));
  });
});

describe('the installers', () => {
  const root = join(import.meta.dirname, '../../..');
  const configuration = readFileSync(join(root, 'electron-builder.yml'), 'utf8');
  const part = (name: string): string => new RegExp(`^${name}:\\n(?: .*\\n)+`, 'm').exec(configuration)?.[0] ?? '';

  test.each([
    ['nsis', 'deleteAppDataOnUninstall', 'false', 'an uninstalling that takes the changes that wait with it'],
    ['nsis', 'oneClick', 'false', 'one that asks nothing'],
    ['nsis', 'perMachine', 'false', 'one that needs an administrator'],
    ['win', 'verifyUpdateCodeSignature', 'true', 'an update by another publisher'],
    ['appImage', 'executableArgs', '["--"]', 'the --no-sandbox of the older default, and links that are flags'],
    ['linux', 'executableArgs', '["--"]', 'links that are flags'],
  ])('%s: %s is %s, against %s', (name, key, value) => {
    expect([...part(name).matchAll(new RegExp(`^ {2}${key}: (.*)$`, 'gm'))].map((match) => match[1])).toEqual([value]);
  });

  test.each([
    ['win', ['nsis', 'zip']],
    ['linux', ['AppImage', 'deb']],
    ['mac', ['dmg', 'zip']],
  ])('%s: each of %j is made for both processors, with a prebuilt keychain module in it', (name, kinds) => {
    const made = [...part(name).matchAll(/{ target: (\w+), arch: \[x64, arm64\] }/g)].map((match) => match[1]);
    expect(made).toEqual(kinds);
    const system = { win: 'win32', linux: 'linux', mac: 'darwin' }[name] ?? '';
    expect(part(name)).toContain(
      `files: [{ filter: ["node_modules/keytar/prebuilds/${system}-\${arch}/keytar.node"] }]`,
    );
    for (const arch of ['x64', 'arm64']) {
      expect(existsSync(join(root, 'node_modules/keytar/prebuilds', `${system}-${arch}`, 'keytar.node'))).toBe(true);
    }
  });

  test('the Windows installer refuses in three languages, and removes what it and the app registered', () => {
    const script = readFileSync(join(root, 'build/installer.nsh'), 'utf8');
    for (const words of ['notThisWindows', 'notThisProcessor']) {
      const languages = [...script.matchAll(new RegExp(`LangString ${words} \\$\\{(\\w+)\\} ".+"`, 'g'))];
      expect(languages.map((match) => match[1])).toEqual([
        'LANG_ENGLISH',
        'LANG_PORTUGUESEBR',
        'LANG_SPANISHINTERNATIONAL',
      ]);
      expect(script).toContain(`!insertmacro refuse "$(${words})"`);
    }
    // A silent installer shows nothing, and must not wait for anybody either.
    expect(script.match(/MessageBox/g)).toHaveLength(1);
    expect(script).toMatch(/MessageBox .* \/SD IDOK\n/);
    const macro = (name: string): string => new RegExp(`!macro ${name}\n([^]*?)!macroend`).exec(script)?.[1] ?? '';
    expect(macro('customInstall')).toContain(`shell\\open\\command" "" '"$appExe" -- "%1"'`);
    expect(macro('customUnInstall')).toMatch(/^ {2};.*\n {2}\${IfNot} \${isUpdated}\n {4}DeleteRegKey .*\\tillside"/);
    expect(macro('customUnInstall').match(/DeleteRegValue HKCU ".*\\Run" "electron\.app\.Tillside"/g)).toHaveLength(2);
  });

  test('a Linux desktop knows the windows by their class', () => {
    const { name } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { name: string };
    expect(/^ *StartupWMClass: (.*)$/m.exec(configuration)?.[1]).toBe(name);
  });

  // Chromium loads libx11-xcb1 by its name, so that nothing but a bare system shows that it is missing.
  test.each(['libsecret-1-0', 'libnss3', 'libgbm1', 'libx11-xcb1'])(
    'the deb asks for %s, without which it does not start or keeps no sign-in',
    (library) => {
      expect(part('deb').split('\n')).toContain(`    - ${library}`);
    },
  );
});

describe('other people’s software', () => {
  test.each([
    ['/home/me/till/node_modules/react/index.js', 'node_modules/react'],
    ['/home/me/till/node_modules/@mantine/core/esm/a.mjs?x', 'node_modules/@mantine/core'],
    ['\0/home/me/till/node_modules/conf/dist/source/index.js?commonjs-module', 'node_modules/conf'],
    [String.raw`C:\till\node_modules\a\node_modules\b\index.js`, 'node_modules/a/node_modules/b'],
    ['/home/me/till/app/main.ts', null],
    ['\0rolldown/runtime.js', null],
  ])('%j belongs to %j', (id, folder) => {
    expect(packageFolderOf(id)).toBe(folder);
  });

  function lay(
    manifest: Record<string, unknown>,
    { locked = '1.0.0', text = 'As you like.' }: { locked?: string; text?: string } = {},
  ): string {
    const root = temporaryDirectory();
    const put = (path: string, content: string): void => {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), content);
    };
    put(
      'package-lock.json',
      JSON.stringify({
        packages: {
          'node_modules/thing': { version: locked, integrity: `sha512-${Buffer.alloc(64, 7).toString('base64')}` },
        },
      }),
    );
    put('node_modules/thing/package.json', JSON.stringify({ name: 'thing', version: '1.0.0', ...manifest }));
    if (text !== '') {
      put('node_modules/thing/LICENSE.md', text);
    }
    return root;
  }

  test('is told with its licence, its text and its digest, always in the same words', () => {
    const packages = readShipped(lay({ license: 'ISC' }), ['node_modules/thing', 'node_modules/thing']);
    expect(packages).toHaveLength(1);
    expect(writeNotices(packages)).toContain('thing 1.0.0 (ISC)\n\nAs you like.');
    const bill = writeBill(packages, { version: '2.0.0', electronVersion: named });
    expect(JSON.parse(bill)).toMatchObject({
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      components: [
        { name: 'electron', version: named },
        {
          name: 'thing',
          purl: 'pkg:npm/thing@1.0.0',
          licenses: [{ license: { id: 'ISC' } }],
          hashes: [{ alg: 'SHA-512', content: '07'.repeat(64) }],
        },
      ],
    });
    expect(writeBill(packages, { version: '2.0.0', electronVersion: named })).toBe(bill);
  });

  test('names the authors of the software that it is made of, whom its own licence leaves out', () => {
    const root = join(import.meta.dirname, '../../..');
    expect(writeNotices(readShipped(root, ['node_modules/bwip-js']))).toMatch(
      /Mark Warren[^]*Barcode Writer in Pure PostScript - Version [\d-]+\nCopyright \(c\) [\d-]+ Terry Burton\n/,
    );
  });

  test('stops the packaging when it is not what the lockfile says, or its licence is not told', () => {
    expect(() => readShipped(lay({ license: 'ISC' }, { locked: '1.0.1' }), ['node_modules/thing'])).toThrow(/npm ci/);
    expect(() => readShipped(lay({}), ['node_modules/thing'])).toThrow(/names no licence/);
    expect(() => readShipped(lay({ license: 'ISC' }, { text: '' }), ['node_modules/thing'])).toThrow(/no text/);
    expect(
      readShipped(lay({ license: 'MIT', author: 'A. Nonymous' }, { text: '' }), ['node_modules/thing'])[0]?.licenceText,
    ).toContain('Copyright (c) A. Nonymous');
  });

  test('each has a sentence why it ships, and is in the lockfile', () => {
    const { packages } = JSON.parse(readFileSync(join(import.meta.dirname, '../../../package-lock.json'), 'utf8')) as {
      packages: Record<string, unknown>;
    };
    const names = new Set(Object.keys(packages).map((path) => path.replace(/^.*node_modules\//, '')));
    names.add('@github/keytar');
    expect(Object.keys(whyShipped).filter((name) => !names.has(name))).toEqual([]);
    const { dependencies } = JSON.parse(readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
    };
    // What these bring along the packaging asks for, and e2e/package.test.ts.
    const direct = Object.entries(dependencies).map(([name, version]) => /^npm:(.+)@/.exec(version)?.[1] ?? name);
    expect(direct.length).toBeGreaterThan(10);
    expect(direct.filter((name) => !(name in whyShipped))).toEqual([]);
    expect(
      Object.entries(whyShipped)
        .filter(([, why]) => !/^[A-Za-z].{10,}\.$/.test(why))
        .map(([name]) => name),
    ).toEqual([]);
  });
});

describe('the descriptions for the programs of others', () => {
  test.each(Object.entries(writeSchemas()))(
    '%s is what the code reads by; `npm run schema` writes it',
    (path, text) => {
      expect(readFileSync(join(projectDirectory, path), 'utf8')).toBe(text);
    },
  );
});

describe("the provisioning file's JSON schema", () => {
  const good = {
    platformUrl: 'https://platform.example.com',
    clientId: 'till',
    clientSecret: 'made-up',
    companyId: 1,
    stockIds: ['7'],
  };
  const lockText = `$scrypt$ln=15,r=8,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`;
  const source = { url: 'https://updates.example.com/till', publicKey: Buffer.alloc(32, 1).toString('base64') };
  test.each([
    [good, true],
    [
      {
        ...good,
        $schema: 'provisioning.schema.json',
        language: 'es',
        updates: source,
        startsAtSignIn: true,
        kiosk: false,
      },
      true,
    ],
    [{ ...good, managerLock: { pin: '2580', kinds: ['users'] } }, true],
    [{ ...good, managerLock: { pinHash: lockText } }, true],
    [{ ...good, managerLock: {} }, false],
    [{ ...good, managerLock: { kinds: ['users'] } }, false],
    [{ ...good, managerLock: { pin: '2580', pinHash: lockText } }, false],
    [{ ...good, companyId: -1 }, false],
    [{ ...good, stockIds: [] }, false],
    [{ ...good, language: 'fr' }, false],
    [{ ...good, kiosk: 'yes' }, false],
    [{ ...good, updates: { url: source.url } }, false],
    [{ ...good, updates: { ...source, publicKey: [source.publicKey, source.publicKey] } }, true],
    [{ ...good, updates: { ...source, publicKey: 'abc' } }, false],
    [{ ...good, updates: { ...source, publicKey: [] } }, false],
    [{ ...good, updates: { ...source, publicKey: [source.publicKey, 'abc'] } }, false],
    [{ ...good, updates: { ...source, url: 'ftp://updates.example.com' } }, false],
    [{ ...good, source: { ...source, shop: 'Centro' } }, true],
    [{ ...good, source }, false],
    [{ ...good, source: { ...source, shop: '' } }, false],
    [{ ...good, signed: { at: '2026-11-21T12:00:00.000Z', until: '2027-02-19T12:00:00.000Z' } }, true],
    [{ ...good, signed: { at: 'today' } }, false],
    [{ ...good, unknown: 1 }, false],
    [{ ...good, clientSecret: '' }, false],
  ])('judges %j as the app does', (document, isGood) => {
    const judge = new Ajv2020({ strict: false, formats: { uri: true, 'date-time': true } }).compile(
      JSON.parse(writeSchemas()['assets/provisioning.schema.json'] ?? '') as object,
    );
    expect(judge(document)).toBe(isGood);
    expect(parseProvision(JSON.stringify(document)).ok).toBe(isGood);
  });
});
