import type { QueuePorts, Sender } from './queue-ports.ts';
import type { Troubles } from './sign-in-holds.ts';
import type { Work } from './repository.ts';

/** A sender with the number of its owner in the queue. */
export interface KnownSender extends Sender {
  readonly ownerId: number;
}

/** The next piece of work, under whose sign-in, and the others who send here now, as the rows are asked. */
export interface ChosenWork {
  readonly sender: KnownSender;
  readonly work: Exclude<Work, 'nothing'>;
  readonly ahead: string;
}

/**
 * Chooses among the users who can send now as if all was one user's (Q12): what was sealed is answered first, then what
 * was tried less often, then what was asked for earlier; whoever has met much trouble comes last. `mustWait` is told for
 * how long work has to wait that cannot be done yet.
 */
export function chooseWork(
  { repository, clock }: Pick<QueuePorts, 'repository' | 'clock'>,
  senders: readonly KnownSender[],
  troubles: Pick<Troubles, 'areOwn'>,
  mustWait: (waitMs: number) => void,
): ChosenWork | null {
  const now = clock.now();
  const places = senders.flatMap((sender) => {
    const ahead = JSON.stringify(senders.flatMap(({ ownerId }) => (ownerId === sender.ownerId ? [] : [ownerId])));
    const work = repository.nextWork(sender.ownerId, now, ahead);
    if (work === 'nothing') {
      return [];
    }
    const request = typeof work === 'object' ? work.resend : null;
    const next = request === null ? repository.placeOf(sender.ownerId, ahead) : undefined;
    return [
      {
        sender,
        work,
        ahead,
        isLast: troubles.areOwn(sender.ownerId),
        isOpen: request !== null,
        attempts: next?.attempts ?? 0,
        id: request?.id ?? next?.id ?? 0,
      },
    ];
  });
  // mutant: the request of one user has no answer, and that of another is sent meanwhile (Q12)
  // mutant: what one user alone has no answer to holds up everybody for ever (Q13)
  const inOrder = places.toSorted(
    (one, other) =>
      Number(one.isLast) - Number(other.isLast) ||
      Number(other.isOpen) - Number(one.isOpen) ||
      one.attempts - other.attempts ||
      one.id - other.id,
  );
  const free = inOrder.find(({ sender, isOpen }) => {
    // mutant: what an altered request may yet do is not waited for (I3, I2)
    const waitMs = isOpen ? 0 : repository.mayArriveForMs(sender.ownerId, now);
    if (waitMs > 0) {
      mustWait(waitMs);
    }
    return waitMs === 0;
  });
  return free ?? null;
}
