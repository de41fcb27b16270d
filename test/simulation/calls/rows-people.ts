import { alwaysHeld, lockKinds } from '../../../app/contract/limits/lock.ts';
import { auditGroupNames } from '../../../app/contract/limits/audit.ts';
import type { ConnectionReport } from '../../../app/contract/connection.ts';
import { type CallRow, type CallRows, type CallWorld, nothing } from './call-row.ts';
import { managerPins, pinAt } from './call-memory.ts';
import { somePage, someUser } from './draws.ts';
import { hubAddress } from './shop-hub.ts';

const report = {
  names: ['passed', 'notPassed'],
  of: ({ passed }: ConnectionReport): string => (passed ? 'passed' : 'notPassed'),
};

/** While it lasts one store is closed and another is opened. */
function noteMove({ evidence, nowMs }: CallWorld): () => void {
  const connection = { startedAtMs: nowMs(), doneAtMs: Number.POSITIVE_INFINITY };
  evidence.connections.push(connection);
  evidence.departures.push(nowMs());
  evidence.copy.asked.push(nowMs(), nowMs(), nowMs());
  return () => {
    connection.doneAtMs = nowMs();
  };
}

const onlyAtTheEnd = { cancelled: 'only what waits while the terminal is closed' };
const inTheReport = { network: 'the report tells it' };

const pinOf = ({ memory, state, random }: CallWorld): string =>
  random.chance(0.2) ? '0000' : (memory.pins.get(state.session.email ?? state.cashiers.lockedEmail ?? '') ?? '2468');

const openPractice = { weight: 0.4, draw: nothing, asksPlatform: true } as const;

