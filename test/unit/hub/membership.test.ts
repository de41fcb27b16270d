// The proof of when a terminal leaves the sign-in that all tills were given for one of its own, and when it does not.
import { expect, test } from 'vitest';
import type { JoinedHub } from '../../../app/contract/hub.ts';
import { fail, succeed } from '../../../app/domain/result.ts';
import { printHubAddress, type HubAddress } from '../../../app/hub/address.ts';
import type { HubLink, HubSignIn } from '../../../app/hub/link.ts';
import type { HubSettings } from '../../../app/hub/file-address.ts';
import { createHubMembership, hubAddressName, type HubMembership } from '../../../app/hub/membership.ts';
import { keyIdOf, sealNextKey } from '../../../app/hub/sealing.ts';
import { createNodeClock, createNodeRandom } from '../../../app/hosts/node/node-ports.ts';
import type { Clock } from '../../../app/ports.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { vaultOf } from '../../support/ports.ts';

const given: HubAddress = {
  user: 'tillside_terminal',
  password: 'given',
  host: '127.0.0.1',
  port: 5432,
  database: 'shop',
  fingerprint: null,
  storeKey: 'A'.repeat(43),
};
const own = { user: 'tillside_tills_0123456789abcdef', password: 'own' };
const made: HubSignIn = { ...own, arrive: () => Promise.resolve(true) };

interface Options {
  readonly address?: HubAddress;
  readonly signIn?: HubSignIn | null;
  readonly vault?: { isLocked: boolean };
  /** Whether the settings' file takes no change. */
  readonly isFull?: boolean;
  /** Of what the settings say that was joined. */
  readonly place?: Partial<JoinedHub>;
  /** Whether the hub is out of reach. */
  readonly down?: { isDown: boolean };
  readonly clock?: Clock;
  /** The shop's key after the one of the address, which is let in no more. */
  readonly nextKey?: string | null;
}

function open({
  address = given,
  signIn = made,
  vault = { isLocked: false },
  isFull = false,
  place = {},
  down = { isDown: false },
  clock = createNodeClock(),
  nextKey = null,
}: Options) {
  const secrets = new Map([[hubAddressName, printHubAddress(address)]]);
  const opened: string[] = [];
  const asked: string[] = [];
  const ended: string[] = [];
  const { host, port, database } = given;
  const hub: JoinedHub | null = { terminalId: 'one', terminalName: 'Till 1', host, port, database, ...place };
  let settings: ReturnType<HubSettings['get']> = { hub, hubInFile: null };
  const linkTo = ({ user, storeKey }: HubAddress): HubLink => {
    opened.push(user);
    const failure = (): 'unreachable' | 'wrongPassword' | null => {
      if (down.isDown) return 'unreachable';
      return nextKey === null || storeKey === nextKey ? null : 'wrongPassword';
    };
    return {
      read: () => {
        const kind = failure();
        return Promise.resolve(
          kind === null
            ? succeed({ version: 0, document: user, isIntact: true, life: null, rows: null, serverMs: 0 })
            : fail({ kind }),
        );
      },
      write: () => Promise.resolve(succeed(true)),
      makeSignIn: (name) => {
        asked.push(name);
        return Promise.resolve(down.isDown ? null : signIn);
      },
      findNextKey: () =>
        Promise.resolve(nextKey === null ? null : sealNextKey(given.storeKey, nextKey, createNodeRandom())),
      endSignIn: () => {
        if (!down.isDown) ended.push(user);
        return Promise.resolve(!down.isDown);
      },
      onBell: () => undefined,
      close: () => Promise.resolve(),
    };
  };
  const change: HubSettings['change'] = (chosen) => {
    settings = { ...settings, ...chosen };
    return isFull ? fail({ kind: 'storageFull' }) : succeed(undefined);
  };
  const membership = createHubMembership({
    ports: { clock, random: createNodeRandom(), vault: vaultOf(secrets, () => vault.isLocked) },
    version: '1.0.0',
    settings: {
      get: () => settings,
      change,
      changeForGood: (chosen) => (isFull ? fail({ kind: 'storageFull' }) : change(chosen)),
    },
    openHub: linkTo,
  });
  const readAs = async (): Promise<string | null> => {
    const read = await membership.target()?.link.read('a', 1_000);
    return read?.ok === true ? read.value.document : null;
  };
  return {
    membership,
    readAs,
    opened,
    asked,
    ended,
    kept: () => secrets.get(hubAddressName),
    joined: () => settings.hub,
  };
}

