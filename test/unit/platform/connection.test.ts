// The proof of what this terminal knows of the way to the platform, and of its asking while it is offline.
import { expect, test } from 'vitest';
import { createConnection } from '../../../app/platform/connection.ts';
import { createManualClock } from '../../support/manual-clock.ts';

function open() {
  const clock = createManualClock();
  const probes: number[] = [];
  const states: string[] = [];
  const connection = createConnection({ clock, random: { uuid: () => '', fraction: () => 0.5 } }, () => {
    probes.push(clock.uptimeMs());
  });
  connection.onChange(({ state }) => states.push(state));
  return { clock, probes, states, connection };
}

test('unknown at first; online by any answer; offline by trouble on the way; told only when it changes', () => {
  const { connection, states } = open();
  expect(connection.state()).toMatchObject({ state: 'unknown', failure: null });
  connection.report({ kind: 'unauthorized', status: 401 });
  connection.report(null);
  connection.report({ kind: 'timedOut' });
  connection.report({ kind: 'unreachable' });
  expect(connection.state()).toMatchObject({ state: 'offline', failure: { kind: 'unreachable' } });
  connection.report({ kind: 'platformFailed' });
  expect(connection.state()).toMatchObject({ state: 'online', failure: null });
  expect(states).toEqual(['online', 'offline', 'online']);
});

test('the last answer is the last that the platform gave, whatever it said', () => {
  const { clock, connection } = open();
  connection.report({ kind: 'unreachable' });
  connection.report({ kind: 'notThePlatform', status: 502 });
  expect(connection.answeredMs()).toBeNull();
  connection.report({ kind: 'platformFailed' });
  const answeredMs = clock.uptimeMs();
  clock.jumpWall(3_600_000);
  connection.report({ kind: 'timedOut' });
  expect(connection.answeredMs()).toBe(answeredMs);
});

test('a call that was called off says nothing', () => {
  const { connection } = open();
  connection.report({ kind: 'cancelled' });
  expect(connection.state().state).toBe('unknown');
});

test('only what succeeded counts as a success', () => {
  const { connection } = open();
  connection.report({ kind: 'forbidden', status: 403 });
  connection.report({ kind: 'timedOut' });
  expect(connection.successes()).toBe(0);
  connection.report(null);
  expect(connection.successes()).toBe(1);
});

test('while offline it asks after 3 s, then at growing distances up to 15 s, and not when online or closed', async () => {
  const { connection, clock, probes } = open();
  const startMs = clock.uptimeMs();
  connection.report({ kind: 'unreachable' });
  await clock.advance(200_000);
  expect(probes.slice(0, 6).map((atMs) => atMs - startMs)).toEqual([3_000, 9_000, 21_000, 36_000, 51_000, 66_000]);
  connection.report(null);
  const asked = probes.length;
  await clock.advance(200_000);
  expect(probes).toHaveLength(asked);
  connection.report({ kind: 'unreachable' });
  await clock.advance(3_000);
  expect(probes).toHaveLength(asked + 1);
  connection.close();
  await clock.advance(200_000);
  expect(probes).toHaveLength(asked + 1);
});

test('after ten minutes offline it asks once a minute, and the next outage begins anew', async () => {
  const { connection, clock, probes } = open();
  connection.report({ kind: 'unreachable' });
  await clock.advance(600_000);
  const before = probes.length;
  await clock.advance(3_600_000);
  expect(probes.length - before).toBeGreaterThanOrEqual(58);
  expect(probes.length - before).toBeLessThanOrEqual(62);
  connection.report(null);
  connection.report({ kind: 'unreachable' });
  const asked = probes.length;
  await clock.advance(60_000);
  expect(probes.length - asked).toBeGreaterThan(4);
  connection.close();
});

test('where nothing may be asked by itself, it is not known after a while whether it is offline still, and the next call tells', async () => {
  const clock = createManualClock();
  const connection = createConnection({ clock, random: { uuid: () => '', fraction: () => 0.5 } }, () =>
    connection.doubt(),
  );
  connection.report({ kind: 'unreachable' });
  await clock.advance(3_000);
  expect(connection.state()).toMatchObject({ state: 'unknown', failure: null });
  expect(clock.nextAlarmMs()).toBeNull();
  connection.report({ kind: 'unreachable' });
  expect(connection.state().state).toBe('offline');
  connection.close();
});