/** Signing in and out, the change of cashier, the manager's lock, and who did what. */
export const peopleRows = {
  'session:signIn': {
    weight: 0.6,
    draw: (world) => {
      const { email, password } = someUser(world);
      return {
        email,
        password: world.random.chance(0.25) ? 'a wrong one' : password,
        ...(world.state.isSecretNeeded || world.random.chance(0.1) ? { clientSecret: world.clientSecret } : {}),
      };
    },
    successes: report,
    needsShop: true,
    asksPlatform: true,
    failures: ['credentialsRejected', 'cancelled'],
    unseen: { ...onlyAtTheEnd, notPassed: 'both users may work at both companies' },
    moves: true,
    note: (world, { email }) => {
      const { evidence, nowMs } = world;
      evidence.sittings.push({ what: 'in', email, startedAtMs: nowMs() });
      return noteMove(world);
    },
  },
  'session:keep': {
    weight: 0.4,
    draw: nothing,
    failures: ['vaultLocked', 'vaultUnavailable', 'signInNeeded', 'notReady'],
    successes: { names: ['kept', 'nothingToKeep'], of: ({ outcome }) => outcome },
    unseen: { nothingToKeep: 'every password brings a refresh token here' },
  },
  'session:signOut': {
    weight: 0.3,
    draw: nothing,
    needsShop: true,
    failures: ['signInNeeded', 'cancelled'],
    unseen: onlyAtTheEnd,
    moves: true,
    note: ({ evidence, nowMs, state }) => {
      const { email } = state.session;
      const client = state.profile?.clientId ?? null;
      const startedAtMs = nowMs();
      return (answer) => {
        if (answer?.ok === true && email !== null) {
          evidence.sittings.push({ what: 'out', email, client, startedAtMs, doneAtMs: nowMs() });
        }
      };
    },
  },
  'cashier:lock': { weight: 0.4, draw: nothing, needsShop: false, moves: true },
  'cashier:comeBack': {
    weight: 1,
    draw: (world) => {
      const email = world.state.cashiers.lockedEmail ?? someUser(world).email;
      return { email, pin: world.random.chance(0.3) ? '0000' : (world.memory.pins.get(email) ?? '1357') };
    },
    failures: ['pinWrong', 'pinWaits', 'signInNeeded', 'cancelled'],
    unseen: onlyAtTheEnd,
    moves: true,
  },
  'cashier:scanBadge': {
    weight: 0.6,
    draw: ({ memory, random }) => ({
      code:
        memory.badges.size === 0 || random.chance(0.3)
          ? 'TILL0000000000000000'
          : random.pick([...memory.badges.values()]),
    }),
    successes: { names: ['came', 'here', 'passwordFirst', 'signOutFirst'], of: ({ outcome }) => outcome },
    failures: ['badgeUnknown', 'badgeVoid', 'badgeWaits', 'notReady', 'cancelled', 'vaultLocked', 'vaultUnavailable'],
    unseen: { ...onlyAtTheEnd, badgeVoid: 'no keychain here loses an entry' },
    moves: true,
  },
  'cashier:makeBadge': {
    weight: 1,
    draw: (world) => ({ pin: pinOf(world) }),
    failures: ['pinWrong', 'pinWaits', 'notReady', 'userChanged', 'vaultLocked', 'vaultUnavailable'],
    unseen: { userChanged: 'the PIN is compared in the moment in which it is asked for' },
    note:
      ({ memory }) =>
      (answer, { session }) => {
        if (answer?.ok === true && session.email !== null) {
          memory.badges.set(session.email, answer.value.code);
        }
      },
  },
  'cashier:removeBadge': { weight: 0.4, draw: nothing, needsShop: false },
  'cashier:noteActivity': { weight: 2, draw: nothing },
  'cashier:setPin': {
    weight: 1,
    draw: (world) => ({
      pin: world.random.chance(0.15) ? null : world.random.pick(['2468', '135790']),
      ...(world.random.chance(0.8) ? { oldPin: pinOf(world) } : {}),
    }),
    failures: ['pinWrong', 'pinWaits', 'notReady', 'vaultUnavailable', 'vaultLocked', 'userChanged', 'signInNeeded'],
    unseen: {
      signInNeeded: 'the platform ends the sign-in in the moment in which it is looked at',
      userChanged: 'the PIN is hashed in the moment in which it is asked for',
    },
    note:
      ({ memory }, { pin }) =>
      (answer, { session }) => {
        if (answer?.ok === true && session.email !== null) {
          memory.pins.set(session.email, pin ?? '0000');
        }
      },
  },
  'cashier:forget': {
    weight: 0.2,
    draw: (world) => ({ email: world.random.chance(0.3) ? 'nobody@example.com' : someUser(world).email }),
    needsShop: false,
    failures: ['notFoundHere'],
  },
  'lock:unlock': {
    weight: 0.7,
    draw: ({ memory, random, state }) => ({
      pin: random.chance(0.8) ? pinAt(memory, state.mode) : '0000',
      opens: random.pick([...lockKinds, ...alwaysHeld]),
    }),
    failures: ['pinWrong', 'pinWaits'],
  },
  'lock:lockNow': { weight: 0.5, draw: nothing },
  'lock:setPin': {
    weight: 0.4,
    draw: ({ memory, random, state }) => ({
      pin: random.chance(0.4) ? null : random.pick(managerPins),
      ...(random.chance(0.85) ? { oldPin: random.chance(0.9) ? pinAt(memory, state.mode) : '0000' } : {}),
    }),
    failures: ['pinWrong', 'pinWaits', 'locked', 'signInNeeded'],
    note:
      ({ memory }, { pin }) =>
      (answer, state) => {
        if (answer?.ok === true && pin !== null) {
          memory[state.mode === 'practice' ? 'practicePin' : 'managerPin'] = pin;
        }
      },
  },
  'lock:choose': {
    weight: 0.4,
    draw: ({ random }) => ({
      kinds: lockKinds.filter(() => random.chance(0.5)),
      opensForMinutes: random.pick([0, 1, 60]),
    }),
  },
  'audit:list': {
    weight: 1,
    draw: (world) => ({
      group: world.random.pick(auditGroupNames),
      ...somePage(world),
      ...(world.random.chance(0.3) ? { from: world.nowMs() - 60_000, until: world.nowMs() } : {}),
      ...(world.random.chance(0.3) ? { email: world.random.pick([null, 'ana@example.com']) } : {}),
    }),
  },
  'audit:export': {
    weight: 0.5,
    draw: ({ random }) => ({
      group: random.pick(auditGroupNames),
      after: random.pick([0, 0, 100]),
      ...(random.chance(0.3) ? { email: random.pick([null, 'ana@example.com']) } : {}),
    }),
  },
} satisfies CallRows<'session' | 'cashier' | 'lock' | 'audit'>;

/** A move that may take a copy away. */
const noteWipe = (world: Parameters<typeof noteMove>[0]): (() => void) => {
  const done = noteMove(world);
  const { evidence, nowMs } = world;
  evidence.copy.wipes.push(nowMs());
  return () => {
    done();
    evidence.copy.wipes.push(nowMs());
  };
};

const removeProfile: CallRow<'profile:remove'> = {
  weight: 0.3,
  draw: ({ state, random }) => ({
    profileId: random.chance(0.2) ? 9 : (random.pick([null, ...state.profiles])?.profileId ?? 9),
  }),
  failures: ['notFoundHere', 'cancelled'],
  unseen: onlyAtTheEnd,
  moves: true,
  note: noteWipe,
};

