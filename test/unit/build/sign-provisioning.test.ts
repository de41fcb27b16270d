// The proof that the command for a shop's technician makes a file that terminals believe, and none with a secret.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { succeed } from '../../../app/domain/result.ts';
import { parseProvision } from '../../../app/hosts/provisioning/file.ts';
import { isSigned } from '../../../app/hosts/signed/signature.ts';
import { projectDirectory } from '../../../build/project.ts';
import { toPublish } from '../../../build/sign-provisioning.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const source = { url: 'https://shop.example.com/centro.json', publicKey: Buffer.alloc(32, 1).toString('base64') };
const place = { platformUrl: 'https://platform.example.com', clientId: 'till', companyId: 1, stockIds: [1] };
const file = { ...place, source: { ...source, shop: 'Centro' } };
const at = new Date('2026-11-21T12:00:00Z');
const published = (document: object): unknown => JSON.parse(toPublish(JSON.stringify(document), at, 30));

test('what a terminal has left empty in its own file is left out, and the days are written into it, once', () => {
  const signed = { at: '2026-11-21T12:00:00.000Z', until: '2026-12-21T12:00:00.000Z' };
  const saved = {
    ...file,
    clientSecret: '',
    otherProfiles: [{ ...place, companyId: 2, clientSecret: '' }],
    managerLock: { pin: '', kinds: ['users'] },
    hub: { address: '' },
    signed: { at: '2020-01-01T00:00:00.000Z', until: '2020-01-01T00:00:00.000Z' },
  };
  expect(published(saved)).toEqual({ ...file, otherProfiles: [{ ...place, companyId: 2 }], signed });
});

test('a company beyond what a number can hold stays that company', () => {
  const text = toPublish(JSON.stringify(file).replace('"companyId":1', '"companyId":9007199254740993'), at, 30);
  expect(parseProvision(text, 'address')).toMatchObject({ value: { profile: { companyId: '9007199254740993' } } });
  expect(() => toPublish('{', at, 30)).toThrow('the file: is not JSON');
});

test.each([
  ['clientSecret', { clientSecret: 'made-up' }],
  ['otherProfiles.0.clientSecret', { otherProfiles: [{ ...place, companyId: 2, clientSecret: 'made-up' }] }],
  ['managerLock', { managerLock: { pin: '2580' } }],
  ['hub', { hub: { address: 'tillside-hub://made-up' } }],
])('a file with %s is not published', (field, secret) => {
  expect(() => published({ ...file, ...secret })).toThrow(
    `${field}: must not be in a file at an address, which holds no secret`,
  );
});

test('a file that does not say where and for which shop it is published is not', () => {
  expect(() => published(place)).toThrow('source: is missing');
});

test('the command makes a key once, signs with it, and ends with what is wrong', () => {
  const folder = temporaryDirectory();
  const run = (...parameters: readonly string[]) =>
    spawnSync(process.execPath, [join(projectDirectory, 'build/sign-provisioning.ts'), ...parameters], {
      cwd: folder,
      encoding: 'utf8',
    });
  const made = run('--new-key', 'shop-key.pem');
  const publicKey = made.stdout.trim();
  const key = readFileSync(join(folder, 'shop-key.pem'), 'utf8');
  expect(run('--new-key', 'shop-key.pem').status).not.toBe(0);
  expect(readFileSync(join(folder, 'shop-key.pem'), 'utf8')).toBe(key);

  const path = join(folder, 'centro.json');
  writeFileSync(path, JSON.stringify(file));
  expect(run('--key', 'shop-key.pem', 'centro.json').status).toBe(0);
  const [text, signature] = [readFileSync(path, 'utf8'), readFileSync(`${path}.sig`, 'utf8')];
  expect(isSigned(text, signature, [publicKey])).toBe(true);
  expect(parseProvision(text, 'address')).toMatchObject(succeed({ device: { source: { shop: 'Centro' } } }));

  writeFileSync(path, JSON.stringify({ ...file, clientSecret: 'made-up' }));
  const refused = run('--key', 'shop-key.pem', 'centro.json');
  expect(refused.status).toBe(2);
  expect(refused.stderr).toContain('clientSecret: must not be in a file at an address');
  expect(readFileSync(`${path}.sig`, 'utf8')).toBe(signature);
  expect(run('--key', 'shop-key.pem', '--days', '400', 'centro.json').stderr).toContain('from 1 to 365');
});

test('a file in which a field stands more than once is not signed', () => {
  expect(() => toPublish('{"companyId":1,"companyId":2}', at, 30)).toThrow(
    'companyId: stands more than once in the file',
  );
});
