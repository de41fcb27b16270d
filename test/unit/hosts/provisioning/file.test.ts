import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  closeSync,
  lchownSync,
  mkdirSync,
  openSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { isAnybodys } from '../../../../app/hosts/node/data-directory.ts';
import { defaultSettings } from '../../../../app/contract/settings.ts';
import { fail, succeed } from '../../../../app/domain/result.ts';
import { parseProvision, readNamedProvision, readProvision } from '../../../../app/hosts/provisioning/file.ts';
import { exchangeFiles } from '../../../support/exchange-files.ts';
import { startChild } from '../../../support/child.ts';
import { hubAddress, hubAddressText } from '../../../support/hub-register.ts';
import { temporaryDirectory } from '../../../support/temporary.ts';

const good =
  '{"platformUrl":"https://platform.example.com/","clientId":" till ","clientSecret":"made-up","companyId":9007199254740993,"stockIds":["1",2,2],"language":"pt-BR"}';

test('a good file is read, the client ID without blanks, ids as numbers or text, whole beyond 2^53', () => {
  expect(parseProvision(`\uFEFF${good}`)).toEqual(
    succeed({
      profile: {
        platformUrl: 'https://platform.example.com',
        clientId: 'till',
        companyId: '9007199254740993',
        stockIds: ['1', '2'],
      },
      clientSecret: 'made-up',
      language: 'pt-BR',
      device: {},
    }),
  );
  const source = { url: 'http://127.0.0.1:8080/till', publicKey: Buffer.alloc(32, 1).toString('base64') };
  expect(
    parseProvision(`${good.slice(0, -1)},"updates":${JSON.stringify(source)},"startsAtSignIn":true,"kiosk":false}`),
  ).toMatchObject(
    succeed({
      device: { updates: { ...source, publicKey: [source.publicKey] }, startsAtSignIn: true, isKiosk: false },
    }),
  );
  const twoKeys = { ...source, publicKey: [source.publicKey, Buffer.alloc(32, 2).toString('base64')] };
  expect(parseProvision(`${good.slice(0, -1)},"updates":${JSON.stringify(twoKeys)}}`)).toMatchObject(
    succeed({ device: { updates: twoKeys } }),
  );
  expect(parseProvision(good.replace(',"language":"pt-BR"', ''))).toMatchObject({ ok: true });
});

const lockText = `$scrypt$ln=15,r=8,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`;

test("a manager's PIN is taken as digits, or as another terminal has hashed it, with what it locks", () => {
  for (const managerLock of [
    { pin: '2580', kinds: ['users'], opensForMinutes: 0 },
    { pin: '2580' },
    { pinHash: lockText, opensForMinutes: 60 },
  ]) {
    expect(parseProvision(`${good.slice(0, -1)},"managerLock":${JSON.stringify(managerLock)}}`)).toMatchObject(
      succeed({ managerLock }),
    );
  }
});

test("a hub's address is taken apart, and the till has the machine's name unless it is told", () => {
  const withHub = (hub: object) => parseProvision(`${good.slice(0, -1)},"hub":${JSON.stringify(hub)}}`);
  expect(withHub({ address: hubAddressText, name: 'Caixa 1' })).toMatchObject(
    succeed({ hub: { address: hubAddress, name: 'Caixa 1' } }),
  );
  expect(withHub({ address: hubAddressText })).toMatchObject(
    succeed({ hub: { name: hostname().slice(0, 60) || 'Till' } }),
  );
});

test('a name keeps nothing that nobody sees, as one that a person gives', () => {
  const named = { name: '\u202EMatriz\n 1 ', hub: { address: hubAddressText, name: ' Caixa\u200B 1' } };
  expect(parseProvision(`${good.slice(0, -1)},${JSON.stringify(named).slice(1)}`)).toMatchObject(
    succeed({ profile: { name: 'Matriz  1' }, hub: { name: 'Caixa 1' } }),
  );
});

test('other profiles and any setting stand in the same file; the language has its own field', () => {
  const other = { platformUrl: 'https://platform.example.com', clientId: 'till', companyId: 7, stockIds: [3] };
  const more = {
    name: 'Matriz',
    otherProfiles: [{ ...other, clientSecret: 'made-up', name: 'Filial' }],
    settings: { theme: 'dark', quietHours: { from: 21, to: 5 }, lookupNeedsSignIn: true },
  };
  const parsed = parseProvision(`${good.slice(0, -1)},${JSON.stringify(more).slice(1)}`);
  expect(parsed).toMatchObject(
    succeed({
      profile: { name: 'Matriz' },
      otherProfiles: [
        { profile: { ...other, companyId: '7', stockIds: ['3'], name: 'Filial' }, clientSecret: 'made-up' },
      ],
      settings: more.settings,
    }),
  );
});