test('a terminal goes on by a sign-in of its own, which alone is kept', async () => {
  const { membership, readAs, asked, kept } = open({});
  expect(await readAs()).toBe(own.user);
  expect(asked).toEqual(['Till 1']);
  expect(kept()).toBe(printHubAddress({ ...given, ...own }));
  expect(await membership.address()).toEqual({ ...given, ...own });
  // The next start asks for no other.
  const next = open({ address: { ...given, ...own } });
  expect(await next.readAs()).toBe(own.user);
  expect([next.asked, next.opened]).toEqual([[], [own.user]]);
});

test.each<[string, Options & { readonly isLocked?: boolean }]>([
  ['a hub that gives none', { signIn: null }],
  ['a keychain that does not take it', { isLocked: true }],
  ['a role that another of its name has replaced', { signIn: { ...made, arrive: () => Promise.resolve(false) } }],
])('with %s it keeps the one that all have', async (_what, { isLocked = false, ...options }) => {
  const keychain = { isLocked: false };
  const { membership, readAs, kept } = open({ ...options, vault: keychain });
  await membership.address();
  keychain.isLocked = isLocked;
  expect(await readAs()).toBe(given.user);
  expect(kept()).toBe(printHubAddress(given));
  expect(await membership.address()).toEqual(given);
});

test('a terminal that goes on at its hub ends no sign-in', async () => {
  const { membership, readAs, ended } = open({ address: { ...given, ...own } });
  await readAs();
  await membership.keep({ ...given, ...own }, 'Till 2', 'hand');
  await membership.endFormer();
  expect(ended).toEqual([]);
});

test('a terminal whose hub did not answer at first gets its own sign-in once it does', async () => {
  const down = { isDown: true };
  const { readAs, membership, kept } = open({ down });
  const link = membership.target()?.link;
  expect(await link?.read('a', 1_000)).toMatchObject({ failure: { kind: 'unreachable' } });
  down.isDown = false;
  expect(await link?.read('a', 1_000)).toMatchObject({ value: { document: own.user } });
  expect(kept()).toBe(printHubAddress({ ...given, ...own }));
  expect(await readAs()).toBe(own.user);
});

test('two calls at once make one sign-in', async () => {
  const { membership, asked } = open({});
  const link = membership.target()?.link;
  await Promise.all([link?.read('a', 1_000), link?.read('b', 1_000)]);
  expect(asked).toEqual(['Till 1']);
});

test('a terminal that has left meanwhile keeps nothing, and ends the sign-in that it has made', async () => {
  // At each step of what goes on by itself.
  for (let steps = 0; steps < 12; steps += 1) {
    const { membership, readAs, asked, ended, kept } = open({});
    const reading = readAs();
    for (let step = 0; step < steps; step += 1) await Promise.resolve();
    await membership.leave();
    await reading;
    await membership.endFormer();
    expect(kept()).toBeUndefined();
    expect(ended).toEqual(asked.map(() => own.user));
  }
});

test('a hub that is joined while a sign-in is made for the former one is kept', async () => {
  const other = { ...given, password: 'other' };
  for (let steps = 1; steps < 14; steps += 1) {
    const { membership, readAs, asked, ended, kept } = open({});
    const reading = readAs();
    for (let step = 0; step < steps; step += 1) await Promise.resolve();
    await membership.keep(other, 'Till 1', 'hand');
    await reading;
    await membership.endFormer();
    expect(ended).toEqual(asked.map(() => own.user));
    expect(kept()).toBe(printHubAddress(other));
    expect(await membership.address()).toEqual(other);
  }
});

