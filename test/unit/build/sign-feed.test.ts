import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isSigned } from '../../../app/hosts/signed/signature.ts';
import { publicKeyOf, readFeedText, signText } from '../../../build/sign-feed.ts';
import { appImageFor, windowsProgramFor } from '../../support/program-files.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { newSigningKey } from '../../support/update-server.ts';

const root = join(import.meta.dirname, '../../..');
const privateKey = newSigningKey();
const publicKey = publicKeyOf(privateKey);
const x64 = 'Tillside-1.2.3-linux-x86_64.AppImage';

function feedOf(name: string, file: Buffer): string {
  const digest = createHash('sha512').update(file).digest('base64');
  return `version: 1.2.3\nfiles:\n  - url: ${name}\n    sha512: ${digest}\n    size: ${file.length}\npath: ${name}\nsha512: ${digest}\nreleaseDate: '2026-11-01T00:00:00.000Z'\n`;
}

function prepare(name: string, file: Buffer): string {
  const folder = temporaryDirectory();
  writeFileSync(join(folder, name), file);
  const path = join(folder, 'latest-linux.yml');
  writeFileSync(path, feedOf(name, file));
  return path;
}

function signKnowing(
  known: string,
  ...parameters: readonly string[]
): { readonly status: number | null; readonly stderr: string } {
  return spawnSync(process.execPath, [join(root, 'build', 'sign-feed.ts'), ...parameters], {
    encoding: 'utf8',
    env: { ...process.env, TILLSIDE_UPDATE_PRIVATE_KEY: privateKey, TILLSIDE_UPDATE_KEY: known },
  });
}

const sign = (...parameters: readonly string[]): ReturnType<typeof signKnowing> =>
  signKnowing(publicKey, ...parameters);

test('where it is named who may sign, no other key signs a release: whoever may push sets secrets', () => {
  const path = prepare(x64, appImageFor('x64'));
  const other = publicKeyOf(newSigningKey());
  const { status, stderr } = signKnowing(other, path);
  expect(status).not.toBe(0);
  expect(stderr).toContain('does not name the key');
  expect(existsSync(`${path}.sig`)).toBe(false);
  // While one takes the place of another, both are named.
  expect(signKnowing(`${other}, ${publicKey}`, path)).toMatchObject({ status: 0 });
});

test('what is signed names the system and the processor of each file', () => {
  const path = prepare(x64, appImageFor('x64'));
  expect(sign('--only-version', '1.2.3', path)).toMatchObject({ status: 0 });
  const text = readFileSync(path, 'utf8');
  expect(readFeedText(text)?.files).toMatchObject([{ url: x64, platform: 'linux', architecture: 'x64' }]);
  expect(isSigned(text, readFileSync(`${path}.sig`, 'utf8'), [publicKey])).toBe(true);
  expect(sign(path)).toMatchObject({ status: 0 });
  expect(readFileSync(path, 'utf8').match(/platform:/g)).toHaveLength(1);
});