test('a file in which batches have hours of their own is still taken', () => {
  const settings = { expiryAsking: { isOn: true, from: 1, to: 4 } };
  expect(parseProvision(`${good.slice(0, -1)},"settings":${JSON.stringify(settings)}}`)).toMatchObject(
    succeed({ settings: { expiryAsking: { isOn: true } } }),
  );
});

test('every setting of the terminal can be provisioned, as it stands in the settings', () => {
  const { language: _language, ...settings } = defaultSettings;
  expect(parseProvision(`${good.slice(0, -1)},"settings":${JSON.stringify(settings)}}`)).toMatchObject(
    succeed({ settings }),
  );
});

function messages(change: Record<string, unknown>): readonly string[] {
  const document: Record<string, unknown> = {
    platformUrl: 'https://platform.example.com',
    clientId: 'till',
    clientSecret: 'made-up',
    companyId: 1,
    stockIds: [1],
    ...change,
  };
  const parsed = parseProvision(JSON.stringify(document));
  return parsed.ok ? [] : parsed.failure;
}

test.each([
  [{ platformUrl: undefined }, ['platformUrl: is missing']],
  [{ platformUrl: 'platform' }, ['platformUrl: must be an address such as https://platform.example.com']],
  [
    { platformUrl: 'http://platform.example.com' },
    ['platformUrl: must begin with https:// (http:// only for this machine itself)'],
  ],
  [{ clientId: '' }, ['clientId: must not be empty']],
  [{ clientId: ' \u00A0' }, ['clientId: must not be empty']],
  [{ clientSecret: 5 }, ['clientSecret: must be text']],
  [{ companyId: -1 }, ['companyId: must be a whole number from 1 to 9223372036854775807']],
  [
    { companyId: 0, stockIds: ['00'] },
    [
      'companyId: must be a whole number from 1 to 9223372036854775807',
      'stockIds.0: must be a whole number from 1 to 9223372036854775807',
    ],
  ],
  [{ companyId: undefined }, ['companyId: is missing']],
  [{ companyId: '9223372036854775808' }, ['companyId: must be a whole number from 1 to 9223372036854775807']],
  [{ name: ' \u200B' }, ['name: must not be empty']],
  [{ stockIds: [] }, ['stockIds: must name one stock at least']],
  [{ stockIds: 7 }, ['stockIds: must be a list of stock ids']],
  [{ stockIds: [1, 'two'] }, ['stockIds.1: must be a whole number from 1 to 9223372036854775807']],
  [{ language: 'fr' }, ['language: must be "en", "pt-BR" or "es"']],
  [{ secret: 1 }, ['secret: is not a field of this file']],
  [{ kiosk: 1 }, ['kiosk: must be true or false']],
  [
    { settings: { quietHours: { from: 24, to: 6 } } },
    ['settings.quietHours.from: must be as provisioning.schema.json says'],
  ],
  [{ settings: { quietHours: { from: 3 } } }, ['settings.quietHours.to: is missing']],
  [
    { settings: { theme: 'pink', colour: 1, language: 'es' } },
    [
      'settings.theme: must be as provisioning.schema.json says',
      'settings.colour: is not a field of this file',
      'settings.language: is not a field of this file',
    ],
  ],
  [{ settings: 7 }, ['settings: must be an object']],
  [
    { otherProfiles: [{ companyId: 2, stockIds: [2], clientId: 'till', clientSecret: 'made-up' }] },
    ['otherProfiles.0.platformUrl: is missing'],
  ],
  [
    {
      otherProfiles: [
        {
          platformUrl: 'https://platform.example.com/',
          companyId: '1',
          stockIds: ['1', 1],
          clientId: 'till',
          clientSecret: 'made-up',
        },
      ],
    },
    ["otherProfiles.0.stockIds: are another profile's in this file"],
  ],
  [{ statusFile: 'watch/till' }, ['statusFile: must be a whole path']],
  [{ managerLock: { pin: 2580 } }, ['managerLock.pin: must be text']],
  [{ managerLock: { pin: '258' } }, ['managerLock.pin: must be 4 to 12 digits, as text']],
  [{ managerLock: {} }, ['managerLock: must have either pin or pinHash']],
  [{ managerLock: { pin: '2580', pinHash: lockText } }, ['managerLock: must have either pin or pinHash']],
  [
    { managerLock: { pin: '2580', kinds: ['users', 'users', 'users', 'users', 'users'] } },
    ['managerLock.kinds: must name 4 kinds at most'],
  ],
  [{ managerLock: { pin: '2580', kinds: 'coupons' } }, ['managerLock.kinds: must be a list']],
  [
    { managerLock: { kinds: 'coupons', opensForMinutes: 'x', pins: '2580' } },
    [
      'managerLock.kinds: must be a list',
      'managerLock.opensForMinutes: must be a number',
      'managerLock.pins: is not a field of this file',
      'managerLock: must have either pin or pinHash',
    ],
  ],
  [{ hub: {} }, ['hub.address: is missing']],
  [
    { hub: { address: 'tillside-hub://till@192.168.0.10/tillside', name: '' } },
    ['hub.address: must be an address as --set-up-hub prints it (password)', 'hub.name: must not be empty'],
  ],
  [{ hub: { address: hubAddressText, name: '\u202E' } }, ['hub.name: must not be empty']],
  [{ managerLock: 7 }, ['managerLock: must be an object']],
  [{ updates: { url: 'https://updates.example.com' } }, ['updates.publicKey: is missing']],
  [
    { updates: { url: 'https://updates.example.com', publicKey: Buffer.alloc(32, 1).toString('base64'), key: 'x' } },
    ['updates.key: is not a field of this file'],
  ],
  [
    { managerLock: { pinHash: '2580' } },
    ['managerLock.pinHash: must be lock.pinHash of the settings.json of a terminal whose PIN is set'],
  ],
  [
    { managerLock: { pin: '2580', kinds: ['all'], opensForMinutes: 61 } },
    [
      'managerLock.kinds.0: must be of coupons, users, settings, discarding',
      'managerLock.opensForMinutes: must be 60 at most',
    ],
  ],
  [
    { updates: { url: 'http://updates.example.com', publicKey: 'x' } },
    [
      'updates.url: must begin with https:// (http:// only for this machine itself)',
      'updates.publicKey: must be an Ed25519 public key (32 bytes, base64), or a list of one to ten',
    ],
  ],
  [
    { updates: { url: 'https://updates.example.com/?at=1', publicKey: `${'A'.repeat(43)}=` } },
    ['updates.url: must have no "?"'],
  ],
  [{ clientSecret: 'a\0b' }, ['clientSecret: must hold no control character']],
  [{ clientSecret: '\ud800' }, ['clientSecret: must hold no control character']],
  [{ clientId: undefined, stockIds: undefined }, ['clientId: is missing', 'stockIds: is missing']],
])('%j gets one message a field', (change, expected) => {
  expect(messages(change)).toEqual(expected);
});

