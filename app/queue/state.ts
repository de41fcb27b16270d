import type { QueueState } from '../contract/terminal-state.ts';
import { shownId } from '../domain/int64.ts';
import { shownEmail } from '../domain/shown-text.ts';
import type { Delay } from './delay.ts';
import type { ForeignWaiting } from './queries.ts';
import type { QueuePorts } from './queue-ports.ts';
import type { Owner } from './rows.ts';
import type { SignInHolds } from './sign-in-holds.ts';

/** More are not named, and more companies not told of. */
const maxNamed = 20;

const isOf =
  (shop: Omit<Owner, 'email'>) =>
  ({ platform, companyId }: Omit<Owner, 'email'>): boolean =>
    platform === shop.platform && companyId === shop.companyId;

const sum = (waiting: readonly ForeignWaiting[]): number => waiting.reduce((all, { total }) => all + total, 0);

const summaryOf = (waiting: readonly ForeignWaiting[]): { count: number; emails: string[] } => ({
  count: sum(waiting),
  emails: waiting.slice(0, maxNamed).map(({ email }) => shownEmail(email)),
});

/** By company, in the order in which they were first asked for anything. */
function elsewhereOf(waiting: readonly ForeignWaiting[]): QueueState['elsewhere'] {
  return [...Map.groupBy(waiting, ({ platform, companyId }) => `${platform} ${companyId}`).values()]
    .flatMap((ofCompany) => {
      const [first] = ofCompany;
      return first === undefined
        ? []
        : [
            {
              platformUrl: first.platform.slice(0, 2000),
              companyId: shownId(first.companyId),
              ...summaryOf(ofCompany),
            },
          ];
    })
    .slice(0, maxNamed);
}

/** The queue as it is shown to whoever is signed in. Q14: What waits is told with what it waits for. */
export function readQueueState(
  { clock, repository, rateLimit, owner, shop, senders }: QueuePorts,
  delay: Pick<Delay, 'hold' | 'retryAtMs'>,
  holds: Pick<SignInHolds, 'shown'>,
): QueueState {
  const known = senders();
  // mutant: what waits behind a locked keychain is told to go out (Q14)
  const kept = new Set(known.flatMap((sender) => (sender.isStuck ? [] : [sender.owner.email])));
  const signedIn = owner();
  // Whoever is signed in and may send nothing is not there.
  const current = known.some((sender) => sender.owner.email === signedIn?.email) ? signedIn : null;
  const ownerId = current === null ? 0 : repository.knownOwnerId(current);
  const counts = repository.counts(ownerId);
  // mutant: what waits for another company is said to wait for a sign-in (Q14)
  const { here = [], elsewhere = [] } = Object.groupBy(repository.foreign(ownerId), (one) =>
    isOf(shop)(one) ? 'here' : 'elsewhere',
  );
  const { goes = [], waits = [] } = Object.groupBy(here, ({ email }) => (kept.has(email) ? 'goes' : 'waits'));
  const waiting = (counts.pending ?? 0) + (counts.sealed ?? 0);
  const inFlight = repository.countUnderWay(ownerId);
  const ofSignIn = waiting > 0 ? holds.shown(ownerId) : null;
  const isWaitedFor = waiting > 0 || goes.length > 0;
  const ofOthers = current === null ? 'signIn' : 'otherUser';
  const heldByOthers = waits.length > 0 ? ofOthers : null;
  const heldBy = isWaitedFor ? (ofSignIn?.hold ?? delay.hold()) : heldByOthers;
  const retryAtMs = ofSignIn?.retryAtMs ?? delay.retryAtMs() ?? 0;
  const waitMs = heldBy === 'rateLimit' ? rateLimit.state().pausedForMs : retryAtMs - clock.uptimeMs();
  return {
    pending: waiting - inFlight,
    inFlight,
    parked: counts.parked ?? 0,
    delivered: counts.delivered ?? 0,
    heldBy,
    nextTryAt: isWaitedFor && waitMs > 0 ? Math.round(clock.now() + waitMs) : null,
    ofOthers: { ...summaryOf(waits), parked: repository.foreignParked(ownerId) },
    ofKept: summaryOf(goes),
    elsewhere: elsewhereOf(elsewhere),
  };
}
