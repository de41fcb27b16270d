import type { Handlers, HandlersOf } from '../../contract/bridge.ts';
import type { ConnectionReport } from '../../contract/connection.ts';
import type { Failure } from '../../domain/failure.ts';
import { fail, mapResult, nothingToDo, succeed, type Result } from '../../domain/result.ts';
import { isSameUser } from '../../domain/same-user.ts';
import { forAddress, testAddress, testStocks, withScopes } from '../../platform/connection-test.ts';
import type { Cashiers } from '../cashiers/cashiers.ts';
import { logReport } from '../workspace/platform-log.ts';
import type { ShopsContext } from '../workspace/shop-changes.ts';
import type { Workspace } from '../workspace/workspace.ts';

export interface SignInParts extends ShopsContext {
  readonly cashiers: Pick<Cashiers, 'noteSignIn' | 'isLocked' | 'signOutAside'>;
  /** Closes the shop; the next start begins at the ways in. */
  readonly leave: () => Promise<void>;
}

/** Answers the calls that sign in and out of the open shop, and that test its connection. */
export function createSignInHandlers({
  ports: { shell },
  shop,
  changes,
  profiles,
  clientSecret,
  cashiers,
  leave,
  stateEvents,
}: SignInParts): HandlersOf<'session'> & Pick<Handlers, 'profile:test'> {
  /** Who has been granted a sign-in and waits for the stocks, by the arrivals of then, or of who overtook them since. */
  let granted: { readonly open: Workspace; readonly arrivals: number } | null = null;
  const isGrantedNow = (open: Workspace): boolean =>
    granted?.open === open && granted.arrivals === open.session.arrivals();

  async function signIn(
    open: Workspace,
    email: string,
    password: string,
    secret: string | undefined,
  ): Promise<Result<ConnectionReport, Failure>> {
    if (secret !== undefined && shop.practice() === null) {
      await clientSecret.offer(profiles.current()?.vaultName ?? open.target.platformUrl, secret);
    }
    const isOvertaking = isGrantedNow(open);
    const attempt = open.session.signIn(email, password);
    granted = isOvertaking ? { open, arrivals: open.session.arrivals() } : null;
    const signedIn = await attempt;
    if (!signedIn.ok) {
      // Of who was overtaken nobody waits for the stocks any more; who has a PIN is behind the lock.
      // mutant: an attempt that another one overtakes leaves its user signed in
      if (signedIn.failure.kind !== 'cancelled' && isGrantedNow(open) && !cashiers.isLocked()) {
        await open.session.signOut();
      }
      return signedIn;
    }
    const arrivals = open.session.arrivals();
    granted = { open, arrivals };
    // The till goes on without a stock that is refused, as its copy does.
    const report = forAddress(
      open.target.platformUrl,
      await testStocks(open.client, open.session, open.target.stockIds, true),
    );
    // mutant: a sign-in whose stocks are refused late signs out whoever came meanwhile
    if (shop.workspace() !== open || open.session.arrivals() !== arrivals) {
      return fail({ kind: 'cancelled' });
    }
    granted = null;
    const failed = report.steps.find((step) => step.outcome === 'failed');
    if (failed !== undefined && failed.step !== 'address' && failed.step !== 'tls') {
      await open.session.signOut();
      return succeed(report);
    }
    changes.releasePhase();
    cashiers.noteSignIn();
    stateEvents.withdraw('companyRefused');
    // Updates that have waited for this password go out now.
    open.queue.resume();
    // Trouble on the way is no reason to refuse a sign-in that the platform has granted.
    return succeed({ ...report, passed: true });
  }

  async function signOut(open: Workspace): Promise<void> {
    await open.session.signOut();
    if (shop.practice() !== null) {
      await leave();
    }
  }

  const reporting = (action: (open: Workspace) => Promise<Result<ConnectionReport, Failure>>) =>
    logReport(shell, shop.withWorkspace(action));

  return {
    'profile:test': () =>
      reporting(async (open) => {
        const report = await testAddress(open.exchange, open.rateLimit);
        const whole =
          report.passed && open.session.user() !== null
            ? await testStocks(open.client, open.session, open.target.stockIds)
            : report;
        return succeed(
          forAddress(open.target.platformUrl, report.passed ? await withScopes(whole, open.client) : whole),
        );
      }),
    'session:signIn': ({ email, password, clientSecret: secret }) =>
      // In no turn: whoever has a PIN or a badge, and another shop, wait for no platform. They end the attempt.
      reporting((open) => changes.signingIn(() => signIn(open, email, password, secret))),
    'session:keep': () =>
      shop.withWorkspace(async ({ session }) => {
        if (shop.practice() !== null) {
          return fail({ kind: 'notReady' });
        }
        const kept = await session.keepNow();
        const vaultName = profiles.current()?.vaultName;
        // Without it nothing could be asked after the next start.
        await (kept.ok && vaultName !== undefined ? clientSecret.keepAgain(vaultName) : undefined);
        return mapResult(kept, (isKept) => ({ outcome: isKept ? ('kept' as const) : ('nothingToKeep' as const) }));
      }),
    'session:signOut': () =>
      shop.withWorkspace((open) => {
        const { email } = open.session.state();
        // mutant: a sign-out that is asked for at a locked till is made once another shop is open
        const wasLocked = cashiers.isLocked();
        return changes.inTurn(async () => {
          // Nobody is signed in who could sign out: the sign-in behind the lock is not for whoever stands there.
          if (wasLocked || cashiers.isLocked()) {
            return fail({ kind: 'signInNeeded' as const });
          }
          // mutant: a sign-out that waited signs out whoever came meanwhile
          if (!isSameUser(email, open.session.state().email)) {
            // Somebody else has come meanwhile, and has not asked for it.
            return email !== null && (await cashiers.signOutAside(email)) ? succeed({}) : nothingToDo;
          }
          await signOut(open);
          // Another shop may be open by now, under the same sign-in.
          const now = shop.workspace();
          // mutant: a sign-out that waits for another shop ends the sign-in of the one before alone
          if (now !== null && now !== open && now.target.platform === open.target.platform) {
            await signOut(now);
          }
          return email === null ? nothingToDo : succeed({});
        });
      }),
  };
}