test('the address that all were given is the same hub for a terminal with a sign-in of its own', async () => {
  const { membership, readAs } = open({});
  await readAs();
  expect(await membership.isJoined(given, 'Till 1')).toBe(true);
  expect(await membership.isJoined({ ...given, storeKey: `${'B'.repeat(42)}A` }, 'Till 1')).toBe(false);
  const before = open({ signIn: null });
  await before.readAs();
  expect(await before.membership.isJoined({ ...given, password: 'new' }, 'Till 1')).toBe(false);
});

const ways: readonly [string, (membership: HubMembership) => Promise<unknown>][] = [
  ['left', (membership) => membership.leave()],
  ['moved to another', (membership) => membership.keep({ ...given, host: '127.0.0.2' }, 'Till 1', 'hand')],
];

test.each(ways)('a hub that was away when it was %s is told so once it answers', async (_how, change) => {
  const clock = createManualClock();
  const down = { isDown: true };
  const { membership, ended } = open({ address: { ...given, ...own }, down, clock });
  await change(membership);
  await membership.endFormer();
  await clock.advance(150_000);
  expect(ended).toEqual([]);
  down.isDown = false;
  await clock.advance(60_000);
  expect(ended).toEqual([own.user]);
  expect(clock.nextAlarmMs()).toBeNull();
});

test.each(ways)('a hub is not %s on a full disk: what was joined stays', async (_how, change) => {
  const { membership, readAs, ended, kept, joined } = open({ address: { ...given, ...own }, isFull: true });
  expect(await change(membership)).toMatchObject({ failure: { kind: 'storageFull' } });
  await membership.endFormer();
  expect([await readAs(), kept(), ended]).toEqual([own.user, printHubAddress({ ...given, ...own }), []]);
  expect(joined()).toMatchObject({ terminalId: 'one', host: given.host });
});

test("the keychain's address of another place than the settings' is of no use", async () => {
  const { membership, opened } = open({ place: { host: '127.0.0.2' } });
  expect(await membership.target()?.link.read('a', 1_000)).toMatchObject({ failure: { kind: 'keychain' } });
  expect([await membership.address(), opened]).toEqual([null, []]);
});

const nextKey = `${'B'.repeat(42)}A`;
const chosen = { ...given, storeKey: `${'C'.repeat(42)}A` };
const vault = { isLocked: false };

test.each<[string, HubAddress, (till: ReturnType<typeof open>) => Promise<unknown>]>([
  [
    'has followed to the next key',
    { ...given, ...own, storeKey: nextKey },
    async ({ membership }) => {
      const link = membership.target()?.link;
      expect(await link?.read('a', 1_000)).toMatchObject({ failure: { kind: 'wrongPassword' } });
      expect(await link?.read('a', 1_000)).toMatchObject({ value: { document: own.user } });
    },
  ],
  ['has joined again by hand', chosen, ({ membership }) => membership.keep(chosen, 'Till 1', 'hand')],
  [
    'has left and joined again by hand',
    chosen,
    async ({ membership }) => [await membership.leave(), await membership.keep(chosen, 'Till 1', 'hand')],
  ],
  [
    'has joined again by hand while the keychain was silent',
    chosen,
    async ({ membership }) => {
      vault.isLocked = true;
      await membership.address();
      vault.isLocked = false;
      await membership.keep(chosen, 'Till 1', 'hand');
    },
  ],
  [
    'has joined another hub by hand',
    { ...chosen, host: '127.0.0.2' },
    ({ membership }) => membership.keep({ ...chosen, host: '127.0.0.2' }, 'Till 1', 'hand'),
  ],
])('a file that names what it named before moves no terminal that %s', async (_how, now, change) => {
  const till = open({ address: { ...given, ...own }, nextKey, vault });
  const { membership, kept, joined } = till;
  membership.noteFile(given);
  await change(till);
  expect(kept()).toBe(printHubAddress(now));
  expect([await membership.isJoined(given, 'Till 1'), await membership.isElsewhere(given)]).toEqual([true, false]);
  // It may give the terminal another name.
  expect(await membership.isJoined(given, 'Till 2')).toBe(false);
  await membership.keep(given, 'Till 2', 'file');
  expect(kept()).toBe(printHubAddress(now));
  expect(joined()).toMatchObject({ terminalName: 'Till 2', host: now.host });
  // What it names anew counts, and so does what it names where none is joined.
  expect(await membership.isJoined({ ...given, host: now.host }, 'Till 2')).toBe(now.host === given.host);
  await membership.leave();
  expect(await membership.isJoined(given, 'Till 2')).toBe(false);
});