test('a private key that --new-key has written into the sources is in no commit and no image', () => {
  expect(readFileSync(join(root, '.gitignore'), 'utf8').split('\n')).toContain('*.pem');
  expect(readFileSync(join(root, '.dockerignore'), 'utf8').split('\n')).toContain('**/*.pem');
  const { 1: named } = /sign-feed -- --new-key (\S+?)`/.exec(readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')) ?? [];
  expect(named).toMatch(/^[\w-]+\.pem$/);
});

test('a file for another processor than its name says is not signed', () => {
  const path = prepare(x64, appImageFor('arm64'));
  const { status, stderr } = sign(path);
  expect(status).not.toBe(0);
  expect(stderr).toContain('first bytes');
  expect(existsSync(`${path}.sig`)).toBe(false);
});

test('a file that is another than the feed says, is missing or of another version is not signed', () => {
  const changed = prepare(x64, appImageFor('x64'));
  writeFileSync(join(changed, '..', x64), appImageFor('x64', Buffer.alloc(100, 1)));
  expect(sign(changed).stderr).toContain('another file');
  const missing = prepare('other', appImageFor('x64'));
  writeFileSync(missing, feedOf(x64, appImageFor('x64')));
  expect(sign(missing).stderr).toContain('does not lie beside');
  const older = prepare(x64, appImageFor('x64'));
  expect(sign('--only-version', '1.2.4', older).stderr).toContain('version 1.2.3');
  expect([changed, missing, older].filter((path) => existsSync(`${path}.sig`))).toEqual([]);
});

test('what is signed is compared as terminals read it, however it is written', () => {
  const file = appImageFor('x64');
  const path = prepare(x64, file);
  const good = readFileSync(path, 'utf8');
  const other = createHash('sha512').update('other').digest('base64');
  const commented = good.replace(/( {4})(sha512: \S+)\n/, `$1# $2\n$1sha512: ${other}\n`);
  const flow = good.replace(
    /files:\n(?: .*\n)+/,
    `files: [{ url: ${x64}, sha512: '${other}', size: 5, platform: linux, architecture: x64 }]\n`,
  );
  const digest = createHash('sha512').update(file).digest('base64');
  // Its name says Windows, the feed Linux.
  const renamed = 'Tillside-1.2.3-win-x64.msi';
  writeFileSync(join(path, '..', renamed), file);
  const larger = flow.replace(other, digest).replace('size: 5', `size: ${file.length + 1}`);
  const ofOtherSystem = flow.replace(other, digest).replace('size: 5', `size: ${file.length}`).replace(x64, renamed);
  for (const feed of [commented, flow, larger, ofOtherSystem]) {
    expect(feed).not.toBe(good);
    writeFileSync(path, feed);
    expect(sign(path).stderr).toContain('another file');
    expect(existsSync(`${path}.sig`)).toBe(false);
  }
});

test('an installer for Windows, of 32 bits whatever it installs, is signed for the processor of its name', () => {
  const file = windowsProgramFor(0x01_4c);
  const folder = temporaryDirectory();
  const [name, path] = ['Tillside-1.2.3-win-x64.exe', join(folder, 'latest.yml')];
  writeFileSync(join(folder, name), file);
  const digest = createHash('sha512').update(file).digest('base64');
  const feedFor = (architecture: string): string =>
    `version: 1.2.3\nfiles: [{ url: ${name}, sha512: '${digest}', size: ${file.length}, platform: win32, architecture: ${architecture} }]\n`;
  writeFileSync(path, feedFor('arm64'));
  expect(sign(path).stderr).toContain('another file');
  expect(existsSync(`${path}.sig`)).toBe(false);
  writeFileSync(path, feedFor('x64'));
  expect(sign(path)).toMatchObject({ status: 0 });
});

test('a feed with a key that is not looked at here, and that terminals would obey, is refused by its name', () => {
  const path = prepare(x64, appImageFor('x64'));
  const good = readFileSync(path, 'utf8');
  const spoilt = {
    minimumSystemVersion: `${good}minimumSystemVersion: 99.0.0\n`,
    packages: `${good}packages: { x64: { path: https://other.example.com/a.7z, sha512: x, size: 1 } }\n`,
    isAdminRightsRequired: good.replace('    size:', '    isAdminRightsRequired: true\n    size:'),
  };
  for (const [key, feed] of Object.entries(spoilt)) {
    writeFileSync(path, feed);
    expect(sign(path).stderr).toContain(`${key}: no key of a feed`);
    expect(existsSync(`${path}.sig`)).toBe(false);
  }
  writeFileSync(path, good.replace('    size:', '    blockMapSize: 5\n    size:'));
  expect(sign(path)).toMatchObject({ status: 0 });
});

test('a feed is signed again only with a signature that holds', () => {
  const path = prepare(x64, appImageFor('x64'));
  sign(path);
  expect(sign('--renew', '--days', '30', path)).toMatchObject({ status: 0 });

  const good = readFileSync(path, 'utf8');
  const bad: readonly [string, string | null][] = [
    [good.replace('1.2.3', '9.9.9'), readFileSync(`${path}.sig`, 'utf8')],
    [good, signText(good, newSigningKey())],
    [good, ''],
  ];
  for (const [text, signature] of bad) {
    writeFileSync(path, text);
    writeFileSync(`${path}.sig`, signature ?? '');
    const { status, stderr } = sign('--renew', path);
    expect(status).not.toBe(0);
    expect(stderr).toContain('is not signed by a key');
    expect(readFileSync(path, 'utf8')).toBe(text);
  }
});
