// The proof that a terminal says one thing of its connection, and that it is what happened on the wire: the snapshot,
// the queue, the card, the rows, what programs and the fleet's monitoring are told.
import { expect, onTestFinished, test } from 'vitest';
import type { ConnectionState } from '../../../app/contract/connection.ts';
import type { Id } from '../../../app/domain/int64.ts';
import { createProgramCalls } from '../../../app/hosts/programs/answers.ts';
import type { FaultPlan } from '../../../app/training/options/faults.ts';
import type { Terminal } from '../../../app/terminal/terminal.ts';
import { copied, openCopied, stateOf } from '../../support/machine.ts';
import { openPracticeTerminal } from '../../support/practice-terminal.ts';
import { valueOf } from '../../support/value-of.ts';

/** The first product of the first stock that the copy has. */
async function productOf({ handlers }: Terminal): Promise<{ readonly stockId: Id; readonly productId: Id }> {
  const hits = valueOf(await handlers['lookup:search']({ text: 'a', limit: 1 }));
  const [first = expect.fail('the copy is empty')] = hits;
  return first;
}

async function openTill() {
  const till = await openPracticeTerminal();
  onTestFinished(till.close);
  await copied(till.terminal);
  return till;
}

const connectionOf = async (terminal: Terminal): Promise<ConnectionState['state']> =>
  (await stateOf(terminal)).connection.state;

/** Everything that is told of the connection, and of one change that waits or is sent. */
async function reported(terminal: Terminal) {
  const state = await stateOf(terminal);
  const { stockId, productId } = await productOf(terminal);
  const programs = createProgramCalls(terminal.handlers, () => undefined);
  const { coupon } = valueOf(await terminal.handlers['product:read']({ stockId, productId }));
  const { rows } = valueOf(await terminal.handlers['queue:list']({ statuses: [], offset: 0, limit: 1 }));
  return {
    state,
    connections: [
      state.connection.state,
      terminal.status().connection,
      valueOf(await programs.status(0)).connectionState,
      valueOf(await programs.queue()).connectionState,
    ],
    sending: [state.queue.inFlight, coupon.status === 'sending' ? 1 : 0, rows[0]?.isUnderWay === true ? 1 : 0],
  };
}

async function switchOne(terminal: Terminal) {
  const { stockId, productId } = await productOf(terminal);
  const { coupon } = valueOf(await terminal.handlers['product:read']({ stockId, productId }));
  return terminal.handlers['coupon:switch']({ productId, isEnabled: coupon.isEnabled !== true });
}

test('a sign-in that the platform has revoked: everything says so, nothing is sending, and no try is told', async () => {
  const { platform, terminal } = await openTill();
  platform.expireAccessTokens();
  platform.revokeRefreshTokens();
  expect(await switchOne(terminal)).toMatchObject({ ok: true });
  await expect.poll(() => connectionOf(terminal)).toBe('signIn');
  const { state, connections, sending } = await reported(terminal);
  expect(connections).toEqual(['signIn', 'signIn', 'signIn', 'signIn']);
  expect(sending).toEqual([0, 0, 0]);
  expect(state.queue).toMatchObject({ pending: 1, inFlight: 0, heldBy: 'signIn', nextTryAt: null });
  expect(state.session).toMatchObject({ state: 'ended', email: platform.email });
});

test.each([
  ['a gateway that answers 502 to everything', { faults: [{ kind: 'proxyPage' }] }],
  ['a platform with a fault', { faults: [{ kind: 'answer', status: 503 }] }],
] as const satisfies readonly (readonly [string, FaultPlan])[])(
  '%s does not answer, soon, and is online again by itself soon after its end',
  async (_what, plan) => {
    const { platform, terminal } = await openTill();
    platform.setFaults(plan);
    expect(await switchOne(terminal)).toMatchObject({ ok: true });
    await expect.poll(() => connectionOf(terminal)).toBe('noAnswer');
    await expect.poll(async () => (await stateOf(terminal)).queue.inFlight).toBe(0);
    const { state, connections, sending } = await reported(terminal);
    expect(connections).toEqual(['noAnswer', 'noAnswer', 'noAnswer', 'noAnswer']);
    expect(sending).toEqual([0, 0, 0]);
    expect(state.queue).toMatchObject({ pending: 1, heldBy: 'noAnswer' });
    expect(state.connection).toMatchObject({
      since: expect.any(Number) as number,
      failure: { kind: 'platformFailed' },
    });

    platform.setFaults({});
    await expect.poll(() => connectionOf(terminal), { timeout: 20_000 }).toBe('online');
    await expect.poll(async () => (await stateOf(terminal)).queue.delivered, { timeout: 20_000 }).toBe(1);
  },
);