test('a file that is no JSON object, is not there or is too large is named, without its contents', () => {
  expect(parseProvision('{"clientSecret":"made-up"')).toEqual({ ok: false, failure: ['the file: is not JSON'] });
  expect(parseProvision('[]')).toEqual({ ok: false, failure: ['the file: must be a JSON object'] });
  const folder = temporaryDirectory();
  expect(readProvision(join(folder, 'none.json'))).toEqual({ ok: false, failure: ['the file: does not exist'] });
  expect(readProvision(folder)).toEqual({ ok: false, failure: ['the file: cannot be read (EISDIR)'] });
  writeFileSync(join(folder, 'large.json'), ' '.repeat(100_001));
  expect(readProvision(join(folder, 'large.json'))).toEqual(fail(['the file: is larger than 100000 bytes']));
});

test.skipIf(process.platform === 'win32')('a pipe or a device is no file, and is not waited for', () => {
  const refused = { ok: false, failure: ['the file: cannot be read (ENXIO)'] };
  expect(readProvision('/dev/null')).toEqual(refused);
  const pipe = join(temporaryDirectory(), 'till.json');
  execFileSync('mkfifo', [pipe]);
  expect(readProvision(pipe)).toEqual(refused);
});

test.skipIf(process.platform === 'win32')('a pipe that takes its place while it is read holds nothing up', async () => {
  const folder = temporaryDirectory();
  const [path, pipe] = [join(folder, 'till.json'), join(folder, 'pipe')];
  writeFileSync(path, good);
  execFileSync('mkfifo', [pipe]);
  const source = pathToFileURL(join(import.meta.dirname, '../../../../app/hosts/provisioning/file.ts')).href;
  // Whoever waits for what is written to a pipe waits for ever, and all in its process do.
  const script = `
    import { readProvision } from '${source}';
    console.log('begins');
    for (let times = 0; times < 3000; times += 1) readProvision(${JSON.stringify(path)});
  `;
  const child = startChild(process.execPath, ['--input-type=module', '--eval', script]);
  onTestFinished(() => child.kill());
  await child.waitForLine(/^begins$/);
  exchangeFiles(path, pipe);
  expect(await Promise.race([child.ended, sleep(30_000)])).toEqual({ code: 0, signal: null });
});

