// The proof of H17 in plans, and of what is said of accounts.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { accountsNow, commonOf, covers, maxAccounts, unionOf, type Accounts } from '../../../app/hub/accounts.ts';
import { holding, othersTogether, parseMember, planExchange } from '../../../app/hub/document.ts';
import { createRateShare, type StoredMemory } from '../../../app/hub/rate-share.ts';
import { usedOf } from '../../../app/rate-limit/lanes.ts';
import { windowMs } from '../../../app/rate-limit/rules.ts';
import { documentOf, memberOf, nothingHeld, nowMs, reportOf } from '../../support/hub-document.ts';

const limit = 60;
const now = { loMs: nowMs, hiMs: nowMs };

const someAccounts = fc.constantFrom<(string[] | null)[]>(null, ['one'], ['other'], ['one', 'other']);
const someMember = fc
  .record({ countsAt: someAccounts, catalogue: fc.nat(60), share: fc.constantFrom(0, 30, 60), isSilent: fc.boolean() })
  .map(({ countsAt, catalogue, share, isSilent }) =>
    memberOf({
      countsAt,
      share,
      held: { ...nothingHeld, catalogue },
      rights: catalogue,
      ...(isSilent ? { heardHiMs: 0, writtenHiMs: 0 } : {}),
    }),
  );

test('nothing is lent over the limit of those that count together, and none of the others is lost (H17)', () => {
  fc.assert(
    fc.property(fc.array(someMember, { maxLength: 5 }), someMember, someAccounts, (others, mine, countsAt) => {
      const before = { ...Object.fromEntries(others.map((one, at) => [`till ${at}`, one])), me: mine };
      const isNewcomer = !covers(mine.countsAt, countsAt);
      const wants = [{ lane: 'person' as const, waitedMs: 0 }];
      const plan = planExchange(documentOf(before), 0, now, reportOf({ held: mine.held, wants, countsAt, isNewcomer }));
      const together = othersTogether(plan.document, 'me').map(([, one]) => one);
      const held = together.reduce((sum, one) => sum + holding(one, now, windowMs), 0);
      if (plan.lent !== null) {
        expect(held + plan.rights).toBeLessThanOrEqual(limit);
      }
      if (isNewcomer) {
        // Beside the slots that count already it has what nobody holds.
        expect(plan.rights).toBeLessThanOrEqual(Math.max(usedOf(mine.held), limit - held));
      }
      expect(together.reduce((sum, one) => sum + one.share, plan.share)).toBeLessThanOrEqual(
        Math.max(
          limit,
          together.reduce((sum, one) => sum + one.share, isNewcomer ? 0 : mine.share),
        ),
      );
      for (const [id, one] of Object.entries(before).filter(([, other]) => other.share > 0)) {
        expect(plan.document.members[id]).toEqual(id === 'me' ? expect.anything() : one);
      }
    }),
    { numRuns: 2_000 },
  );
});

test('who comes to another account keeps none of the rights for persons that it had (H17)', () => {
  const before = documentOf({
    me: memberOf({ countsAt: ['one'], rights: 3, own: 3, share: 30 }),
    full: memberOf({ countsAt: ['other'], held: { ...nothingHeld, catalogue: 60 }, rights: 60, share: 30 }),
  });
  const at = (isNewcomer: boolean) =>
    planExchange(before, 0, now, reportOf({ countsAt: ['one', 'other'], isNewcomer }));
  expect(at(true)).toMatchObject({ rights: 0, own: 0 });
  expect(at(false)).toMatchObject({ rights: 3, own: 3 });
});

test('a till of another account can be removed, too', () => {
  const silent = { writtenHiMs: 0, heardHiMs: 0 };
  const before = documentOf({ me: memberOf(), gone: memberOf({ countsAt: ['other'], share: 30, own: 1, ...silent }) });
  const { document } = planExchange(before, 0, now, reportOf({ countsAt: ['one'], removed: ['gone'] }));
  expect(document.members['gone']).toMatchObject({ share: 0, own: 0 });
});

test('an earlier version, which says nothing of accounts, counts at all of them', () => {
  const { countsAt: _none, ...earlier } = memberOf();
  expect(parseMember(earlier)?.countsAt).toBeNull();
});

test('what is said of accounts: null is all of them', () => {
  const many = Array.from({ length: maxAccounts + 1 }, (_, at) => String(at));
  expect([unionOf([['b'], ['a', 'b']]), unionOf([['a'], null]), unionOf([many])]).toEqual([['a', 'b'], null, null]);
  expect([commonOf(['a', 'b'], ['b']), commonOf(null, ['b']), commonOf(['a'], null)]).toEqual([['b'], ['b'], ['a']]);
  expect([covers(null, ['a']), covers(['a'], null), covers(['a', 'b'], ['a'])]).toEqual([true, false, true]);
  // For some minutes after the change of the setting, both ways, all count together.
  expect(accountsNow('a', [null, undefined], false)).toEqual({ countsAt: null, isNewcomer: false });
  expect(accountsNow('a', [null, null], true)).toEqual({ countsAt: ['a'], isNewcomer: false });
  expect(accountsNow(null, [['a']], false)).toEqual({ countsAt: null, isNewcomer: true });
  expect(accountsNow('b', [['a'], ['a']], false)).toEqual({ countsAt: ['a', 'b'], isNewcomer: true });
});

test('before it leaves an account it says so on its disk, and after a lost answer uses nothing there (H17)', () => {
  const plan = {
    ...planExchange(documentOf({}), 0, now, reportOf({ countsAt: ['one', 'other'] })),
    share: 20,
    own: 3,
    rights: 3,
  };
  let stored: StoredMemory | null = null;
  const repository = {
    place: 'hub',
    read: () => stored,
    write: (next: StoredMemory) => {
      stored = next;
    },
  };
  const rateShare = createRateShare(repository, 0, 'other');
  rateShare.raise(plan, 1, 1, 0, true);
  rateShare.raise(plan, 2, 2, 60_000, true);
  const shareAt = (account: string): number => createRateShare(repository, 0, account).share();
  expect([shareAt('one'), shareAt('other')]).toEqual([20, 20]);
  const left: Accounts = ['other'];
  rateShare.lower({ ...plan, countsAt: left });
  expect([shareAt('one'), shareAt('other')]).toEqual([0, 20]);
});
