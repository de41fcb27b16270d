import type { ConnectionReport } from '../../contract/connection.ts';
import type { InvokeOutput } from '../../contract/contract.ts';
import type { Handlers, HandlersOf } from '../../contract/bridge.ts';
import type { Failure } from '../../domain/failure.ts';
import { fail, mapResult, nothingToDo, succeed, type Result } from '../../domain/result.ts';
import { readPlatformAddress } from '../../domain/platform-address.ts';
import { tryConnection, type TrialOutcome } from '../workspace/connection-trial.ts';
import { logReport } from '../workspace/platform-log.ts';
import { reportOf } from '../../platform/connection-test.ts';
import { isSameProfile } from '../../contract/same-profile.ts';
import { hasPin } from '../../settings/kept-cashiers.ts';
import type { Profiles, StoredProfile } from '../../settings/profiles.ts';
import type { OpenShop } from '../workspace/open-shop.ts';
import type { ProfileSignIns } from './sign-ins.ts';
import type { Cashiers } from '../cashiers/cashiers.ts';
import type { ShopsContext } from '../workspace/shop-changes.ts';

export interface ProfileParts extends ShopsContext {
  readonly profileSignIns: ProfileSignIns;
  /** Locked: a cashier's sign-in goes on behind the lock. */
  readonly cashiers: Pick<Cashiers, 'isLocked' | 'keptUsers'>;
}

export interface ProfileHandlers {
  readonly handlers: HandlersOf<'profile', 'profile:test'>;
  /** Closes the shop; the next start begins at the ways in. */
  readonly leave: () => Promise<void>;
}

const nothing = succeed({});

function isOpen({ workspace, practice }: OpenShop, profiles: Profiles, profileId: number): boolean {
  return workspace() !== null && practice() === null && profiles.current()?.id === profileId;
}

/** Why this profile is not even tried in the place of that one. */
function problemOf(
  { profiles, keptCashiers, profileSignIns, shop: { workspace, practice }, cashiers, changes }: ProfileParts,
  draft: StoredProfile,
  replacedId: number | null,
): Failure | null {
  const replaced = profiles.find(replacedId ?? draft.id);
  // mutant: who is being signed in puts another connection in the place of the one that PINs lead back to
  const isNobodyHere = practice() !== null || cashiers.isLocked() || changes.isSigningIn();
  const isSomebodyHere = !isNobodyHere && (workspace()?.session.user() ?? null) !== null;
  const isKept = replaced !== null && replaced.vaultName === draft.vaultName && isSameProfile(replaced, draft);
  const isLeftBehind = replaced !== null && cashiers.keptUsers(replaced.vaultName).length > 0;
  // Who is signed in at another platform, which may be of their own making, is not whose sign-in it is.
  const isTheirs = isSomebodyHere && profiles.current()?.vaultName === draft.vaultName;
  // mutant: another company is read under the sign-in behind a lock
  const isBehindPin = hasPin(keptCashiers.find(draft.vaultName, profileSignIns.emailOf(draft.vaultName) ?? ''));
  // Whichever shop is open, or none: their sign-ins would be lost, what they have waiting would stay behind, or another
  // company be read under their sign-in.
  // mutant: who leaves a locked till for the first screen puts another connection in the place of its own
  if (!isKept && ((isLeftBehind && !isSomebodyHere) || (isBehindPin && !isTheirs))) {
    return { kind: 'signInNeeded' };
  }
  // Older settings may have two that are one: each of these is changed like any other.
  const isThere = replaced !== null && isSameProfile(replaced, draft);
  const other = isThere ? undefined : profiles.all().find((one) => isSameProfile(one, draft));
  return other === undefined ? null : { kind: 'profileTwice', message: other.name ?? new URL(other.platformUrl).host };
}

/** Tries a connection, with the secret that is kept where none was typed. */
function tryOut(
  { shop, clientSecret, restore }: Pick<ProfileParts, 'shop' | 'clientSecret'> & Pick<ProfileSignIns, 'restore'>,
  draft: StoredProfile,
  secret: string | undefined,
): ReturnType<typeof tryConnection> {
  return shop.tryOut(draft, (trial) =>
    tryConnection(trial, async () => {
      if (secret !== undefined) {
        await clientSecret.offer(draft.vaultName, secret);
      }
      return trial.isSessionOpen ? trial.session.user() !== null : restore(trial, draft.vaultName);
    }),
  );
}

