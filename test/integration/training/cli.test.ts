import { describe, expect, it, onTestFinished } from 'vitest';
import { conditionTable } from '../../../app/training/options/network-conditions.ts';
import { variantTable } from '../../../app/training/options/variants.ts';
import { orderlyEnd, startChild, type Child } from '../../support/child.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

function run(...flags: string[]): Child {
  const child = startChild(process.execPath, ['build/platform.ts', ...flags]);
  onTestFinished(() => child.kill());
  return child;
}

async function ended(child: Child): Promise<number | null> {
  return new Promise((resolve) => {
    child.process.once('close', resolve);
  });
}

describe('running', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'prints where it is and how to get in, and ends cleanly on %s',
    async (signal) => {
      const child = run('--products', '50', '--seed', '7');
      await child.waitForLine(/^Description/);
      const [, url] = /^The training platform is at (http:\/\/127\.0\.0\.1:\d+)$/.exec(child.lines[0] ?? '') ?? [];
      const credentials = new Map(child.lines.slice(1).map((line) => line.split(': ') as [string, string]));
      expect([...credentials.keys()]).toEqual([
        'Client ID',
        'Client secret',
        'Company ID',
        'Stock IDs',
        'E-mail',
        'Password',
        'Control panel',
        'Description (OpenAPI 3.1)',
      ]);

      const headers: Record<string, string> = { 'content-type': 'application/json', accept: 'application/json' };
      const token = await fetch(`${url}/oauth/token`, {
        method: 'POST',
        headers,
        body: JSON.stringify({
          grant_type: 'password',
          client_id: credentials.get('Client ID'),
          client_secret: credentials.get('Client secret'),
          username: credentials.get('E-mail'),
          password: credentials.get('Password'),
          scope: '*',
        }),
      });
      const { access_token: accessToken } = (await token.json()) as { access_token: string };
      const stockId = credentials.get('Stock IDs')?.split(', ')[0];
      const listing = await fetch(`${url}/api/v3/stocks/${stockId}/products`, {
        headers: {
          ...headers,
          authorization: `Bearer ${accessToken}`,
          'service-company-id': credentials.get('Company ID') ?? '',
        },
      });
      expect(((await listing.json()) as { meta: { total: number } }).meta.total).toBe(50);

      expect(await child.stop(signal)).toEqual(orderlyEnd(signal));
      expect(child.errorLines).toEqual([]);
    },
  );
});

it.skipIf(process.platform === 'win32')('ends with the shell that npm started it in', async () => {
  const command = `"${process.execPath}" build/platform.ts & echo "child $!"; wait`;
  const shell = startChild('/bin/sh', ['-c', command], { environment: { npm_lifecycle_event: 'platform' } });
  const [, url = ''] = await shell.waitForLine(/is at (http:.*)$/);
  const [, pid = ''] = await shell.waitForLine(/^child (\d+)$/);
  onTestFinished(() => {
    try {
      process.kill(Number(pid), 'SIGKILL');
    } catch {
      // It has ended, as it should.
    }
  });
  expect((await fetch(`${url}/oauth/scopes`)).status).toBe(400);
  shell.process.kill('SIGTERM');
  await expect
    .poll(
      () =>
        fetch(url).then(
          () => 'there',
          () => 'gone',
        ),
      { timeout: 10_000 },
    )
    .toBe('gone');
});

it('begins with the given conditions and variants, and remembers in the given folder', async () => {
  const directory = temporaryDirectory();
  const start = async (...flags: string[]) => {
    const child = run('--products', '5', '--directory', directory, ...flags);
    const [, url = ''] = await child.waitForLine(/^The training platform is at (.*)$/);
    const [, key = ''] = await child.waitForLine(/^Control panel: .*#(.*)$/);
    return { child, url, headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' } };
  };
  const first = await start('--is-network-down', 'true', '--element-shape', 'flat', '--requests-per-minute', '7');
  await expect(fetch(`${first.url}/oauth/scopes`)).rejects.toThrow('fetch failed');
  const body = JSON.stringify({
    actions: [{ do: 'changeBalance', stockId: '1201', productId: '1000001', amount: 77.5 }],
  });
  const state = await (
    await fetch(`${first.url}/control/change`, { method: 'POST', headers: first.headers, body })
  ).json();
  expect(state).toMatchObject({
    conditions: { isNetworkDown: true, lossPercent: 0 },
    variants: { elementShape: 'flat', requestsPerMinute: 7 },
  });
  await first.child.stop('SIGTERM');

  const second = await start();
  expect(await (await fetch(`${second.url}/control/state`, { headers: second.headers })).json()).toMatchObject({
    conditions: { isNetworkDown: false },
    variants: { elementShape: 'nested' },
  });
  const token = await fetch(`${second.url}/oauth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({
      grant_type: 'password',
      client_id: 'practice-terminal',
      client_secret: 'practice-secret-for-nobody',
      username: 'caixa@example.com',
      password: 'praticar-aqui-1',
      scope: '*',
    }),
  });
  const { access_token: accessToken } = (await token.json()) as { access_token: string };
  const balance = await fetch(`${second.url}/api/v3/stocks/1201/products/1000001/balance`, {
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      authorization: `Bearer ${accessToken}`,
      'service-company-id': '4101',
    },
  });
  expect(await balance.json()).toMatchObject({ balance: 77.5 });
});

describe('flags', () => {
  it.each([
    [['--prot', '1'], /--prot/],
    [['--port', '65536'], /--port must be a whole number from 0 to 65535, not "65536"/],
    [['--products', '1000001'], /--products must be a whole number/],
    [['--seed', '-1'], /--seed/],
    [['--seed', 'x'], /--seed/],
    [['extra'], /extra/],
    [['--loss-percent', '101'], /lossPercent must be 0 to 100/],
    [['--element-shape', 'round'], /elementShape must be nested \| flat \| bare/],
    [['--directory', '/no/such/folder'], /--directory must be an existing folder/],
  ])('%j are refused with code 2 and a message', async (flags, message) => {
    const child = run(...flags);
    expect(await ended(child)).toBe(2);
    expect(child.errorLines[0]).toMatch(message);
    expect(child.errorLines.join('\n')).toContain('Usage: npm run platform');
    expect(child.lines).toEqual([]);
  });

  it('--help explains them', async () => {
    const child = run('--help');
    expect(await ended(child)).toBe(0);
    expect(child.lines[0]).toMatch(/^Usage: /);
    const text = child.lines.join('\n');
    expect(text).toMatch(/--port N[^]*--products N[^]*--seed N[^]*--directory PATH/);
    for (const name of [...Object.keys(conditionTable), ...Object.keys(variantTable)]) {
      expect(text).toContain(`--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} `);
    }
  });
});