describe.skipIf(process.platform === 'win32')('a file that is not this user’s', () => {
  const refused = fail(['the file: may be from anybody on this machine']);
  /** As root the file is somebody's; else this process asks as somebody. */
  const isRoot = process.getuid?.() === 0;
  const [somebody, another] = isRoot ? [2001, 2002] : [process.getuid?.() ?? 0, (process.getuid?.() ?? 0) + 1];
  const asked = (userId: number | null) => ({ userId, isReachable: () => true });
  const asUser = asked(another);
  const put = (folder: string, owner = somebody): string => {
    const path = join(folder, 'shop.json');
    writeFileSync(path, good);
    if (isRoot) {
      chownSync(path, owner, owner);
    }
    return path;
  };

  test('is refused where everybody can put one, as where one was deleted after its first use', () => {
    const folder = temporaryDirectory();
    const path = put(folder);
    for (const mode of [0o1777, 0o777, 0o703]) {
      chmodSync(folder, mode);
      expect(readProvision(path, asUser)).toEqual(refused);
      expect(readNamedProvision({ provisionPath: path, isProvisionLasting: true }, asUser)).toEqual(refused);
    }
    expect(readProvision(path, asked(somebody))).toMatchObject({ ok: true });
    const link = join(temporaryDirectory(), 'link.json');
    symlinkSync(path, link);
    expect(readProvision(link, asUser)).toEqual(refused);
  });

  test.skipIf(!isRoot)('is taken from a folder that somebody else has made where nobody but they can put one', () => {
    const around = temporaryDirectory();
    const folder = join(around, 'setup');
    mkdirSync(folder, { mode: 0o755 });
    const path = put(folder);
    for (const owner of [0, another, somebody]) {
      chownSync(folder, owner, owner);
      expect(readProvision(path, asUser), `in a folder of ${owner}`).toMatchObject({ ok: true });
    }
    // Whoever can put a folder there can put one with a file in it.
    for (const mode of [0o777, 0o1777]) {
      chmodSync(around, mode);
      expect(readProvision(path, asUser)).toEqual(refused);
    }
    expect(readProvision(path, asked(null))).toMatchObject({ ok: true });
  });

  test('is refused where another has taken its place since it was opened', () => {
    const folder = temporaryDirectory();
    chmodSync(folder, 0o1777);
    const path = put(folder, another);
    // Whoever may move a file of this user or of root, for it lies in a folder of theirs, puts it there after their own.
    expect(isAnybodys(path, { uid: somebody + 2, mode: 0o644 }, asUser)).toBe(true);
    expect(isAnybodys(path, { uid: another, mode: 0o644 }, asUser)).toBe(false);
  });

  test('is refused where others take its place while it is judged', () => {
    const folder = temporaryDirectory();
    chmodSync(folder, 0o1777);
    const path = put(folder);
    const elsewhere = put(temporaryDirectory(), another);
    // Theirs was opened. For one question a link lies there, to where nobody could put a file, and a file again for the next.
    let questions = 0;
    const facts = {
      get userId() {
        questions += 1;
        rmSync(path);
        if (questions === 1) {
          symlinkSync(elsewhere, path);
        } else {
          put(folder);
        }
        return another;
      },
      isReachable: () => true,
    };
    expect(isAnybodys(path, { uid: somebody, mode: 0o644 }, facts)).toBe(true);
    expect(questions).toBeGreaterThan(1);
  });

  test.skipIf(!isRoot)('is refused below a folder of this user’s that others can move away', () => {
    const around = temporaryDirectory();
    const folder = join(around, 'setup');
    mkdirSync(folder, { mode: 0o755 });
    const path = put(folder);
    chownSync(folder, another, another);
    chmodSync(around, 0o777);
    // One of theirs was there when it was opened.
    expect(readProvision(path, asUser)).toEqual(refused);
    chmodSync(around, 0o1777);
    expect(readProvision(path, asUser), 'out of a sticky folder nobody moves it').toMatchObject({ ok: true });
    chmodSync(around, 0o777);
    chownSync(path, another, another);
    expect(readProvision(path, asUser), 'a file of one’s own').toMatchObject({ ok: true });
  });

  test.skipIf(!isRoot)('is refused behind a link that anybody may have put there, whosever it is', () => {
    const around = temporaryDirectory();
    const folder = join(around, 'own');
    mkdirSync(folder);
    const path = put(folder, another);
    const link = join(around, 'shop.json');
    symlinkSync(path, link);
    const way = join(around, 'way');
    symlinkSync(folder, way);
    // One of this user's own may lead to either.
    const [own, ownWay] = [join(folder, 'to-link.json'), join(folder, 'to-way')];
    symlinkSync(link, own);
    symlinkSync('../way', ownWay);
    for (const [named, planted] of [
      [link, link],
      [join(way, 'shop.json'), way],
      [own, link],
      [join(ownWay, 'shop.json'), way],
    ] as const) {
      lchownSync(planted, somebody, somebody);
      chmodSync(around, 0o755);
      expect(readProvision(named, asUser), 'nobody else could').toMatchObject({ ok: true });
      chmodSync(around, 0o777);
      expect(readProvision(named, asUser)).toEqual(refused);
      lchownSync(planted, another, another);
      expect(readProvision(named, asUser), 'a link of one’s own').toMatchObject({ ok: true });
    }
  });

  test.skipIf(!isRoot)('is refused behind a link that leads above where another link leads', () => {
    const around = temporaryDirectory();
    const [folder, open] = [join(around, 'own'), join(around, 'open')];
    mkdirSync(folder);
    mkdirSync(join(open, 'below'), { recursive: true });
    chownSync(put(open), somebody, somebody);
    chmodSync(open, 0o777);
    symlinkSync(join(open, 'below'), join(folder, 'way'));
    const link = join(folder, 'link');
    symlinkSync('way/../shop.json', link);
    expect(readProvision(link, asUser)).toEqual(refused);
    put(folder, another);
    expect(readProvision(link, asUser), 'another of that name is no reason').toEqual(refused);
    chmodSync(open, 0o755);
    expect(readProvision(link, asUser), 'nobody else could').toMatchObject({ ok: true });
    rmSync(join(folder, 'shop.json'));
    expect(readProvision(link, asUser), 'nor needs one of that name to lie there').toMatchObject({ ok: true });
  });

  test.skipIf(!isRoot)('is refused behind a link that leads above where somebody’s link leads', () => {
    const around = temporaryDirectory();
    const [open, elsewhere] = [join(around, 'open'), join(around, 'elsewhere')];
    mkdirSync(open);
    mkdirSync(join(elsewhere, 'below'), { recursive: true });
    put(elsewhere, another);
    put(open, another);
    const [way, link] = [join(open, 'way'), join(around, 'link')];
    symlinkSync(join(elsewhere, 'below'), way);
    lchownSync(way, somebody, somebody);
    symlinkSync('open/way/../shop.json', link);
    expect(readProvision(link, asUser), 'nobody else could').toMatchObject({ ok: true });
    chmodSync(open, 0o1777);
    expect(readProvision(link, asUser)).toEqual(refused);
  });

  test.skipIf(process.platform !== 'linux')('is looked at within moments, however links lead to it', () => {
    const folder = temporaryDirectory();
    put(folder);
    symlinkSync('.', join(folder, '0'));
    for (let link = 1; link <= 30; link += 1) {
      symlinkSync(`${link - 1}/${link - 1}`, join(folder, String(link)));
    }
    const path = join(folder, '30', 'shop.json');
    // As where the links take the place of others once it was opened.
    expect(() => isAnybodys(path, { uid: somebody, mode: 0o644 }, asUser)).toThrow('ELOOP');
    expect(readProvision(path, asUser)).toMatchObject({ ok: false });
  });

  test.skipIf(process.platform !== 'linux')('without owners, as on Windows, the way to it is not asked for', () => {
    const path = put(temporaryDirectory());
    const file = openSync(path, 'r');
    rmSync(path);
    // It can be opened, and no path leads there.
    expect(readProvision(`/proc/self/fd/${file}`, asked(null))).toMatchObject({ ok: true });
    closeSync(file);
  });

  test('is refused where everybody could change it, whoever owns it', () => {
    const path = put(temporaryDirectory());
    chmodSync(path, 0o646);
    expect(readProvision(path, asked(somebody))).toEqual(refused);
    expect(readProvision(path, { userId: somebody, isReachable: () => false }), 'nobody comes there').toMatchObject({
      ok: true,
    });
  });
});

