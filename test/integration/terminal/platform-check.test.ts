// Proves over a whole terminal that the check of a platform reads only, leaves the limit to others, ends with whoever
// began it, and says what the platform keeps.
import { expect, onTestFinished, test } from 'vitest';
import type { PlatformCheck } from '../../../app/contract/platform-check.ts';
import { fail, succeed } from '../../../app/domain/result.ts';
import type { HttpRequest, HttpResponse } from '../../../app/ports.ts';
import type { Terminal } from '../../../app/terminal/terminal.ts';
import { anasPin, openTillWithPins, signIn } from '../../support/cashier-till.ts';
import { createFastClock } from '../../support/fast-clock.ts';
import { connect, openPlatformForTest } from '../../support/machine.ts';
import { openPracticeTerminal } from '../../support/practice-terminal.ts';
import { valueOf } from '../../support/value-of.ts';

const read = async ({ handlers }: Pick<Terminal, 'handlers'>, language: 'en' | 'es' | 'pt-BR' = 'en') =>
  valueOf(await handlers['platformCheck:read']({ language }));

async function over(terminal: Pick<Terminal, 'handlers'>): Promise<PlatformCheck> {
  await expect.poll(async () => (await read(terminal)).state, { timeout: 25_000 }).not.toBe('running');
  return read(terminal);
}

async function ended(terminal: Pick<Terminal, 'handlers'>) {
  const check = await over(terminal);
  return check.state === 'ended' ? check : expect.fail(JSON.stringify(check));
}

type Between = (request: HttpRequest, answer: HttpResponse) => HttpResponse | 'lost';

/** A till of the practice store at which nothing is sent by itself, on a clock that runs faster. */
async function openTill() {
  const clock = createFastClock(60);
  const world = {
    sent: [] as { readonly atMs: number; readonly request: HttpRequest }[],
    between: null as Between | null,
  };
  const till = await openPracticeTerminal({
    clock,
    shell: { isSafeMode: true },
    productCount: 130,
    wrapHttp: (http) => ({
      send: async (request) => {
        world.sent.push({ atMs: clock.uptimeMs(), request });
        const answer = await http.send(request);
        const changed = answer.ok ? (world.between?.(request, answer.value) ?? answer.value) : null;
        if (changed === 'lost') return fail({ kind: 'unreachable' });
        return changed === null ? answer : succeed(changed);
      },
    }),
  });
  onTestFinished(() => till.close());
  await expect.poll(() => till.platform.arrivals().length).toBeGreaterThan(0);
  world.sent.splice(0);
  return { ...till, ...till.terminal, world };
}

const start = ({ handlers }: Pick<Terminal, 'handlers'>) => handlers['platformCheck:start']({});

test('a platform that keeps the document is said to, by reads alone and with half of the limit', async () => {
  const { terminal, world } = await openTill();
  expect(await read(terminal)).toEqual({ state: 'none' });
  expect(await start(terminal)).toEqual({ ok: true, value: {} });
  // A second press begins no second one.
  expect(await start(terminal)).toEqual({ ok: true, value: {} });
  expect(await read(terminal)).toMatchObject({ state: 'running' });
  const { lines, file } = await ended(terminal);
  expect(lines.filter(({ verdict }) => verdict === 'broken')).toEqual([]);
  expect(lines.filter(({ verdict }) => verdict === 'kept').length).toBeGreaterThan(50);
  expect(file.text).toContain('Without Accept: 400 missing_headers');
  expect(new Set(world.sent.map(({ request }) => request.method))).toEqual(new Set(['GET']));
  const times = world.sent.map(({ atMs }) => atMs);
  const inAMinute = times.map((from) => times.filter((at) => at >= from && at < from + 60_000).length);
  expect(Math.max(...inAMinute)).toBeLessThanOrEqual(30);
  expect(times.length).toBeGreaterThan(55);
  expect(times.length).toBeLessThan(70);
});