/** The calls that end the sign-in of the open profile, and those that lead from any shop to the ways in. */
function createWaysOut({ settings, shop, stateEvents: { changed } }: ProfileParts) {
  const signOut = async (): Promise<void> => shop.workspace()?.session.signOut();

  async function leave(): Promise<void> {
    await shop.close();
    settings.change({ mode: null });
    changed();
  }

  return { signOut, leave };
}

type Wanted = Parameters<Handlers['profile:connect']>[0];

/** Answers the call that tries a connection and, where it passes, opens its shop. */
function createConnecting(parts: ProfileParts): (given: Wanted) => Promise<Result<ConnectionReport, Failure>> {
  const {
    profiles,
    settings,
    clientSecret,
    profileSignIns: { restore, forgetUnused },
    shop,
    changes,
    stateEvents: { changed, quietly, notify },
  } = parts;
  let newestInTurn: Wanted | null = null;

  /** What is to be kept, and in whose place; or why it is not even tried. */
  function prepare({ name, profileId, platformUrl, clientId, companyId, stockIds }: Wanted) {
    const replacedId = profileId ?? null;
    const draft = profiles.draft({ platformUrl, clientId, companyId, stockIds, name }, replacedId);
    if (draft === null) {
      return fail({ kind: 'profilesFull' as const });
    }
    const problem = problemOf(parts, draft, replacedId);
    return problem === null ? succeed({ draft, replacedId }) : fail(problem);
  }

  async function tryBefore(wanted: Wanted): Promise<Result<TrialOutcome, Failure>> {
    const prepared = prepare(wanted);
    if (!prepared.ok) {
      return prepared;
    }
    const { draft } = prepared.value;
    const secret = wanted.clientSecret;
    const kept = secret === undefined ? await clientSecret.load(draft.vaultName) : null;
    return kept?.ok === false ? kept : succeed(await tryOut({ shop, clientSecret, restore }, draft, secret));
  }

  async function take(
    { report, refusal, keepsSignIn }: TrialOutcome,
    wanted: Wanted,
  ): Promise<Result<ConnectionReport, Failure>> {
    const prepared = prepare(wanted);
    if (!prepared.ok) {
      await forgetUnused();
      return prepared;
    }
    const { draft, replacedId } = prepared.value;
    // One that is set up anew may be open to somebody else, who signs in there; one that is changed stays as it was.
    const refused =
      report.passed && profiles.find(draft.id) === null ? null : (refusal ?? (report.passed ? null : report));
    if (refused !== null) {
      await forgetUnused();
      changed();
      return succeed(refused);
    }
    // mutant: a company is opened under the name of the one before (I10)
    return quietly(async () => {
      const by = shop.workspace()?.session.user() ?? null;
      // Whatever is done meanwhile finds no shop, rather than this one under the name of the other.
      await shop.close();
      const profile = profiles.keep(draft, replacedId);
      settings.change({ mode: 'platform' });
      const workspace = await shop.openPlatform(draft);
      if (keepsSignIn) {
        await restore(workspace, draft.vaultName);
      }
      if (refusal !== null && !keepsSignIn && by !== null) {
        notify('companyRefused', by);
      }
      // One that the next start finds again keeps its copy.
      if (profile.ok && replacedId !== null && replacedId !== draft.id) {
        shop.deleteCopy(replacedId);
      }
      await forgetUnused();
      changed();
      return mapResult(profile, () => report);
    });
  }

  /** It may be refused for a sign-in that no profile leads to any more, as one that a full disk did not let go. */
  async function forgetBefore(wanted: Wanted): Promise<void> {
    const draft = profiles.draft(wanted, wanted.profileId ?? null);
    if (draft !== null) {
      profiles.release(draft.vaultName);
    }
    await forgetUnused();
  }

  /** Whether it is tried by the kept sign-in of a profile that is not open: whoever opens that one would renew it, too. */
  const usesSignInOfAnother = ({ vaultName }: StoredProfile): boolean =>
    vaultName !== profiles.current()?.vaultName && profiles.all().some((one) => one.vaultName === vaultName);

  /**
   * From an open shop it is tried in no turn: whoever has a PIN or a badge, and another shop, wait for no platform. They
   * end the attempt. From practice, or from no shop, nobody can come, but whoever leads back waits: of those that have
   * not begun the newest alone is tried.
   */
  async function connect(given: Wanted): Promise<Result<ConnectionReport, Failure>> {
    const address = readPlatformAddress(given.platformUrl);
    if (!address.ok) {
      return succeed(reportOf(address.failure, 'address', null, 'address'));
    }
    const wanted = { ...given, platformUrl: address.value };
    const open = shop.practice() === null ? shop.workspace() : null;
    const prepared = prepare(wanted);
    // mutant: the kept sign-in of another profile is tried while somebody opens that one
    if (open === null || !prepared.ok || usesSignInOfAnother(prepared.value.draft)) {
      newestInTurn = given;
      return changes.inTurn(async () => {
        if (newestInTurn !== given) {
          return fail({ kind: 'cancelled' });
        }
        if (!prepare(wanted).ok) {
          await forgetBefore(wanted);
        }
        const tried = await tryBefore(wanted);
        return tried.ok ? take(tried.value, wanted) : tried;
      });
    }
    const arrivals = open.session.arrivals();
    const tried = await tryBefore(wanted);
    if (!tried.ok) {
      return tried;
    }
    return changes.inTurn(async () => {
      // mutant: a connection that is tried for long is opened under whoever came meanwhile
      if (shop.workspace() !== open || open.session.arrivals() !== arrivals) {
        await forgetUnused();
        return fail({ kind: 'cancelled' });
      }
      return take(tried.value, wanted);
    });
  }

  return connect;
}

