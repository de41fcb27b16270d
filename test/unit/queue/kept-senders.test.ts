// The proof of Q12: what several users of one company have asked for goes out in the order of asking, each under their
// own sign-in while that is kept; of Q13: what is the matter with one sign-in stops its own user's updates alone; and of
// Q14: whatever waits is told with what it waits for.
import { expect, test } from 'vitest';
import type { Id } from '../../../app/domain/int64.ts';
import type { Failure } from '../../../app/domain/failure.ts';
import { fail, succeed, type Result } from '../../../app/domain/result.ts';
import type { TokenSource } from '../../../app/platform/client.ts';
import type { Owner } from '../../../app/queue/rows.ts';
import { settlePromises } from '../../support/manual-clock.ts';
import { endCall } from '../../support/way.ts';
import { ana, bia, openShop, signed, silence, unsigned, type Shop } from './queue-shop.ts';
import { asking } from './repository-rows.ts';

const minute = 60_000;

/** A sign-in that is kept beside; `gives` is what it answers. */
function keep(shop: Shop, owner: Owner, gives: () => Result<string, Failure> = () => succeed(`of ${owner.email}`)) {
  const token = () => {
    const given = gives();
    return Promise.resolve(given.ok ? succeed({ text: given.value, user: owner.email }) : given);
  };
  const tokens: TokenSource = { user: () => owner.email, accessToken: token, renew: token };
  shop.kept.push({ owner, tokens, isStuck: false });
}

function ask(shop: Shop, owner: Owner, product: string, isEnabled = true): void {
  const kept = shop.repository.enqueue(
    asking(shop.repository.ownerId(owner), product, { isEnabled, seen: !isEnabled, now: shop.clock.now() }),
  );
  expect(kept).toBe(true);
}

const sentBy = (shop: Shop): string[] =>
  shop.sent.map(({ user, body }) => `${user} ${[...body.matchAll(/"product_id":(\d+)/g)].map(([, id]) => id).join()}`);

async function go(shop: Shop): Promise<void> {
  shop.queue.resume();
  await settlePromises();
}

test.each([
  ['another is at the screen', bia],
  ['nobody is', null],
])('Q14: what waits goes out under its own user’s kept sign-in while %s', async (_who, owner) => {
  const shop = await openShop();
  shop.owner = owner;
  ask(shop, ana, '1');
  await go(shop);
  expect(shop.queue.state()).toMatchObject({ ofOthers: { count: 1, emails: [ana.email] }, ofKept: { count: 0 } });
  expect(shop.sent).toEqual([]);
  keep(shop, ana);
  expect(shop.queue.state()).toMatchObject({
    heldBy: null,
    ofOthers: { count: 0, emails: [] },
    ofKept: { count: 1, emails: [ana.email] },
  });
  await go(shop);
  expect(shop.sent).toMatchObject([{ user: ana.email, accessToken: `of ${ana.email}` }]);
  expect(shop.queue.state()).toMatchObject({
    heldBy: null,
    delivered: 0,
    ofKept: { count: 0 },
    ofOthers: { count: 0 },
  });
  expect(shop.repository.counts(shop.repository.knownOwnerId(ana))).toEqual({ delivered: 1 });
});

test('Q14: what waits for a person at its own sign-in is not told to go out', async () => {
  const shop = await openShop();
  shop.owner = bia;
  keep(shop, ana, () => fail({ kind: 'vaultLocked' }));
  ask(shop, ana, '1');
  shop.kept = shop.kept.map((sender) => ({ ...sender, isStuck: true }));
  await go(shop);
  expect(shop.queue.state()).toMatchObject({
    heldBy: 'otherUser',
    ofKept: { count: 0, emails: [] },
    ofOthers: { count: 1, emails: [ana.email] },
  });
  keep(shop, ana);
  shop.kept = shop.kept.slice(1);
  await shop.clock.advance(minute);
  expect(sentBy(shop)).toEqual([`${ana.email} 1`]);
});