test('deviations come first, with their reasons, in each language, and without the token', async () => {
  const { terminal, world } = await openTill();
  world.between = (request, answer) => {
    if (request.url.includes('/batches')) return { ...answer, status: 500, body: JSON.stringify(request.headers) };
    if (request.url.includes('/balance')) return 'lost';
    return answer;
  };
  await start(terminal);
  const { lines, file } = await ended(terminal);
  const broken = lines.filter(({ verdict }) => verdict === 'broken');
  expect(broken.map(({ id }) => id)).toEqual(expect.arrayContaining(['1:answered', '4.5:shape', '7:status']));
  expect(lines.slice(0, broken.length)).toEqual(broken);
  expect(broken.find(({ id }) => id === '7:status')).toMatchObject({ why: 'The platform failed with 500.' });
  expect(file.name).toMatch(/^tillside-platform-[\d-]+\.txt$/);
  const token = world.sent.map(({ request }) => request.headers['Authorization'] ?? '').find((one) => one.length > 20);
  expect(token).toBeDefined();
  expect(file.text).not.toContain(token?.replace('Bearer ', ''));
  for (const [language, title] of [
    ['es', 'La plataforma falló con 500'],
    ['pt-BR', 'A plataforma falhou com 500'],
  ] as const) {
    expect(JSON.stringify(await read(terminal, language)), language).toContain(title);
  }
});

test('a platform that quotes the token where it refuses ends the check, and the page never has it', async () => {
  const { terminal, world } = await openTill();
  world.between = ({ headers }, answer) => {
    const said = {
      code: 'too_many_requests',
      message: headers['Authorization'],
      meta: [{ field: headers['Authorization'] }],
    };
    return headers['Authorization'] === undefined ? answer : { ...answer, status: 429, body: JSON.stringify(said) };
  };
  await start(terminal);
  const check = await over(terminal);
  expect(check).toMatchObject({ state: 'failed', failure: { kind: 'tooManyRequests', message: 'Bearer [redacted]' } });
  const token = world.sent.map(({ request }) => request.headers['Authorization'] ?? '').find((one) => one.length > 20);
  expect(token).toBeDefined();
  expect(JSON.stringify(check)).not.toContain(token?.replace('Bearer ', ''));
});

test('a scan does not wait for it, and a 429 slows the whole till and ends it', async () => {
  const { terminal, handlers, world } = await openTill();
  await start(terminal);
  // Half of the limit counts now: the check waits.
  await expect.poll(() => world.sent.length, { timeout: 10_000 }).toBeGreaterThanOrEqual(30);
  const before = world.sent.length;
  expect(await handlers['lookup:ask']({ text: '7891234500017' })).toMatchObject({ ok: true });
  const since = world.sent.slice(before).map(({ request }) => request.url);
  expect(since.some((url) => url.includes('7891234500017'))).toBe(true);
  world.between = (_request, answer) => ({ ...answer, status: 429 });
  await expect
    .poll(async () => valueOf(await handlers['rateLimit:read']({})).pausedUntil, { interval: 5 })
    .not.toBeNull();
  expect(await over(terminal)).toMatchObject({ state: 'failed', failure: { kind: 'tooManyRequests' } });
});

test.each(['unreachable', 'notThePlatform', 'answerTooLarge'] as const)(
  '%s is a failure, no deviation',
  async (kind) => {
    const { terminal, world } = await openTill();
    world.between = (_request, answer) => {
      if (kind === 'unreachable') return 'lost';
      const body = kind === 'notThePlatform' ? '<!doctype html><html></html>' : `"${'x'.repeat(1_100_000)}"`;
      return {
        ...answer,
        status: 200,
        headers: kind === 'notThePlatform' ? { 'content-type': 'text/html' } : {},
        body,
      };
    };
    await start(terminal);
    expect(await over(terminal)).toMatchObject({ state: 'failed', failure: { kind } });
  },
);

test.each(['unreachable', 'notThePlatform'] as const)(
  'the network that goes away amid it ends it: %s',
  async (kind) => {
    const { terminal, world } = await openTill();
    await start(terminal);
    await expect.poll(() => world.sent.length, { timeout: 10_000 }).toBeGreaterThan(10);
    const portal = { status: 200, headers: { 'content-type': 'text/html' }, body: '<!doctype html><html></html>' };
    world.between = (_request, answer) => (kind === 'unreachable' ? 'lost' : { ...answer, ...portal });
    expect(await over(terminal)).toMatchObject({ state: 'failed', failure: { kind } });
  },
);