test('a file that is read while the keychain is silent leaves in the keychain what is there', async () => {
  const { membership, kept } = open({ address: { ...chosen, ...own }, vault });
  membership.noteFile(given);
  vault.isLocked = true;
  expect(await membership.isMissing(given)).toBe(true);
  vault.isLocked = false;
  await membership.keep(given, 'Till 1', 'file');
  expect([await membership.address(), kept()]).toEqual([given, printHubAddress({ ...chosen, ...own })]);
  expect(await membership.isMissing({ ...given, port: 5433 })).toBe(false);
});

test('a file that gives another name while the keychain is silent takes nobody to the hub named before', async () => {
  const elsewhere = { ...chosen, host: '127.0.0.2' };
  const { membership, kept, joined } = open({ address: elsewhere, place: { host: '127.0.0.2' }, vault });
  membership.noteFile(given);
  vault.isLocked = true;
  expect(await membership.isJoined(given, 'Till 2')).toBe(false);
  await membership.keep(given, 'Till 2', 'file');
  vault.isLocked = false;
  expect(joined()).toMatchObject({ terminalId: 'one', terminalName: 'Till 2', host: '127.0.0.2' });
  expect([await membership.address(), kept()]).toEqual([null, printHubAddress(elsewhere)]);
});

test('a key that the hub has left does not take the place of what a silent keychain holds', async () => {
  const { membership } = open({ address: chosen, place: { formerKeys: [keyIdOf(given.storeKey)] }, vault });
  vault.isLocked = true;
  expect([await membership.isJoined(given, 'Till 1'), await membership.isMissing(given)]).toEqual([true, false]);
  expect(await membership.isMissing(chosen)).toBe(true);
  vault.isLocked = false;
});

test('the keys before that an earlier version has kept are no news either', async () => {
  const { membership } = open({ address: chosen, place: { formerKeys: [keyIdOf(given.storeKey)] } });
  expect(await membership.isJoined(given, 'Till 1')).toBe(true);
  expect(await membership.isJoined({ ...given, storeKey: nextKey }, 'Till 1')).toBe(false);
});

test.each<[string, (till: ReturnType<typeof open>) => void]>([
  ['before any file has named a hub', () => undefined],
  ['after its file has named a key before that one', ({ membership }) => membership.noteFile(chosen)],
])('a terminal that has followed to the next key %s stays there for a file', async (_when, note) => {
  const till = open({ address: { ...given, ...own }, nextKey });
  const { membership, kept } = till;
  note(till);
  const link = membership.target()?.link;
  await link?.read('a', 1_000);
  expect(await link?.read('a', 1_000)).toMatchObject({ value: { document: own.user } });
  expect(await membership.isJoined(given, 'Till 1')).toBe(true);
  await membership.keep(given, 'Till 2', 'file');
  membership.noteFile(given);
  expect(kept()).toBe(printHubAddress({ ...given, ...own, storeKey: nextKey }));
  expect(await membership.isJoined(given, 'Till 2')).toBe(true);
});

test('a file that names a wrong key is put right by a file with the one before', async () => {
  const { membership, kept } = open({});
  for (const storeKey of [`${'C'.repeat(42)}A`, given.storeKey]) {
    expect(await membership.isJoined({ ...given, storeKey }, 'Till 1')).toBe(false);
    await membership.keep({ ...given, storeKey }, 'Till 1', 'file');
    membership.noteFile({ ...given, storeKey });
    expect(kept()).toBe(printHubAddress({ ...given, storeKey }));
  }
});
