// A platform may keep the answers to idempotency keys by application (OAuth client): what one has sent is unknown under
// another. So what is in doubt when the terminal gets another client is not simply sent again.
import { expect, test } from 'vitest';
import type { Id } from '../../../app/domain/int64.ts';
import { succeed } from '../../../app/domain/result.ts';
import { connect, openCopied, signIn } from '../../support/machine.ts';
import { valueOf } from '../../support/value-of.ts';

const user = '703' as Id;
const productId = '1000003' as Id;

type Till = Awaited<ReturnType<typeof openCopied>>;

const newestOf = async ({ handlers }: Till) =>
  valueOf(await handlers['queue:list']({ statuses: [], offset: 0, limit: 1 })).rows[0];

/** The terminal gets another client while something waits. Answers its state, once it is over or waits for a person. */
async function endUnderOther(till: Till) {
  const { platform, handlers, terminal, machine } = till;
  await handlers['session:signOut']({});
  const { clientId, clientSecret } = platform.otherClient;
  await connect(terminal, platform, { clientId, clientSecret, profileId: 1 });
  platform.setFaults({});
  machine.between = (_url, next) => next();
  // What was sent has had its time to arrive late.
  machine.sleptMs += 600_000;
  await signIn(terminal, platform);
  await expect.poll(async () => (await newestOf(till))?.status, { timeout: 15_000 }).toMatch(/delivered|parked/);
  return newestOf(till);
}

/** The platform does the next change, and nobody hears of it before the terminal has another client. */
async function openInDoubt(ask: (till: Till) => Promise<unknown>, method: 'POST' | 'PUT', path: string) {
  const till = await openCopied();
  const { platform } = till;
  platform.setFaults({
    faults: [
      { kind: 'dropAfterEffect', method, path, times: 1 },
      { kind: 'dropBeforeEffect', method, path },
    ],
  });
  await ask(till);
  const sent = () => platform.arrivals().filter((one) => one.path.includes(path) && one.idempotencyKey !== null);
  await expect.poll(() => sent().length).toBeGreaterThan(0);
  return { ...till, sent, end: () => endUnderOther(till) };
}

test('a restoration that may have been done is not done again by another client, but put before a person', async () => {
  const { platform, sent, end } = await openInDoubt(
    ({ handlers }) => handlers['user:restore']({ userId: user }),
    'POST',
    '/api/v3/users/',
  );
  platform.deleteUser(user);
  const before = sent().length;
  expect(await end()).toMatchObject({ status: 'parked', parkedBecause: 'maybeDone' });
  expect(sent()).toHaveLength(before);
});

test('nor is a coupon that the platform has as it was wanted sent again', async () => {
  const { platform, sent, end } = await openInDoubt(
    ({ handlers }) => handlers['coupon:switch']({ productId, isEnabled: true }),
    'PUT',
    '/consumption-coupons',
  );
  const before = sent().length;
  expect(await end()).toMatchObject({ status: 'delivered' });
  expect(sent()).toHaveLength(before);
  expect(platform.effects().filter((effect) => effect.productId === productId)).toHaveLength(1);
});

test.each([
  ['what was only refused, as of a client that is ended, is in no doubt: another client sends it', {}, 'delivered'],
  [
    'a refusal that names another key may be of another request: that is in doubt',
    { 'idempotency-key': 'x' },
    'parked',
  ],
] as const)('%s', async (_name, headers, status) => {
  const till = await openCopied();
  const { platform, handlers, machine } = till;
  platform.deleteUser(user);
  const refusal = { status: 401, headers, body: '{"code":"unauthorized"}' };
  machine.between = (url, next) => (url.includes('/users/') ? Promise.resolve(succeed(refusal)) : next());
  await handlers['user:restore']({ userId: user });
  await expect.poll(async () => (await newestOf(till))?.failure).toMatchObject({ status: 401 });
  expect(await endUnderOther(till)).toMatchObject({ status });
});