/** Profiles, practice, the shop's hub, and files that set a terminal up. */
export const placeRows = {
  'practice:start': { ...openPractice, moves: true, note: noteMove },
  'practice:signIn': { ...openPractice, weight: 0.7, failures: ['notReady'] },
  'practice:setNetwork': { weight: 1, draw: ({ random }) => ({ isDown: random.chance(0.3) }), failures: ['notReady'] },
  'practice:openPanel': { weight: 1, draw: nothing, failures: ['notReady'] },
  'profile:connect': {
    weight: 0.5,
    draw: ({ random, shops, clientSecret, state }) => {
      const { profile } = random.pick(shops.filter((shop) => shop.profile.companyId !== '9'));
      return {
        ...profile,
        ...(random.chance(0.2) ? { platformUrl: random.pick(['no address', 'http://platform.example.com']) } : {}),
        ...(random.chance(state.isSecretNeeded ? 0.3 : 0.7) ? { clientSecret } : {}),
        ...(random.chance(0.3) ? { name: random.pick(['Shop', null]) } : {}),
        ...(state.profileId !== null && random.chance(0.2) ? { profileId: state.profileId } : {}),
      };
    },
    successes: report,
    asksPlatform: true,
    failures: ['profilesFull', 'profileTwice', 'vaultUnavailable', 'vaultLocked', 'signInNeeded', 'cancelled'],
    unseen: {
      ...onlyAtTheEnd,
      ...inTheReport,
      profilesFull: 'the platform has two companies',
      signInNeeded: 'all profiles are of one client',
    },
    moves: true,
    note: noteWipe,
  },
  'profile:switch': {
    weight: 0.4,
    draw: ({ state, random }) => ({ profileId: random.pick([null, ...state.profiles])?.profileId ?? 9 }),
    failures: ['notFoundHere', 'cancelled'],
    unseen: onlyAtTheEnd,
    moves: true,
    note: noteMove,
  },
  'profile:rename': {
    weight: 0.7,
    draw: ({ state, random }) => ({
      profileId: random.pick([null, ...state.profiles])?.profileId ?? 9,
      name: random.pick(['Corner shop', 'Loja da esquina', null]),
    }),
    failures: ['notFoundHere', 'cancelled'],
    unseen: onlyAtTheEnd,
  },
  'profile:remove': removeProfile,
  'profile:test': {
    weight: 0.3,
    unseen: inTheReport,
    draw: nothing,
    successes: report,
    asksPlatform: true,
    note: noteMove,
  },
  'profile:leave': {
    weight: 0.3,
    draw: nothing,
    failures: ['inputInvalid', 'cancelled'],
    unseen: onlyAtTheEnd,
    moves: true,
    note: noteMove,
  },
  'hub:join': {
    weight: 0.5,
    draw: ({ random }) => ({
      address: random.pick([
        'no address',
        'postgresql://till:secret@hub.example.com:5432/tillside',
        hubAddress,
        hubAddress,
      ]),
      name: 'Till 1',
    }),
    successes: {
      names: ['joined', 'wrongPart', 'failure'],
      of: ({ wrongPart, failure }) => {
        if (wrongPart !== null) {
          return 'wrongPart';
        }
        return failure === null ? 'joined' : 'failure';
      },
    },
    failures: ['cancelled'],
    unseen: onlyAtTheEnd,
    moves: true,
    note: (world) => {
      world.evidence.joins.push(world.nowMs());
      return noteMove(world);
    },
  },
  'hub:leave': {
    weight: 0.2,
    draw: nothing,
    failures: ['cancelled'],
    unseen: onlyAtTheEnd,
    moves: true,
    note: noteMove,
  },
  'hub:remove': { weight: 0.5, draw: () => ({ ids: ['another till'] }), failures: ['notReady'] },
  'hub:test': { weight: 0.5, draw: nothing, failures: ['notFoundHere'] },
  'hub:read': { weight: 0.5, draw: nothing, needsShop: false },
  'provisioning:export': {
    weight: 0.5,
    draw: nothing,
    failures: ['notFoundHere'],
    note:
      ({ memory }) =>
      (answer) => {
        memory.file = answer?.ok === true ? answer.value.text : memory.file;
      },
  },
  'provisioning:open': {
    weight: 0.7,
    draw: ({ random, shops, clientSecret, memory }) => ({
      text: random.chance(0.4)
        ? random.pick(['no file', '{"companyId": 7}', memory.file ?? '{}'])
        : JSON.stringify({ ...shops[0].profile, clientSecret, settings: { theme: 'dark' } }),
    }),
    successes: { names: ['opened', 'problems'], of: ({ problems }) => (problems.length === 0 ? 'opened' : 'problems') },
    failures: ['notReady', 'cancelled'],
    unseen: onlyAtTheEnd,
    moves: true,
    note: noteMove,
  },
  'provisioning:readAgain': { weight: 0.5, draw: nothing, failures: ['notReady'] },
} satisfies CallRows<'practice' | 'profile' | 'hub' | 'provisioning'>;
