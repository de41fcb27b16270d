// The proof of which profile is which: numbers, keychain names and the limit; the invariants are those of
// app/settings/profiles.ts.
import { expect, test } from 'vitest';
import { maxProfiles } from '../../../app/contract/limits/profiles.ts';
import type { Profile } from '../../../app/contract/profiles.ts';
import type { Id } from '../../../app/domain/int64.ts';
import { succeed } from '../../../app/domain/result.ts';
import {
  createProfiles,
  readProfiles,
  type Profiles,
  type ProfileSettings,
  type StoredProfile,
} from '../../../app/settings/profiles.ts';

const url = 'https://platform.example.com';

function place(companyId: number, more: Partial<Profile> = {}): Profile {
  return { platformUrl: url, clientId: 'till', companyId: String(companyId) as Id, stockIds: ['1' as Id], ...more };
}

function prepare(): {
  profiles: Profiles;
  add: (wanted: Profile & { name?: string }, replacedId?: number) => StoredProfile;
  settings: () => ProfileSettings;
} {
  let settings: ProfileSettings = { profiles: [], unreadProfiles: [], profileId: null, signIns: [] };
  const change = (wanted: Partial<ProfileSettings>) => ((settings = { ...settings, ...wanted }), succeed(undefined));
  const profiles = createProfiles({ get: () => settings, change, changeForGood: change });
  return {
    profiles,
    settings: () => settings,
    add: (wanted, replacedId) => {
      const draft = profiles.draft(wanted, replacedId ?? null);
      if (draft === null) {
        expect.fail('full');
      }
      profiles.keep(draft, replacedId ?? null);
      return draft;
    },
  };
}

test('numbers begin with 1, and one is free again when its profile was removed', () => {
  const { profiles, add } = prepare();
  expect([add(place(1)), add(place(2)), add(place(3))].map(({ id }) => id)).toEqual([1, 2, 3]);
  profiles.remove(2);
  expect(add(place(4)).id).toBe(2);
  expect(profiles.current()?.companyId).toBe('4');
});

test('the same platform, company and stocks in any order are one profile; other stocks are another', () => {
  const { add } = prepare();
  const stockIds = ['1', '2'] as Id[];
  add({ ...place(1, { stockIds }), name: 'Shop' });
  expect(add(place(1, { stockIds: stockIds.toReversed(), clientId: 'other' }))).toMatchObject({
    id: 1,
    name: 'Shop',
    clientId: 'other',
    stockIds: ['2', '1'],
  });
  expect(add(place(1, { stockIds: ['1' as Id] })).id).toBe(2);
});

test('of a file: the one with its stocks, else the one that shares one, else the one left of a company', () => {
  const { profiles, add } = prepare();
  const of = (...stocks: number[]): Profile => place(1, { stockIds: stocks.map((stock) => String(stock) as Id) });
  const matched = (...wanted: readonly Profile[]) => profiles.matching(wanted).map((one) => one?.id ?? null);
  expect(matched(of(1))).toEqual([null]);
  add(of(1));
  expect([matched(of(9)), matched(of(2), of(1)), matched(of(8), of(9)), matched(place(2))]).toEqual([
    [1],
    [null, 1],
    [null, null],
    [null],
  ]);
  add(of(2));
  expect([matched(of(2), of(1)), matched(of(1), of(9)), matched(of(9)), matched(of(3), of(9), of(2))]).toEqual([
    [2, 1],
    [1, 2],
    [null],
    [null, null, 2],
  ]);
  expect([matched(of(9, 1), of(8)), matched(of(8), of(1, 2)), matched(of(1, 9), of(1, 8))]).toEqual([
    [1, 2],
    [null, null],
    [null, null],
  ]);
});

test('P1: what replaces a profile takes its place, and its number only at the same company', () => {
  const { profiles, add } = prepare();
  add(place(1));
  add(place(2));
  expect(add(place(1, { stockIds: ['7' as Id] }), 1).id).toBe(1);
  expect(add(place(3), 1).id).toBe(3);
  expect(profiles.all().map(({ id, companyId }) => [id, companyId])).toEqual([
    [3, '3'],
    [2, '2'],
  ]);
});

