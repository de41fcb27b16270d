// Owns the proof of what a support technician is told: this terminal's circumstances read on this machine alone, and a bundle that
// helps without holding a secret or a person's name.
import { afterEach, expect, test } from 'vitest';
import type { Id } from '../../../app/domain/int64.ts';
import { readMachine } from '../../../app/hosts/machine.ts';
import { openPracticeTerminal, type PracticeTerminal } from '../../support/practice-terminal.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const opened: PracticeTerminal[] = [];
afterEach(() => Promise.all(opened.splice(0).map((till) => till.close())));

async function openTill(options: Parameters<typeof openPracticeTerminal>[0] = {}): Promise<PracticeTerminal> {
  const till = await openPracticeTerminal(options);
  opened.push(till);
  return till;
}

test('tells versions, clock and keychain, and asks the platform nothing', async () => {
  let requests = 0;
  const till = await openTill({ wrapHttp: (http) => ({ send: (request) => ((requests += 1), http.send(request)) }) });
  await expect.poll(async () => (await till.terminal.handlers['terminal:read']({})).ok && requests).toBeGreaterThan(1);
  const before = requests;
  const told = await till.terminal.handlers['support:diagnose']({});
  expect(told).toMatchObject({ ok: true, value: { versions: [{ name: 'Tillside', version: '0.0.0' }], keychain: { state: 'notUsed' }, isSafeMode: false, log: [] } });
  const aheadMs = told.ok ? (told.value.clock?.aheadMs ?? Number.NaN) : Number.NaN;
  // A Date header has whole seconds.
  expect(Math.abs(aheadMs)).toBeLessThan(5000);
  expect(requests - before).toBeLessThan(3);
});

test('the bundle holds the state, the updates with their attempts and the log, and no secret, no password and nobody’s name', async () => {
  const till = await openTill({
    shell: { readLog: () => [`{"at":"2026-01-01","message":"token: canary-of-the-log, by ${till.platform.email}"}`] },
  });
  expect(await till.terminal.handlers['coupon:switch']({ productId: '1' as Id, isEnabled: true })).toMatchObject({ ok: true });
  const bundle = await till.terminal.handlers['support:readBundle']({});
  if (!bundle.ok) {
    throw new Error(bundle.failure.kind);
  }
  expect(bundle.value.name).toMatch(/^tillside-support-\d{4}-\d{2}-\d{2}-\d{2}-\d{2}\.json$/);
  const { text } = bundle.value;
  expect(JSON.parse(text)).toMatchObject({ diagnostics: { isSafeMode: false }, state: { mode: 'practice', phase: 'ready' }, updates: [{ subject_id: '1' }] });
  for (const secret of [till.platform.clientSecret, till.platform.password, 'canary-of-the-log', till.platform.email]) {
    expect(text).not.toContain(secret);
  }
  // The control: what was hidden was there to be found.
  expect(text).toContain('token: [redacted]');
  expect(text).toContain(`…@${till.platform.email.split('@')[1] ?? ''}`);
});

test('the machine tells itself, files by name and size alone', async () => {
  const directory = temporaryDirectory();
  const facts = await readMachine(directory);
  expect(facts.versions.map(({ name }) => name)).toContain('Node');
  expect(facts.memoryBytes).toBeGreaterThan(facts.freeMemoryBytes);
  expect(facts.freeDiskBytes).toBeGreaterThan(0);
  expect(facts.files).toEqual([]);
  expect((await readMachine(`${directory}/gone`)).freeDiskBytes).toBeNull();
});
