// The proof of what this terminal knows of the way to the platform (W1 to W4), and of its asking while it is cut.
import { expect, test } from 'vitest';
import type { Failure } from '../../../app/domain/failure.ts';
import { createConnection } from '../../../app/platform/connection.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { endCall } from '../../support/way.ts';

const gateway: Failure = { kind: 'platformFailed', status: 502 };

function open() {
  const clock = createManualClock();
  const probes: number[] = [];
  const states: string[] = [];
  const connection = createConnection({ clock, random: { uuid: () => '', fraction: () => 0.5 } }, () => {
    probes.push(clock.uptimeMs());
  });
  let returns = 0;
  connection.onChange(() => {
    const { state } = connection.way();
    if (states.at(-1) !== state) {
      states.push(state);
    }
  });
  connection.onReturn(() => {
    returns += 1;
  });
  return { clock, probes, states, connection, returns: () => returns };
}

test('unknown at first; open by any answer; offline by trouble on the way; told only when it changes', () => {
  const { connection, states } = open();
  expect(connection.way()).toMatchObject({ state: 'unknown', failure: null, isStarting: true });
  endCall(connection, { kind: 'unauthorized', status: 401 });
  endCall(connection, null);
  endCall(connection, { kind: 'tlsRejected' });
  endCall(connection, { kind: 'unreachable' });
  expect(connection.way()).toMatchObject({ state: 'offline', failure: { kind: 'unreachable' } });
  endCall(connection, { kind: 'tooManyRequests', status: 429 });
  expect(connection.way()).toMatchObject({ state: 'open', failure: null });
  expect(states).toEqual(['open', 'offline', 'open']);
});

test('the last answer is the last that the platform gave, whatever it said', () => {
  const { clock, connection } = open();
  endCall(connection, { kind: 'unreachable' });
  endCall(connection, { kind: 'notThePlatform', status: 502 });
  expect(connection.answeredMs()).toBeNull();
  endCall(connection, gateway);
  const answeredMs = clock.uptimeMs();
  clock.jumpWall(3_600_000);
  endCall(connection, { kind: 'timedOut' });
  expect(connection.answeredMs()).toBe(answeredMs);
});

test.each(['cancelled', 'storageFull', 'addressNotSecure'] as const)(
  'a call that was not sent says nothing: %s',
  (kind) => {
    const { connection, returns } = open();
    endCall(connection, { kind });
    expect(connection.way().state).toBe('unknown');
    expect([connection.answeredMs(), connection.isAnswered(), returns()]).toEqual([null, false, 0]);
  },
);

test('only what succeeded counts as a success', () => {
  const { connection } = open();
  endCall(connection, { kind: 'forbidden', status: 403 });
  endCall(connection, { kind: 'timedOut' });
  expect(connection.successes()).toBe(0);
  endCall(connection, null);
  expect(connection.successes()).toBe(1);
});

test('W1: what fails among successes is no outage, though nothing is sent by itself before the next answer', () => {
  const { connection, returns } = open();
  const slow = connection.begin();
  slow.left();
  endCall(connection, null);
  slow.end({ kind: 'timedOut' });
  expect(connection.way().state).toBe('open');
  expect(connection.outage()).toMatchObject({ kind: 'timedOut' });
  endCall(connection, null);
  expect(connection.outage()).toBeNull();
  expect(returns()).toBe(2);
});

test('W2: one fault, or several at once, is a hiccup; another one is an outage, and any answer ends it', () => {
  const { connection } = open();
  endCall(connection, null);
  const together = [connection.begin(), connection.begin(), connection.begin()];
  together.forEach((call) => call.end(gateway));
  expect(connection.way().state).toBe('open');
  endCall(connection, gateway);
  expect(connection.way()).toMatchObject({ state: 'noAnswer', failure: gateway });
  // A fault is an answer to whoever sends: the queue keeps its own pace.
  expect([connection.outage(), connection.isAnswered()]).toEqual([null, true]);
  endCall(connection, { kind: 'unprocessable', status: 422 });
  expect(connection.way().state).toBe('open');
  endCall(connection, gateway);
  endCall(connection, null);
  endCall(connection, gateway);
  expect(connection.way().state).toBe('open');
});

test('W2: a gateway that answers after an outage says that the network is back, and the platform not', () => {
  const { connection, states } = open();
  endCall(connection, { kind: 'unreachable' });
  endCall(connection, gateway);
  expect(states).toEqual(['offline', 'noAnswer']);
});