test('Q12: of one product what was asked for first goes first, whoever asked; each request is one user’s', async () => {
  const shop = await openShop();
  endCall(shop.connection, { kind: 'unreachable' });
  shop.owner = bia;
  keep(shop, ana);
  ask(shop, ana, '1');
  ask(shop, bia, '1', false);
  ask(shop, bia, '2', false);
  ask(shop, ana, '2');
  ask(shop, ana, '3');
  endCall(shop.connection, null);
  await go(shop);
  expect(sentBy(shop)).toEqual([
    `${ana.email} 1,3`, // hers of 2 was asked for after his
    `${bia.email} 1,2`,
    `${ana.email} 2`,
  ]);
  expect(shop.repository.counts(shop.repository.knownOwnerId(ana))).toEqual({ delivered: 3 });
  expect(shop.queue.state()).toMatchObject({ delivered: 2, parked: 0, ofOthers: { parked: 0 } });
});

test('Q12: what was asked for upon another user’s waiting update has that one for no conflict', async () => {
  const shop = await openShop();
  shop.owner = bia;
  keep(shop, ana);
  ask(shop, ana, '1', true);
  // He sees that it is off and that hers waits, and wants it off.
  shop.repository.enqueue(
    asking(shop.repository.ownerId(bia), '1', { isEnabled: false, isSeenFresh: false, now: shop.clock.now() }),
  );
  shop.readings.push(succeed([{ productId: '1' as Id, isEnabled: true }]));
  await go(shop);
  expect(sentBy(shop)).toEqual([`${ana.email} 1`, `${bia.email} 1`]);
  expect(shop.sent.at(-1)?.body).toContain('"is_enabled":false');
});

test.each([
  ['is refused', { kind: 'signInNeeded' }],
  ['lies in a locked keychain', { kind: 'vaultLocked' }],
  ['brings no renewal', { kind: 'renewalFailed' }],
] as const)('Q13: a kept sign-in that %s stops its own user’s updates alone', async (_what, failure) => {
  const shop = await openShop();
  shop.owner = bia;
  let given: Result<string, Failure> = fail(failure);
  keep(shop, ana, () => given);
  ask(shop, ana, '1');
  ask(shop, bia, '1', false);
  ask(shop, bia, '2');
  await go(shop);
  expect(sentBy(shop)).toEqual([`${bia.email} 1,2`]);
  expect(shop.queue.state()).toMatchObject({ delivered: 2, ofKept: { count: 1 } });
  given = succeed('again');
  shop.readings.push(succeed([{ productId: '1' as Id, isEnabled: false }]));
  await shop.clock.advance(5 * minute);
  // His was asked for later: hers waits for a person now.
  expect(shop.repository.counts(shop.repository.knownOwnerId(ana))).toEqual({ parked: 1 });
});

test('Q13: a 401 of one user’s call is answered by that user’s renewal, and holds nobody else up', async () => {
  const shop = await openShop();
  shop.owner = bia;
  keep(shop, ana);
  ask(shop, ana, '1');
  ask(shop, bia, '2');
  shop.replies.push(unsigned(401), unsigned(401));
  await go(shop);
  expect(shop.counts.renewals).toBe(0);
  expect(sentBy(shop)).toEqual([`${ana.email} 1`, `${ana.email} 1`, `${bia.email} 2`]);
  await shop.clock.advance(5 * minute);
  expect(sentBy(shop).slice(3)).toEqual([`${ana.email} 1`]);
});