/** Makes the handlers over the profiles and the terminal's own means to open and close. */
export function createProfileHandlers(parts: ProfileParts): ProfileHandlers {
  const {
    profiles,
    settings,
    profileSignIns: { resume, forgetUnused },
    shop,
    cashiers: { isLocked: isTillLocked },
    changes,
    stateEvents: { changed, quietly },
  } = parts;
  const { signOut, leave } = createWaysOut(parts);
  const connect = createConnecting(parts);

  async function switchTo(profile: StoredProfile): Promise<Result<InvokeOutput<'profile:switch'>, Failure>> {
    if (isOpen(shop, profiles, profile.id)) {
      return nothingToDo;
    }
    await shop.close();
    profiles.makeCurrent(profile.id);
    const kept = settings.change({ mode: 'platform' });
    await resume(profile);
    return kept.ok ? nothing : kept;
  }

  async function remove({ id }: StoredProfile): Promise<Result<InvokeOutput<'profile:remove'>, Failure>> {
    const wasOpen = isOpen(shop, profiles, id);
    const kept = profiles.remove(id);
    if (!kept.ok) {
      return kept;
    }
    if (wasOpen) {
      await signOut();
      await leave();
    }
    shop.deleteCopy(id);
    await forgetUnused();
    changed();
    return nothing;
  }

  return {
    handlers: {
      'profile:connect': (input) => {
        const tried = changes.holdingPhase(() => connect(input));
        return logReport(parts.ports.shell, tried);
      },
      'profile:switch': ({ profileId }) =>
        changes.inTurn(async () => {
          const profile = profiles.find(profileId);
          return profile === null ? fail({ kind: 'notFoundHere' as const }) : quietly(() => switchTo(profile));
        }),
      'profile:rename': ({ profileId, name }) =>
        changes.inTurn(() => {
          const before = profiles.find(profileId);
          if (before?.name === name) {
            return Promise.resolve(nothingToDo);
          }
          const kept = before === null ? fail({ kind: 'notFoundHere' as const }) : profiles.rename(profileId, name);
          changed();
          return Promise.resolve(kept.ok ? nothing : kept);
        }),
      'profile:remove': ({ profileId }) =>
        changes.inTurn(() => {
          const profile = profiles.find(profileId);
          return profile === null
            ? Promise.resolve(fail({ kind: 'notFoundHere' as const }))
            : quietly(() => remove(profile));
        }),
      'profile:leave': () =>
        changes.inTurn(async () => {
          const isNowhere = shop.workspace() === null;
          // A sign-in that is locked goes on when somebody comes back.
          if (!isTillLocked()) {
            // Who is being signed in is not at the screen, and leaving ends the attempt.
            // mutant: nobody leaves a shop while the stocks of a sign-in are asked
            if ((shop.workspace()?.session.user() ?? null) !== null && !changes.isSigningIn()) {
              return fail({ kind: 'inputInvalid' as const });
            }
            await signOut();
          }
          await leave();
          return isNowhere ? nothingToDo : nothing;
        }),
    },
    leave,
  };
}