test('W3: a platform that is silent for four seconds does not answer, and an answer ends that', async () => {
  const { connection, clock } = open();
  endCall(connection, null);
  const call = connection.begin();
  call.left();
  await clock.advance(3_900);
  expect(connection.way().state).toBe('open');
  await clock.advance(200);
  expect(connection.way()).toMatchObject({ state: 'noAnswer', failure: { kind: 'timedOut' } });
  call.end(null);
  expect(connection.way().state).toBe('open');
});

test('W3: of a platform that is slow it is told once, not at each call', async () => {
  const { connection, clock, states } = open();
  for (let calls = 0; calls < 6; calls += 1) {
    const call = connection.begin();
    call.left();
    await clock.advance(5_000);
    call.end(null);
  }
  expect(states).toEqual(['noAnswer', 'open']);
  const call = connection.begin();
  await clock.advance(8_100);
  expect(connection.way().state).toBe('noAnswer');
  call.end({ kind: 'cancelled' });
});

test('W3: one call that hangs while others are answered says nothing', async () => {
  const { connection, clock, states } = open();
  connection.begin().left();
  for (let second = 0; second < 15; second += 1) {
    await clock.advance(1_000);
    endCall(connection, null);
  }
  await clock.advance(10_000);
  expect(states).toEqual(['open']);
});

test('a call that waits for its connection leaves it offline, and so does one that never gets one', async () => {
  const { connection, clock, states } = open();
  endCall(connection, { kind: 'unreachable' });
  const call = connection.begin();
  await clock.advance(6_000);
  call.end({ kind: 'timedOut' });
  expect(states).toEqual(['offline']);
  const left = connection.begin();
  left.left();
  await clock.advance(6_000);
  expect(connection.way().state).toBe('noAnswer');
  left.end({ kind: 'timedOut' });
  expect(connection.way().state).toBe('noAnswer');
});

test('a start looks for ten seconds, and then no more', async () => {
  const { connection, clock } = open();
  await clock.advance(9_900);
  expect(connection.way().isStarting).toBe(true);
  await clock.advance(200);
  expect(connection.way()).toMatchObject({ state: 'unknown', isStarting: false });
  expect(clock.nextAlarmMs()).toBeNull();
});

test('W4: while offline it asks after 3 s, then at growing distances up to 15 s, not when open or closed', async () => {
  const { connection, clock, probes } = open();
  const startMs = clock.uptimeMs();
  endCall(connection, { kind: 'unreachable' });
  await clock.advance(200_000);
  expect(probes.slice(0, 6).map((atMs) => atMs - startMs)).toEqual([3_000, 9_000, 21_000, 36_000, 51_000, 66_000]);
  endCall(connection, null);
  const asked = probes.length;
  await clock.advance(200_000);
  expect(probes).toHaveLength(asked);
  endCall(connection, { kind: 'unreachable' });
  await clock.advance(3_000);
  expect(probes).toHaveLength(asked + 1);
  connection.close();
  await clock.advance(200_000);
  expect(probes).toHaveLength(asked + 1);
});

test('W4: a first fault is asked about too', async () => {
  const { connection, clock, probes } = open();
  endCall(connection, gateway);
  await clock.advance(3_000);
  expect(probes).toHaveLength(1);
  endCall(connection, gateway);
  await clock.advance(6_000);
  expect(probes).toHaveLength(2);
  endCall(connection, { kind: 'unauthorized', status: 401 });
  await clock.advance(60_000);
  expect(probes).toHaveLength(2);
});

test('after ten minutes offline it asks once a minute, and the next outage begins anew', async () => {
  const { connection, clock, probes } = open();
  endCall(connection, { kind: 'unreachable' });
  await clock.advance(600_000);
  const before = probes.length;
  await clock.advance(3_600_000);
  expect(probes.length - before).toBeGreaterThanOrEqual(58);
  expect(probes.length - before).toBeLessThanOrEqual(62);
  endCall(connection, null);
  endCall(connection, { kind: 'unreachable' });
  const asked = probes.length;
  await clock.advance(60_000);
  expect(probes.length - asked).toBeGreaterThan(4);
  connection.close();
});

test('where nothing asks by itself, an outage becomes unknown after a while, and the next call tells', async () => {
  const clock = createManualClock();
  const connection = createConnection({ clock, random: { uuid: () => '', fraction: () => 0.5 } }, () =>
    connection.doubt(),
  );
  endCall(connection, { kind: 'unreachable' });
  await clock.advance(3_000);
  expect(connection.way()).toMatchObject({ state: 'unknown', failure: null, isStarting: false });
  expect(connection.outage()).toBeNull();
  expect(clock.nextAlarmMs()).toBeNull();
  endCall(connection, { kind: 'unreachable' });
  expect(connection.way().state).toBe('offline');
  connection.close();
});