test('one fault among answers is no outage', async () => {
  const { platform, terminal } = await openTill();
  const said = new Set<string>();
  terminal.subscribe((name, payload) => {
    if (name === 'terminal:changed') {
      said.add((payload as { connection: ConnectionState }).connection.state);
    }
  });
  platform.setFaults({ faults: [{ kind: 'answer', status: 500, times: 1 }] });
  expect(await switchOne(terminal)).toMatchObject({ ok: true });
  await expect.poll(async () => (await stateOf(terminal)).queue.delivered, { timeout: 10_000 }).toBe(1);
  expect([...said]).toEqual(['online']);
});

test('a silent platform does not answer after a few seconds; sending is said while bytes leave', async () => {
  const { platform, terminal } = await openTill();
  platform.setFaults({ faults: [{ kind: 'hangBeforeEffect', method: 'PUT' }] });
  expect(await switchOne(terminal)).toMatchObject({ ok: true });
  await expect.poll(async () => (await reported(terminal)).sending).toEqual([1, 1, 1]);
  await expect.poll(() => connectionOf(terminal)).toBe('noAnswer');
  const { connections, sending, state } = await reported(terminal);
  expect(connections).toEqual(['noAnswer', 'noAnswer', 'noAnswer', 'noAnswer']);
  expect(sending).toEqual([1, 1, 1]);
  expect(state.queue).toMatchObject({ heldBy: null, nextTryAt: null });
});

test('without a network it is offline, and no try is told but the return', async () => {
  const { platform, terminal } = await openTill();
  platform.setNetworkDown(true);
  expect(await switchOne(terminal)).toMatchObject({ ok: true });
  await expect.poll(() => connectionOf(terminal)).toBe('offline');
  const { state, connections, sending } = await reported(terminal);
  expect(connections).toEqual(['offline', 'offline', 'offline', 'offline']);
  expect(sending).toEqual([0, 0, 0]);
  expect(state.queue).toMatchObject({ pending: 1, heldBy: 'offline', nextTryAt: null });
});

test('too many requests is an answer', async () => {
  const { platform, terminal } = await openTill();
  platform.setFaults({ faults: [{ kind: 'answer', status: 429, retryAfterSeconds: 30 }] });
  expect(await switchOne(terminal)).toMatchObject({ ok: true });
  await expect.poll(async () => (await stateOf(terminal)).queue.heldBy).not.toBeNull();
  const { state } = await reported(terminal);
  expect(state.connection.state).toBe('online');
  expect(['rateLimit', 'retry']).toContain(state.queue.heldBy);
  expect(state.queue.nextTryAt).not.toBeNull();
});

test('with a locked keychain a sign-in is needed, for that reason, and none any more as soon as it is open', async () => {
  const { machine, terminal: first } = await openCopied();
  await first.close();
  const kept = new Map(machine.secrets);
  machine.secrets.clear();

  const terminal = await machine.start();
  await expect.poll(() => connectionOf(terminal)).toBe('signIn');
  expect((await stateOf(terminal)).connection.failure).toMatchObject({ kind: 'vaultLocked' });
  expect(await switchOne(terminal)).toMatchObject({ ok: true });
  const { state, connections, sending } = await reported(terminal);
  expect(connections).toEqual(['signIn', 'signIn', 'signIn', 'signIn']);
  expect(sending).toEqual([0, 0, 0]);
  expect(state.queue).toMatchObject({ pending: 1, heldBy: 'signIn', nextTryAt: null });

  kept.forEach((secret, name) => machine.secrets.set(name, secret));
  await expect.poll(() => connectionOf(terminal), { timeout: 70_000 }).toBe('online');
  await expect.poll(async () => (await stateOf(terminal)).queue.delivered, { timeout: 10_000 }).toBe(1);
});