test('what was found goes with the user, whoever comes next', async () => {
  const till = await openTillWithPins(createFastClock(60));
  const { handlers, terminal, ana } = till;
  expect(await handlers['cashier:comeBack']({ email: ana.email, pin: anasPin })).toMatchObject({ ok: true });
  await start(terminal);
  await ended(terminal);
  await handlers['session:signOut']({});
  await signIn(terminal, ana);
  expect(await read(terminal)).toEqual({ state: 'none' });
});

test('stopped by a person it leaves nothing, sends nothing more, and can begin again', async () => {
  const { terminal, handlers, world } = await openTill();
  await start(terminal);
  await expect.poll(() => world.sent.length, { timeout: 10_000 }).toBeGreaterThan(3);
  expect(await handlers['platformCheck:stop']({})).toEqual({ ok: true, value: {} });
  expect(await read(terminal)).toEqual({ state: 'none' });
  const { length } = world.sent;
  // As a whole check would take on this clock.
  await new Promise((resolve) => {
    setTimeout(resolve, 1_000);
  });
  expect(world.sent.length).toBe(length);
  expect(await read(terminal)).toEqual({ state: 'none' });
  await start(terminal);
  expect(await read(terminal)).toMatchObject({ state: 'running' });
});

test.each(['cashier:lock', 'session:signOut'] as const)('%s ends it, and nobody else finds anything', async (way) => {
  const till = await openTillWithPins(createFastClock(20));
  const { handlers, terminal, ana, platform } = till;
  expect(await handlers['cashier:comeBack']({ email: ana.email, pin: anasPin })).toMatchObject({ ok: true });
  await start(terminal);
  expect(await read(terminal)).toMatchObject({ state: 'running' });
  await handlers[way]({});
  for (const call of [start(terminal), handlers['platformCheck:read']({ language: 'en' })]) {
    expect(await call).toMatchObject({ failure: { kind: 'signInNeeded' } });
  }
  const scopes = () => platform.arrivals().filter(({ path }) => path.includes('no-such-resource')).length;
  const asked = scopes();
  await signIn(terminal, ana);
  expect(await read(terminal)).toEqual({ state: 'none' });
  expect(scopes()).toBe(asked);
});

test('what was found belongs to its profile: it goes with it, and a switch amid a check ends that', async () => {
  const [other, till] = [await openPlatformForTest(), await openTillWithPins(createFastClock(60))];
  const { handlers, terminal, ana } = till;
  await handlers['cashier:comeBack']({ email: ana.email, pin: anasPin });
  await start(terminal);
  expect((await ended(terminal)).lines.length).toBeGreaterThan(80);
  await connect({ handlers }, other);
  await signIn(terminal, other);
  expect(await read(terminal)).toEqual({ state: 'none' });
  await start(terminal);
  expect(await handlers['profile:switch']({ profileId: 1 })).toMatchObject({ ok: true });
  expect(await handlers['cashier:comeBack']({ email: ana.email, pin: anasPin })).toMatchObject({ ok: true });
  expect(await read(terminal)).toEqual({ state: 'none' });
});

test('the end of the app does not wait for it', async () => {
  const { terminal, world } = await openTill();
  await start(terminal);
  await expect.poll(() => world.sent.length, { timeout: 10_000 }).toBeGreaterThan(3);
  await terminal.close();
  const { length } = world.sent;
  await new Promise((resolve) => {
    setTimeout(resolve, 200);
  });
  expect(world.sent.length).toBe(length);
});

test('where settings are locked it begins after the PIN alone, and is on the list', async () => {
  const { terminal, handlers } = await openTill();
  expect(await handlers['lock:setPin']({ pin: '2580' })).toMatchObject({ ok: true });
  await handlers['lock:lockNow']({});
  expect(await start(terminal)).toMatchObject({ failure: { kind: 'locked' } });
  expect(await handlers['lock:unlock']({ pin: '2580', opens: 'settings' })).toMatchObject({ ok: true });
  expect(await start(terminal)).toMatchObject({ ok: true });
  expect(await handlers['lock:unlock']({ pin: '2580', opens: 'audit' })).toMatchObject({ ok: true });
  const { rows } = valueOf(await handlers['audit:list']({ group: 'settings', offset: 0, limit: 1 }));
  expect(rows).toMatchObject([{ action: { kind: 'platformChecked' }, isWithPin: true }]);
});
