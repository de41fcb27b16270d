import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ConfigError, readConfig } from '../../../app/bridge/config.ts';
import { projectDirectory } from '../../../build/project.ts';
import { writeSchemas } from '../../../build/schemas.ts';
import { exchangeFiles } from '../../support/exchange-files.ts';
import { startChild } from '../../support/child.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { environmentOf, queries, writeConfig } from './shop.ts';

function faultsOf(change: object, environment = environmentOf('sqlite:shop.db')): readonly string[] {
  try {
    readConfig(writeConfig(temporaryDirectory(), change), environment);
    return [];
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as ConfigError).faults;
  }
}

const source = (change: object) => ({ source: { kind: 'sql', database: { env: 'SHOP' }, queries, ...change } });

const woocommerce = {
  kind: 'woocommerce',
  address: 'https://shop.example.com',
  key: { env: 'SHOP' },
  secret: { env: 'SHOP' },
};

describe('the configuration of a bridge', () => {
  it('is read with its secrets, its paths from its own folder', () => {
    const folder = temporaryDirectory();
    const config = readConfig(writeConfig(folder), environmentOf('sqlite:shop.db'));
    expect([config.folder, config.source, config.applications[0]?.secret]).toEqual([
      join(folder, 'bridge'),
      { kind: 'sql', database: `sqlite:${join(folder, 'shop.db')}`, queries, everySeconds: 86_400 },
      'a-secret-of-the-tills',
    ]);
  });

  it('is read as an editor of Windows saves it, with a byte order mark', () => {
    const path = writeConfig(temporaryDirectory());
    writeFileSync(path, `\uFEFF${readFileSync(path, 'utf8')}\r\n`);
    expect(readConfig(path, environmentOf('sqlite:shop.db')).source.kind).toBe('sql');
  });

  it('is read as PowerShell saves it, in UTF-16, and so is a secret', () => {
    const folder = temporaryDirectory();
    const path = writeConfig(folder, source({ database: { file: 'secret' } }));
    const inUtf16 = (text: string): Buffer => Buffer.from(`\uFEFF${text}\r\n`, 'utf16le');
    writeFileSync(path, inUtf16(readFileSync(path, 'utf8')));
    writeFileSync(join(folder, 'secret'), inUtf16(`sqlite:${folder}/pão.db`), { mode: 0o600 });
    expect(readConfig(path, environmentOf('')).source).toMatchObject({ database: `sqlite:${folder}/pão.db` });
  });

  it('is read as the README shows it, and as its JSON schema says', () => {
    const readme = readFileSync(join(projectDirectory, 'app/bridge/README.md'), 'utf8');
    const text = /```json\n([^]*?)```/.exec(readme)?.[1] ?? '';
    const schema = JSON.parse(writeSchemas()['app/bridge/shop.schema.json'] ?? '') as object;
    const validate = new Ajv2020({ strict: false, formats: { uri: true } }).compile(schema);
    expect([validate(JSON.parse(text)), validate.errors]).toEqual([true, null]);
    expect(validate({ ...(JSON.parse(text) as object), stoks: [] })).toBe(false);
    const folder = temporaryDirectory();
    writeFileSync(join(folder, 'shop.json'), text);
    writeFileSync(join(folder, 'caixa.secret'), 'a-password', { mode: 0o600 });
    const environment = { TILLS_SECRET: 'a-secret', SHOP_DATABASE: 'mariadb://shop:word@127.0.0.1/shop' };
    expect(readConfig(join(folder, 'shop.json'), environment).users[0]?.password).toBe('a-password');
  });

  it.each<[name: string, change: object, fault: string]>([
    ['an open address without TLS', { listen: { host: '0.0.0.0', port: 1 } }, 'listen.tls is needed'],
    ['a port that cannot be', { listen: { port: 70_000 } }, 'listen.port: '],
    ['an unknown field', { stoks: [] }, 'the file: '],
    ['a time zone that is none', { timeZone: 'Loja/Centro' }, 'timeZone: is no time zone'],
    ['an id that is none', { company: { id: '1.5', name: 'A' } }, 'company.id: must be digits'],
    [
      'two stocks of one id',
      { stocks: [1, 2].map(() => ({ id: '1', name: 'A', source: 'a' })) },
      'stocks has "1" twice',
    ],
    [
      'a query without its parameter',
      source({ queries: { ...queries, amount: 'SELECT 1 AS amount WHERE :product' } }),
      'source.queries.amount must use :stock',
    ],
    [
      'a parameter that is none',
      source({ queries: { ...queries, stock: 'SELECT :day' } }),
      'source.queries.stock has no parameter :day',
    ],
    [
      'a shop asked without TLS over a network',
      { source: { ...woocommerce, address: 'http://shop.example.com' } },
      'source.address: must be https',
    ],
    [
      'an address whose user is called as this machine',
      { source: { ...woocommerce, address: 'http://localhost:word@shop.example.com' } },
      'source.address: must be https',
    ],
    ['a second stock where there is one', { source: woocommerce }, 'stocks: WooCommerce has one stock'],
    [
      'a secret that is not there',
      { applications: [{ clientId: 'a', secret: { env: 'NONE' } }] },
      'applications.0.secret: the environment has no NONE',
    ],
    [
      'a secret that is written into the file',
      { users: [{ id: '1', email: 'caixa@example.com', password: 'a-canary-7c1e' }] },
      'users.0.password: must be {"env": "NAME"} or {"file": "PATH"}, never the secret itself',
    ],
    [
      "a server's address that is written into the file",
      source({ database: 'postgres://shop:word@127.0.0.1/shop' }),
      'source.database: must be "sqlite:PATH", or {"env": "NAME"} or {"file": "PATH"} for an address with a password',
    ],
  ])('names the fault of %s', (_name, change, fault) => {
    const faults = faultsOf(change);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain(fault);
  });

  it('names all faults at once', () => {
    expect(
      faultsOf({
        listen: { host: '0.0.0.0', port: 1 },
        ...source({ queries: { ...queries, stock: 'SELECT :a, :b' } }),
      }),
    ).toHaveLength(3);
  });

  it('takes no colon in text, comments, names and casts for a parameter', () => {
    const stock = `SELECT ':day', "a:b", qty::text -- :late\n/* :later */ FROM stock`;
    expect(faultsOf(source({ queries: { ...queries, stock } }))).toEqual([]);
  });

  it('refuses a field that stands twice: which of them was meant, nobody knows', () => {
    const path = writeConfig(temporaryDirectory());
    const text = readFileSync(path, 'utf8').replace('"port":0', '"port":0,"port":4100');
    writeFileSync(path, text.replace('"timeZone"', '"requestsPerMinute":60,"timeZone"'));
    expect(() => readConfig(path, environmentOf('sqlite:shop.db'))).toThrow(
      'it has more than once listen.port, requestsPerMinute',
    );
  });

  it.skipIf(process.platform === 'win32')('refuses a pipe, which would never end', () => {
    const pipe = join(temporaryDirectory(), 'pipe');
    execFileSync('mkfifo', ['-m', '600', pipe]);
    expect(faultsOf({ applications: [{ clientId: 'tills', secret: { file: pipe } }] })[0]).toContain('is no file');
    expect(() => readConfig(pipe, {})).toThrow('is no file');
  });

  it.skipIf(process.platform === 'win32').each([
    ['a pipe for the configuration', 'shop.json'],
    ['a pipe for a secret', 'secret'],
    ['a file that others may read for a secret', 'secret'],
  ])('waits for nothing, and believes nothing, that takes a place while it is read: %s', async (what, name) => {
    const folder = temporaryDirectory();
    const [secret, other] = [join(folder, 'secret'), join(folder, 'other')];
    writeFileSync(secret, 'own', { mode: 0o600 });
    const config = writeConfig(folder, { applications: [{ clientId: 'tills', secret: { file: 'secret' } }] });
    if (what.startsWith('a pipe')) {
      execFileSync('mkfifo', ['-m', '600', other]);
    } else {
      writeFileSync(other, 'theirs', { mode: 0o644 });
    }
    const script = `
      import { readConfig } from '${pathToFileURL(join(projectDirectory, 'app/bridge/config.ts')).href}';
      const read = new Set();
      const secretOf = () => {
        try {
          return readConfig(${JSON.stringify(config)}, ${JSON.stringify(environmentOf('sqlite:shop.db'))}).applications[0].secret;
        } catch {
          return 'refused';
        }
      };
      console.log('begins');
      for (let times = 0; times < 1200 || (times < 100000 && !read.has('own')); times += 1) read.add(secretOf());
      console.log('read ' + [...read].filter((one) => one !== 'refused').join());
    `;
    const child = startChild(process.execPath, ['--input-type=module', '--eval', script]);
    onTestFinished(() => child.kill());
    await child.waitForLine(/^begins$/);
    exchangeFiles(join(folder, name), other);
    // Whoever waits for a pipe waits for ever; a busy machine takes its time.
    expect(await child.waitForLine(/^read .*/, 60_000)).toMatchObject({ 0: 'read own' });
  });

  it.skipIf(process.platform === 'win32')('refuses a secret file that others may read', () => {
    const file = join(temporaryDirectory(), 'secret');
    writeFileSync(file, 'a-secret\n');
    const change = { applications: [{ clientId: 'tills', secret: { file } }] };
    for (const mode of [0o644, 0o640, 0o620]) {
      chmodSync(file, mode);
      expect(faultsOf(change)[0]).toContain('others may read');
    }
    chmodSync(file, 0o600);
    expect(faultsOf(change)).toEqual([]);
  });
});