test('Q12: what had no answer is repeated before anybody else’s leaves, under the same key', async () => {
  const shop = await openShop();
  shop.owner = bia;
  keep(shop, ana);
  ask(shop, ana, '1');
  ask(shop, bia, '2');
  shop.replies.push(silence);
  await go(shop);
  endCall(shop.connection, null);
  await shop.clock.advance(minute);
  expect(sentBy(shop)).toEqual([`${ana.email} 1`, `${ana.email} 1`, `${bia.email} 2`]);
  expect(new Set(shop.sent.slice(0, 2).map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
});

test('Q12: it is repeated also before what was asked for earlier and could not go', async () => {
  const shop = await openShop();
  ask(shop, bia, '9');
  for (const product of ['1', '2', '3']) {
    ask(shop, ana, product);
    await go(shop);
  }
  shop.replies.push(silence);
  ask(shop, ana, '4');
  await go(shop);
  keep(shop, bia);
  endCall(shop.connection, null);
  await shop.clock.advance(minute);
  expect(sentBy(shop).slice(3)).toEqual([`${ana.email} 4`, `${ana.email} 4`, `${bia.email} 9`]);
});

test('Q12, Q13: what always fails for one user holds back nothing of another but the same product', async () => {
  const shop = await openShop();
  shop.owner = bia;
  keep(shop, ana);
  ask(shop, ana, '1');
  ask(shop, bia, '1', false);
  ask(shop, bia, '2');
  shop.replies.push(
    ...Array.from(
      { length: 40 },
      () => (sending: Parameters<ReturnType<typeof signed>>[0]) =>
        signed(sending.user === ana.email ? 500 : 204)(sending),
    ),
  );
  await go(shop);
  await shop.clock.advance(2 * minute);
  expect(sentBy(shop)).toContain(`${bia.email} 2`);
  expect(sentBy(shop)).not.toContain(`${bia.email} 1`);
});

test('Q13: what one user’s request, or reading, alone has no answer to lets the others go in the end', async () => {
  const unanswered = await openShop();
  unanswered.owner = bia;
  keep(unanswered, ana);
  ask(unanswered, ana, '1');
  ask(unanswered, bia, '2');
  unanswered.replies.push(
    ...Array.from({ length: 60 }, () => (sending: Parameters<ReturnType<typeof signed>>[0]) => {
      const isAnas = sending.user === ana.email;
      return isAnas ? fail<Failure>({ kind: 'timedOut' }) : signed(204)(sending);
    }),
  );
  await go(unanswered);
  for (let rounds = 0; rounds < 12; rounds += 1) {
    // All else is answered meanwhile: the way is not at fault.
    endCall(unanswered.connection, null);
    await unanswered.clock.advance(10_000);
  }
  expect(sentBy(unanswered).slice(0, 4)).toEqual([
    ...Array.from({ length: 3 }, () => `${ana.email} 1`),
    `${bia.email} 2`,
  ]);

  const unread = await openShop();
  unread.owner = bia;
  keep(unread, ana);
  for (const owner of [ana, bia]) {
    unread.repository.enqueue(
      asking(unread.repository.ownerId(owner), owner === ana ? '1' : '2', {
        isSeenFresh: false,
        now: unread.clock.now(),
      }),
    );
  }
  unread.readings.push(
    ...Array.from({ length: 60 }, () => ({ user }: { readonly user?: string }) => {
      const failed = fail<Failure>({ kind: 'platformFailed', status: 500 });
      return Promise.resolve(user === ana.email ? failed : succeed([]));
    }),
  );
  await go(unread);
  await unread.clock.advance(2 * minute);
  expect(sentBy(unread)).toEqual([`${bia.email} 2`]);
});

test.each([
  ['has no answer', { kind: 'timedOut' }],
  ['is always put off', { kind: 'tooManyRequests', status: 429 }],
] as const)('Q13: one user’s renewal that %s lets the others go in the end', async (_what, failure) => {
  for (const isTokenGood of [false, true]) {
    const shop = await openShop();
    shop.owner = bia;
    keep(shop, ana);
    const renew = () => Promise.resolve(fail<Failure>(failure));
    shop.kept = shop.kept.map(({ tokens, ...sender }) => ({
      ...sender,
      tokens: { ...tokens, renew, accessToken: isTokenGood ? tokens.accessToken : renew },
    }));
    ask(shop, ana, '1');
    ask(shop, bia, '2');
    shop.replies.push(
      ...Array.from(
        { length: 60 },
        () => (sending: Parameters<ReturnType<typeof signed>>[0]) =>
          (sending.user === ana.email ? unsigned(401) : signed(204))(sending),
      ),
    );
    await go(shop);
    for (let rounds = 0; rounds < 12; rounds += 1) {
      endCall(shop.connection, null);
      await shop.clock.advance(10_000);
    }
    expect(sentBy(shop)).toContain(`${bia.email} 2`);
  }
});

test('Q14: what waits for other companies is told apart, by company', async () => {
  const shop = await openShop();
  const elsewhere = { ...ana, companyId: '8' as Id };
  const otherPlatform = { ...ana, platform: 'https://other.example.com' };
  ask(shop, elsewhere, '1');
  ask(shop, { ...elsewhere, email: bia.email }, '2');
  ask(shop, otherPlatform, '3');
  await go(shop);
  expect(shop.sent).toEqual([]);
  expect(shop.queue.state()).toMatchObject({
    pending: 0,
    heldBy: null,
    ofOthers: { count: 0, emails: [] },
    elsewhere: [
      { platformUrl: ana.platform, companyId: '8', count: 2, emails: [ana.email, bia.email] },
      { platformUrl: otherPlatform.platform, companyId: '7', count: 1, emails: [ana.email] },
    ],
  });
});