test.each(['utf16le', 'of the other order'])('a file in UTF-16 is read as its mark says: %s', (order) => {
  const path = join(temporaryDirectory(), 'provision.json');
  const wide = Buffer.from(`\uFEFF${good.replace('made-up', 'senhã')}\r\n`, 'utf16le');
  writeFileSync(path, order === 'utf16le' ? wide : wide.swap16());
  expect(readProvision(path)).toMatchObject({ ok: true, value: { clientSecret: 'senhã' } });
});

test('a file in another encoding is refused: a secret in it would be another one (RFC 8259 §8.1)', () => {
  const path = join(temporaryDirectory(), 'latin.json');
  writeFileSync(path, Buffer.from('{"clientSecret":"made-up señal"}', 'latin1'));
  expect(readProvision(path)).toEqual({ ok: false, failure: ['the file: is not JSON'] });
  expect(parseProvision('{"clientSecret":"made-up se\uFFFDal"}')).toEqual(fail(['the file: is not JSON']));
});

test('a file that the environment names may be gone after the first start; one that a flag names may not', () => {
  const provisionPath = join(temporaryDirectory(), 'till.json');
  expect(readNamedProvision({ provisionPath: null, isProvisionLasting: false })).toEqual({ ok: true, value: null });
  expect(readNamedProvision({ provisionPath, isProvisionLasting: true })).toEqual({ ok: true, value: null });
  expect(readNamedProvision({ provisionPath, isProvisionLasting: false })).toEqual(fail(['the file: does not exist']));
  writeFileSync(provisionPath, good);
  expect(readNamedProvision({ provisionPath, isProvisionLasting: true })).toMatchObject(
    succeed({ clientSecret: 'made-up' }),
  );
});

