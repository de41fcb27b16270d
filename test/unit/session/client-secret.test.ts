// A client secret that is offered at the sign-in, which anybody can do, and the sign-ins that go on beside it.
import { expect, test } from 'vitest';
import type { Failure } from '../../../app/domain/failure.ts';
import { fail, succeed, type Result } from '../../../app/domain/result.ts';
import type { ClientCredentials, Grant } from '../../../app/platform/tokens.ts';
import type { TokenAnswer } from '../../../app/platform/token-answer.ts';
import { clientSecretName, createClientSecret } from '../../../app/session/client-secret.ts';

const [place, right, wrong] = ['platform client', 'the right secret', 'a wrong secret'];
const renewal = { grant_type: 'refresh_token', refresh_token: 'r' } as const;
const typed = { grant_type: 'password', username: 'eva@shop.example', password: 'p' } as const;

/** API v3 §5 rule 6: a 401 says no more. */
const refusal: Failure = { kind: 'credentialsRejected', status: 401 };

/** A terminal whose keychain has the right secret; requests stand until they are answered, as the platform would. */
function open() {
  const entries = new Map([[`${clientSecretName} ${place}`, right]]);
  const secret = createClientSecret({
    vault: {
      read: (name: string) =>
        Promise.resolve(
          succeed(name.includes(clientSecretName) ? (entries.get(`${clientSecretName} ${place}`) ?? null) : null),
        ),
      write: (_name: string, value: string) => {
        entries.set(`${clientSecretName} ${place}`, value);
        return Promise.resolve(succeed(undefined));
      },
      remove: () => Promise.resolve(succeed(undefined)),
    },
    isInVault: () => true,
    markInVault: () => true,
    onMissing: () => undefined,
    onAnswered: () => undefined,
    onChange: () => undefined,
  });
  const standing: { readonly grant: Grant; readonly secret: string; readonly answer: () => void }[] = [];
  const request = secret.proving(place, (client: ClientCredentials, grant: Grant) => {
    const asked = Promise.withResolvers<Result<TokenAnswer, Failure>>();
    const answer = (): void =>
      asked.resolve(
        client.clientSecret === right && grant === renewal
          ? succeed({ access_token: 'a', token_type: 'Bearer' } as TokenAnswer)
          : fail(refusal),
      );
    standing.push({ grant, secret: client.clientSecret, answer });
    return asked.promise;
  });
  const ask = async (grant: Grant): Promise<Result<TokenAnswer, Failure>> => {
    const loaded = await secret.load(place);
    expect(loaded).toMatchObject({ ok: true });
    return request({ clientId: 'client', clientSecret: loaded.ok ? loaded.value : '' }, grant);
  };
  /** All that stands is answered, the first first, until nothing stands. */
  const answerAll = async (): Promise<void> => {
    for (let turn = 0; turn < 20; turn += 1) {
      standing.splice(0, 1).forEach(({ answer }) => answer());
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { secret, entries, standing, ask, answerAll };
}

test('a wrong one that is offered ends none of the sign-ins that are renewed at once', async () => {
  const { secret, entries, standing, ask, answerAll } = open();
  await secret.offer(place, wrong);
  const renewed = Promise.all([ask(renewal), ask(renewal)]);
  await new Promise((resolve) => setImmediate(resolve));
  expect(standing.map((one) => one.secret)).toEqual([wrong, wrong]);
  await answerAll();
  expect((await renewed).map(({ ok }) => ok)).toEqual([true, true]);
  expect([secret.isGood(place), [...entries.values()]]).toEqual([true, [right]]);
});

test('nor one that is refused to whoever signs in while a renewal is under way with it', async () => {
  const { secret, ask, answerAll } = open();
  await secret.offer(place, wrong);
  const asked = Promise.all([ask(typed), ask(renewal)]);
  await new Promise((resolve) => setImmediate(resolve));
  await answerAll();
  expect((await asked).map(({ ok }) => ok)).toEqual([false, true]);
  expect(secret.isGood(place)).toBe(true);
});

test('nor another one that is offered while the first is being tried', async () => {
  const { secret, ask, answerAll } = open();
  await secret.offer(place, wrong);
  const renewed = ask(renewal);
  await new Promise((resolve) => setImmediate(resolve));
  await secret.offer(place, 'another wrong secret');
  await answerAll();
  expect((await renewed).ok).toBe(true);
});