test('P2, P3: profiles of one platform and client share its keychain entries; another client has its own', () => {
  const { add } = prepare();
  expect(add(place(1)).vaultName).toBe(url);
  expect(add(place(2)).vaultName).toBe(url);
  expect(add(place(3, { clientId: 'office' })).vaultName).toBe(`${url} office`);
  expect(add(place(4, { clientId: 'office' })).vaultName).toBe(`${url} office`);
  expect(add(place(1, { platformUrl: 'https://other.example.com', clientId: 'office' })).vaultName).toBe(
    'https://other.example.com',
  );
});

test('entries that no profile uses are told until the keychain has removed them', () => {
  const { profiles, add, settings } = prepare();
  add(place(1));
  add(place(2, { clientId: 'office' }));
  profiles.noteSignIn(url, { session: { email: 'ana@example.com' } });
  profiles.noteSecretInVault(`${url} office`);
  expect(profiles.takeUnused()).toEqual([]);
  expect([profiles.sessionOf(url), profiles.hasSecretInVault(url), profiles.hasSecretInVault(`${url} office`)]).toEqual(
    [{ email: 'ana@example.com' }, false, true],
  );
  profiles.remove(1);
  expect(profiles.takeUnused()).toEqual([url]);
  // Until the keychain has removed it.
  expect(profiles.withTokenLeft()).toEqual([url]);
  profiles.forgetSignIn(url);
  expect(profiles.takeUnused()).toEqual([]);
  expect(settings().signIns.map(({ vaultName }) => vaultName)).toEqual([`${url} office`]);
});

test('there are ten at most; one can still be replaced', () => {
  const { profiles, add } = prepare();
  for (let company = 1; company <= maxProfiles; company += 1) {
    add(place(company));
  }
  expect(profiles.draft(place(99), null)).toBeNull();
  expect(profiles.draft(place(5), null)?.id).toBe(5);
  expect(add(place(99), 4).id).toBe(11);
  expect(profiles.all()).toHaveLength(maxProfiles);
  expect(add(place(100), 11).id).toBe(4);
});

test('a removed present profile leaves none present, a name can be given and taken back', () => {
  const { profiles, add } = prepare();
  add(place(1));
  profiles.rename(1, 'Front till');
  expect(profiles.find(1)?.name).toBe('Front till');
  profiles.rename(1, null);
  expect(profiles.find(1)?.name).toBeNull();
  profiles.remove(1);
  expect(profiles.current()).toBeNull();
});

test('what a keychain keeps of removed profiles takes no place of a sign-in that is used', () => {
  const { profiles, add, settings } = prepare();
  const clients = Array.from({ length: maxProfiles }, (_, at) => add(place(at + 1, { clientId: `client ${at}` })));
  for (const { vaultName } of clients) {
    profiles.noteSecretInVault(vaultName);
  }
  profiles.remove(5);
  expect(profiles.takeUnused()).toEqual([clients[4]?.vaultName]);
  const last = add(place(99, { clientId: 'another' }));
  profiles.noteSecretInVault(last.vaultName);
  profiles.noteSignIn(last.vaultName, { session: { email: 'ana@example.com' } });
  const { signIns } = readProfiles(settings());
  expect(signIns).toHaveLength(maxProfiles + 1);
  expect(signIns).toEqual(expect.arrayContaining([...settings().signIns]));
  const unused = Array.from({ length: 200 }, (_, at) => ({ ...signIns[0], vaultName: `removed ${at}` }));
  const read = readProfiles({ ...settings(), signIns: [...settings().signIns, ...unused] }).signIns;
  expect(read).toHaveLength(maxProfiles + 100);
  expect(read.map(({ vaultName }) => vaultName)).toEqual(
    expect.arrayContaining([...settings().profiles.map(({ vaultName }) => vaultName), 'removed 199', 'removed 100']),
  );
});