test('a field that stands more than once is named, nested or not, and nothing is used', () => {
  const other = '{"platformUrl":"https://a.example.com","clientId":"a","clientId":"b","companyId":2,"stockIds":[1]}';
  const twice = `${good.slice(0, -1)},"companyId":1,"settings":{"fileKind":"csv","fileKind":"xlsx"},"otherProfiles":[${other}]}`;
  const failure = ['companyId', 'settings.fileKind', 'otherProfiles.0.clientId'].map(
    (field) => `${field}: stands more than once in the file`,
  );
  expect(parseProvision(twice)).toEqual({ ok: false, failure });
  expect(parseProvision(twice, 'address')).toEqual({ ok: false, failure });
});

test('a field of any name is named in one line that no terminal obeys, and fifty of them at most', () => {
  const named = (names: readonly string[], isTwice = false): readonly string[] => {
    const fields = [...names, ...(isTwice ? names : [])].map((name) => `${JSON.stringify(name)}:1`);
    const parsed = parseProvision(`${good.slice(0, -1)},${fields.join()}}`);
    return parsed.ok ? [] : parsed.failure;
  };
  const evil = '\u001B]0;title\u0007\u001B[2J\nTillside: all is well\u009B2J\u202E\u2028\uD800';
  for (const isTwice of [false, true]) {
    expect(named([evil], isTwice)).toEqual([expect.stringMatching(/^[^\p{C}\p{Zl}\p{Zp}]+$/u)]);
    expect(named(['x'.repeat(5000)], isTwice)[0]?.length).toBeLessThan(200);
    const many = Array.from({ length: 3000 }, (_, place) => `n${place}`);
    expect(named(many, isTwice)).toHaveLength(50);
  }
});
