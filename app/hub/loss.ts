import type { HubReading } from './link.ts';
import { growAfterMs, silentAfterMs, windowOf, type HubDocument, type HubTime, type Member } from './document.ts';
import { leftOf } from './shared-refusal.ts';

/** A terminal's memory of the document: the newest that it has seen. */
export interface HubMemory {
  readonly version: number;
  readonly document: HubDocument;
}

/** The first document of an account; unless the hub is intact another may have been lost, and nothing is lent yet. */
function firstDocument(
  epoch: string,
  { serverMs, isIntact }: Pick<HubReading, 'serverMs' | 'isIntact'>,
  windowMs: number,
): HubDocument {
  return {
    format: 1,
    epoch,
    restored: null,
    serverMs,
    loMs: 0,
    hiMs: 0,
    // mutant: where no document is, none has been lost (H8)
    lendsFromMs: isIntact ? 0 : growAfterMs(windowMs),
    refusal: null,
    catalogueMs: 0,
    figuresMs: 0,
    members: {},
  };
}

/** A member as another remembers it: silent, and all that it was lent still counts. Its times were of the lost document's. */
function remembered(member: Member, { loMs, hiMs }: HubTime): Member {
  return {
    ...member,
    isRemembered: true,
    wants: [],
    // mutant: a turn of the lost document's time is one to come (H13)
    catalogueMs: 0,
    figuresMs: 0,
    writtenLoMs: loMs,
    writtenHiMs: hiMs - silentAfterMs - 1,
    heardHiMs: hiMs - silentAfterMs - 1,
  };
}

/** Whether what was read has all that this terminal has written (H8). */
function isKept(read: HubDocument, { document }: HubMemory, id: string, answered: number): boolean {
  const [known, before] = [read.members[id], document.members[id]];
  // mutant: a loss is not noticed (H8)
  return read.epoch === document.epoch && (known === undefined ? (before?.share ?? 0) === 0 : known.writes >= answered);
}

/** Whether another run has written this record since this one had its last answer (H16). */
export function isOfAnother(mine: Member | undefined, run: string, answered: number): boolean {
  return (
    mine !== undefined &&
    !mine.isRemembered &&
    !['', run].includes(mine.run) &&
    // After a loss an earlier run's record may be back.
    mine.writes > answered
  );
}

/**
 * The document to go on from: the one that was read, or, where the hub has lost something that the terminal remembers
 * (H8), one that knows all members of both. `answered` is how many writes of this terminal were answered; `windowMs` the
 * platform's window as it is set here.
 */
export function withoutLoss(
  read: HubDocument | null,
  memory: HubMemory | null,
  { id, answered, windowMs }: { readonly id: string; readonly answered: number; readonly windowMs: number },
  reading: Pick<HubReading, 'serverMs' | 'isIntact'>,
  newEpoch: () => string,
): HubDocument {
  const base = read ?? firstDocument(newEpoch(), reading, windowMs);
  if (memory === null || (read !== null && isKept(read, memory, id, answered))) {
    return base;
  }
  const lost = memory.document;
  // Another has found the loss before, or the hub was set up anew: who has written since is known best by that.
  const isAnother = base.epoch !== lost.epoch;
  const hasWrittenBack = base.restored?.epoch === lost.epoch;
  if (isAnother && hasWrittenBack && memory.version <= (base.restored?.version ?? 0)) {
    return base;
  }
  const members = Object.fromEntries(
    Object.entries({ ...base.members, ...lost.members }).map(([otherId, newest]) => {
      const now = base.members[otherId];
      const hasReturned = isAnother && now !== undefined && !now.isRemembered;
      return [otherId, hasReturned ? now : remembered(newest, base)];
    }),
  );
  // mutant: a 429 of before a loss has just come (H12)
  const lostRefusal = lost.refusal && { ...lost.refusal, ...leftOf(lost.refusal, lost.loMs), notedLoMs: base.loMs };
  const document = {
    ...base,
    epoch: isAnother ? base.epoch : newEpoch(),
    restored: { epoch: lost.epoch, version: memory.version },
    refusal: (base.refusal?.count ?? -1) >= (lost.refusal?.count ?? -1) ? base.refusal : lostRefusal,
    members,
  };
  // mutant: after a loss it is lent at once (H8)
  return { ...document, lendsFromMs: base.loMs + growAfterMs(windowOf(document, windowMs)) };
}
