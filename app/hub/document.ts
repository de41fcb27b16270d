// The document that the terminals of one account share: who is a member, how many slots each may use, who waits.
//
// The problem: several terminals share the limit of one account. Each may be cut off, sleep or die at any moment, and
// the hub may be restored from a backup. Why the plain ways fail:
// - Equal parts for all leave unused what a terminal at rest does not need.
// - A counter at the hub stops every terminal when the hub is out of reach, and is too low after a backup.
// - A lease that ends by a wall clock ends early for a terminal whose clock is ahead: two then use the same slot.
//
// A terminal may let `rights` slots count at a time. Each changes its own record alone, so a right has one holder:
//
//   hub's pool ──a member takes one more──▶ its rights ──no slot of it counts any more──▶ the pool
//
// Invariants, cited by the tests:
//   H1  The holdings of all members are the limit at most. A member holds its rights, and its share once it is silent.
//       The shares are the limit at most, too: so all may be cut off at once.
//   H2  A member lowers its rights and its share before it writes so, and raises them after the write is answered. It
//       never holds fewer rights than slots of it count.
//   H3  Rights of a member that has not written for `reclaimAfterMs` are its own ones again: what it was lent has left
//       and come to its end by then.
//   H5  Hub time has two clocks. `loMs` is never ahead of the time that has passed since the document was made, and
//       takes rights away; `hiMs` is never behind it, and finds who is silent. They follow the server's clock and the
//       caller's uptime: the slower and the faster of both.
//   H8  A member whose last write is missing knows that the hub has lost something. It writes back what it remembers,
//       and nothing is lent for `growAfterMs`: by then all that was lent before has come to its end.
//   H11 Whose turn it is, the terminal's own scheduler says, over the waiters of all members. Of members that wait in
//       the same background lane the one that holds least goes first.
//   H13 Once half of the limit is used, the catalogue of all members goes at one even pace, but for what it is owed.
//   H14 A member whose record says nothing new writes it at a moment of its own, apart from all others'.
//   H15 While few slots are free, figures are gathered: whoever has the turn asks for those of all that wait by one
//       listing, and the others wait on until an answer is there.
//   H16 Two terminals with one id, of which one has the other's data folder, come apart: the one that finds what another
//       run has written over its record holds nothing more, and joins with an id of its own. Until then whoever starts
//       keeps the rights of the record that it finds.
//   H17 Once every member says at which accounts its requests count, only those that name one in common share the limit. A
//       member that comes to another account brings no right along, and stays at the one before until its slots are over.
//   L1  While the hub answers, no person waits a second while a right is free: the records name nobody who has got what
//       it waited for, all terminals order the waiters by the records alone, and as many go as rights are free.
import { z } from 'zod';
import { idSchema } from '../contract/basics.ts';
import type { Id } from '../domain/int64.ts';
import { addLanes, lanes, usedOf, type ByLane, type Lane } from '../rate-limit/lanes.ts';
import { latestArrivalMs, maxWindowMs, windowMs as documentedWindowMs } from '../rate-limit/rules.ts';
import { isUrgent } from '../rate-limit/scheduler.ts';
import { maxAccounts, togetherWith, type Accounts } from './accounts.ts';
import { inTurn, turnOf, type Wanted } from './hub-turns.ts';

/** A ticket is used so long after it was asked for at most, in milliseconds. */
export const ticketLastsMs = 5_000;
/** A slot that was granted leaves within this time, and is then answered or abandoned within as long again. */
export const leaveWithinMs = 20_000;
/** A call to the hub is given up after this time; one exchange makes two. */
export const callTimeoutMs = 2_000;
/** Every member writes at least so often. */
export const heartbeatMs = 10_000;
/** A member from whom nothing was heard for so long is silent: its share is kept for it. */
export const silentAfterMs = 25_000;
/** Clocks of two machines drift apart by less than this in the times below. */
const driftMs = 15_000;
/** How long after it was asked for a lent slot surely counts no more, with the window of `windowOf` (H3). */
export function reclaimAfterMs(windowMs: number): number {
  // mutant: what was lent is over by a window of sixty seconds (H1, H3)
  return ticketLastsMs + 2 * leaveWithinMs + latestArrivalMs + windowMs + driftMs;
}
/**
 * A member that is cut off for so long uses its share: all others know of it by then, and what they were lent is over.
 * With the window of `windowOf`.
 */
export function growAfterMs(windowMs: number): number {
  return silentAfterMs + 2 * callTimeoutMs + reclaimAfterMs(windowMs) + driftMs;
}
/** Another member's wish to send keeps a person waiting for so long at most. */
const wantLastsMs = 5_000;
/** While a person waits its record is written so often, for others forget who waits. */
const sayAgainMs = 2_000;
/** Two readings of when somebody came differ by less than this. */
const sameWaiterMs = 1_000;
/** A raised share is used only when it has been kept for so long: by then the others know of it. */
export const shareSettlesMs = 3 * heartbeatMs;

const time = z.number();
const count = z.number().int().nonnegative();
/** Far above any limit; the sum of all that a document has can be shown. */
const slots = count.max(1_000_000);
const byLane = z.object({ session: slots, person: slots, queue: slots, catalogue: slots });
const text = z.string().max(200);

/** Nobody has written or been refused so often; whoever has the key may say so. A number beyond JavaScript's could not be read. */
export const maxCount = 1_000_000_000_000_000;
/** After the last one it begins again. */
export const nextCount = (last: number): number => (last < maxCount ? last + 1 : 1);

/** So many figures a record names at most. */
export const maxFigures = 4;
const figure = z.object({ scope: z.string().max(50), productId: idSchema });
const memberSchema = z.object({
  name: text,
  appVersion: text,
  /** How many of its slots may count. */
  rights: slots,
  /** Of these, what it keeps for persons without asking. */
  own: slots,
  /** The slots that it may use when it is cut off. */
  share: slots,
  /** Its slots that counted when it wrote. */
  held: byLane,
  /** The platform's window as it is set at this terminal; an earlier version says and counts 60 s. */
  windowMs: time.max(maxWindowMs).default(documentedWindowMs),
  /**
   * Lanes in which it waits for a slot, and since when, in hub time; a spare want is one that can do without. An earlier
   * version that writes drops that word until this terminal writes again, as it does the figures for which it waits.
   */
  wants: z
    .array(
      z.object({
        lane: z.enum(lanes),
        sinceMs: time,
        isSpare: z.boolean().optional(),
        /** Where it waits for nothing else, so that one listing may answer it and others (H15). */
        figures: z.array(figure).max(maxFigures).optional(),
      }),
    )
    .max(lanes.length),
  /** Counts its writes. */
  writes: count,
  /** Another one for each process that writes; an earlier version says none, and drops it when it writes. */
  run: text.default(''),
  writtenLoMs: time,
  writtenHiMs: time,
  /** When the last answer that it got was given. */
  heardHiMs: time,
  /** Another has written it back after a loss. */
  isRemembered: z.boolean(),
  /** At which accounts its requests count; null, as an earlier version says: at all (H17). */
  countsAt: z.array(text).max(maxAccounts).nullable().default(null),
  /** When it was last lent a turn for the catalogue and for a figure, in `loMs` (H13, H15). */
  catalogueMs: time.default(0),
  figuresMs: time.default(0),
  /** It reads rows (sealed-document.ts); an earlier version says nothing of it, and drops it when it writes. */
  readsRows: z.boolean().default(false),
});
const refusalSchema = z.object({
  /** Counts the refusals of the account. */
  count,
  notedLoMs: time,
  pauseMs: time,
  sharing: z.object({ from: time, peak: time, growsInMs: time, refusedForMs: time }).nullable(),
});

/** No id of a terminal is a name that every object has; whoever has the key may write one. */
export const isMemberId = (id: string): boolean => !(id in {});

const documentSchema = z.object({
  format: z.literal(1),
  /** Another one each time that something was lost. */
  epoch: text,
  /** The epoch and version from which this epoch was written back. */
  restored: z.object({ epoch: text, version: z.number() }).nullable(),
  serverMs: time,
  loMs: time,
  hiMs: time,
  /** Nothing is lent before this, in `loMs`. */
  lendsFromMs: time,
  refusal: refusalSchema.nullable().transform((one) => (one !== null && one.count > maxCount ? null : one)),
  /** When the catalogue was last lent a turn, in `loMs`; an earlier version drops it when it writes (H13). */
  catalogueMs: time.default(0),
  /** And a turn for a figure (H15), likewise. */
  figuresMs: time.default(0),
  members: z
    .record(text, memberSchema)
    .transform((all) => Object.fromEntries(Object.entries(all).filter(([id]) => isMemberId(id)))),
});

/** The document without its members, which lie in rows; `rows` is the sum of their tags. */
const headerSchema = documentSchema.omit({ members: true }).extend({ format: z.literal(2), rows: text });

export type Member = z.infer<typeof memberSchema>;
export type HubDocument = z.infer<typeof documentSchema>;

/** The document in a text, or null when it is none that this version knows. */
export function parseDocument(value: unknown): HubDocument | null {
  return documentSchema.safeParse(value).data ?? null;
}

/** The header in a text, or null when it is none that this version knows. */
export function parseHeader(value: unknown): z.infer<typeof headerSchema> | null {
  return headerSchema.safeParse(value).data ?? null;
}

/** A member's record, or null when it is none that this version knows. */
export function parseMember(value: unknown): Member | null {
  return memberSchema.safeParse(value).data ?? null;
}

/** So many rights each member keeps for persons without asking, when there are so many members. */
function ownOf(members: number): number {
  const few = [
    [2, 3],
    [4, 2],
    [10, 1],
  ] as const;
  return few.find(([upTo]) => members <= upTo)?.[1] ?? 0;
}

/** Both clocks of the hub at a moment. */
export interface HubTime {
  readonly loMs: number;
  readonly hiMs: number;
}

/** A process's knowledge of the hub's time: both clocks as they were at an uptime of its own. */
export interface TimeBase extends HubTime {
  readonly uptimeMs: number;
}

/** The hub's time at a reading; `base` is null for a process that has read nothing in this epoch yet (H5). */
export function hubTimeAt(document: HubDocument, serverMs: number, uptimeMs: number, base: TimeBase | null): HubTime {
  const serverPassedMs = serverMs - document.serverMs;
  if (base === null) {
    // The server's clock alone proves nothing. All others are taken for silent until they write.
    const hiMs = document.hiMs + Math.max(0, serverPassedMs) + silentAfterMs + 1;
    return { loMs: document.loMs, hiMs };
  }
  const passedMs = uptimeMs - base.uptimeMs;
  // mutant: the hub's time is its server's clock (H5)
  const loMs = Math.max(document.loMs, Math.min(document.loMs + serverPassedMs, base.loMs + passedMs));
  // mutant: a clock that was set back hides who is silent (H5)
  const hiMs = Math.max(loMs, document.hiMs + Math.max(0, serverPassedMs), base.hiMs + passedMs);
  return { loMs, hiMs };
}

/**
 * The window in which slots count, in milliseconds: the longest that is set at any member, or here. All count by it, for
 * they share one limit, and the member with the longest is the one who must not be proved wrong.
 */
export function windowOf(document: HubDocument | null, setMs: number): number {
  // mutant: the windows that other terminals have set do not count (H1)
  return Math.max(setMs, ...Object.values(document?.members ?? {}).map((member) => member.windowMs));
}

/** Whether what the member was lent is over (H3). */
export function isReclaimed(member: Member, { loMs }: HubTime, windowMs: number): boolean {
  // mutant: what was lent is over at once when nobody says so (H3)
  return loMs - member.writtenLoMs > reclaimAfterMs(windowMs);
}

/** The rights that are surely its own still: of its share, by which a person sees and removes it. */
function rightsOf(member: Member, now: HubTime, windowMs: number): number {
  return isReclaimed(member, now, windowMs) ? Math.min(member.own, member.share, member.rights) : member.rights;
}

/** The part of the limit that this member stands for (H1). */
export function holding(member: Member, now: HubTime, windowMs: number): number {
  const rights = rightsOf(member, now, windowMs);
  // mutant: nothing is kept for who is cut off (H1)
  return now.hiMs - member.heardHiMs > silentAfterMs ? Math.max(rights, member.share) : rights;
}

/** A silent member that is gone for good: what it was lent is over in its time, and nothing more is kept for it. */
function withoutShare(member: Member, { hiMs }: HubTime): Member {
  return hiMs - member.writtenHiMs > silentAfterMs ? { ...member, own: 0, share: 0 } : member;
}

/** A terminal's report of itself in an exchange. */
export interface Report {
  readonly id: string;
  readonly name: string;
  readonly appVersion: string;
  /** Slots that count now. */
  readonly held: ByLane;
  readonly wants: readonly (Omit<Member['wants'][number], 'sinceMs'> & { readonly waitedMs: number })[];
  /** The account's limit as it is after refusals, and as the rules name it. */
  readonly limit: number;
  readonly wholeLimit: number;
  readonly reserve: number;
  /** The platform's window as it is set here, in milliseconds. */
  readonly windowMs: number;
  /**
   * `closing`: others may use what it does not need for a start without a hub; `leaving`: it takes part no more, and
   * others may use all; `moving`: it goes on by another hub, which keeps the others' shares as this one keeps its own (H1).
   */
  readonly ending: 'closing' | 'leaving' | 'moving' | null;
  /** Terminals of which a person has said that they are gone for good; those that are not silent stay. */
  readonly removed: readonly string[];
  /** Counts its writes, this one too. */
  readonly writes: number;
  readonly run: string;
  readonly heardHiMs: number;
  /** Its process has only begun to measure the hub's time: it is lent nothing. */
  readonly isFirst: boolean;
  readonly countsAt: Accounts;
  /** What its record has was lent to it at other accounts than these (H17). */
  readonly isNewcomer: boolean;
  /** Another run may go on that has the record's rights (H16): they are kept, and not used here. */
  readonly keepsRights: boolean;
}

/** The slots that a terminal may use, as the document says with its next version. */
export interface Plan {
  readonly document: HubDocument;
  readonly rights: number;
  readonly own: number;
  readonly share: number;
  readonly countsAt: Accounts;
  /** The lanes in which its record says that somebody waits. */
  readonly wants: readonly Lane[];
  /** The lane for whose waiter one of the rights is lent; null when none is. */
  readonly lent: Lane | null;
  /** Whether somebody may go now: then the turn comes round soon. */
  readonly isFree: boolean;
  /** How long this terminal, which is the first, has to wait for an even pace alone, in milliseconds (H13, H15). */
  readonly pacedForMs: number;
  /** In so many milliseconds something is lent again at the earliest; 0 unless something was lost (H8). */
  readonly lendsInMs: number;
}

/** Products of this scope whose figures other members wait for, the latest first. */
export function figuresWanted(
  document: HubDocument | undefined,
  selfId: string,
  scope: string,
  now: HubTime | null,
): Id[] {
  return Object.entries(document?.members ?? {})
    .filter(([id, { writtenHiMs }]) => id !== selfId && now !== null && now.hiMs - writtenHiMs <= wantLastsMs)
    .flatMap(([, { wants }]) => wants)
    .toSorted((left, right) => right.sinceMs - left.sinceMs)
    .flatMap(({ figures = [] }) => figures.filter((one) => one.scope === scope))
    .map(({ productId }) => productId);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** How many of the rights for persons are unused: their slots are on these first. */
function unusedOf(held: ByLane, own: number): number {
  return Math.max(0, own - held.person - held.session);
}

/** How many rights a terminal needs, with so many for persons (H2). */
export function neededFor(held: ByLane, own: number): number {
  return usedOf(held) + unusedOf(held, own);
}

/**
 * When a member writes its unchanged record again, next after this moment, in `hiMs`. The members' moments lie evenly
 * apart: at random ones two would often write at once, and one of them for nothing.
 */
export function saysAgainAtMs({ members }: HubDocument, id: string, afterMs: number): number {
  const everyMs = members[id]?.wants.some(isUrgent) === true ? sayAgainMs : heartbeatMs;
  const ids = Object.keys(members).toSorted();
  // mutant: all members write at the same moments (H14)
  const ownMs = Math.floor((everyMs * ids.indexOf(id)) / ids.length);
  return ownMs + everyMs * (Math.floor((afterMs - ownMs) / everyMs) + 1);
}

function waitersOf(id: string, { wants, held }: Pick<Member, 'wants' | 'held'>): Wanted[] {
  return wants.map(({ lane, sinceMs, isSpare, figures = [] }) => ({
    id,
    lane,
    sinceMs,
    isSpare,
    isFigure: figures.length > 0,
    held: held[lane],
  }));
}

/** Since when this member waits: as its record says, unless somebody else of it waits now. */
function sinceOf(mine: Member | undefined, lane: Lane, sinceMs: number): number {
  const written = mine?.wants.find((want) => want.lane === lane)?.sinceMs;
  // The others go by the record. Hub time is read with an error of some milliseconds each time, so that of two who came
  // together each would take the other for the newer, and neither would go (L1).
  // mutant: each till counts anew since when it waits (L1)
  return written !== undefined && Math.abs(written - sinceMs) <= sameWaiterMs ? written : sinceMs;
}

/** What is kept of its share for a terminal that ends; `least` is what a start without the hub needs. */
function leftTo(ending: Report['ending'], share: number, least: number): number {
  // mutant: who moves to another hub gives its share back (H1)
  if (ending === null || ending === 'moving') {
    return share;
  }
  return ending === 'leaving' ? 0 : Math.min(least, share);
}

export type OtherMember = readonly [id: string, member: Member];

/** Those of the others that share one limit with who counts at these accounts (H17). */
export function togetherOf(countsAt: Accounts, others: readonly OtherMember[]): readonly OtherMember[] {
  const isTogether = togetherWith(
    countsAt,
    others.map(([, other]) => other),
  );
  // mutant: tills of all accounts share one limit (H17)
  return others.filter(([, other]) => isTogether(other));
}

/** The others of this document that share one limit with this member (H17). */
export function othersTogether(document: HubDocument | null, selfId: string): readonly OtherMember[] {
  const { [selfId]: mine, ...others } = document?.members ?? {};
  return togetherOf(mine?.countsAt ?? null, Object.entries(others));
}

/** When the members that count together had their last turns. */
function lastTurnsOf(
  { catalogueMs, figuresMs }: HubDocument,
  mine: Member | undefined,
  others: readonly OtherMember[],
  all: number,
): Pick<HubDocument, 'catalogueMs' | 'figuresMs'> {
  const some = [...(mine === undefined ? [] : [mine]), ...others.map(([, other]) => other)];
  return others.length === all
    ? { catalogueMs, figuresMs }
    : {
        catalogueMs: Math.max(0, ...some.map((one) => one.catalogueMs)),
        figuresMs: Math.max(0, ...some.map((one) => one.figuresMs)),
      };
}

/** The record that a terminal writes of itself at this moment, and the slot that it is lent with it. */
export function planExchange(document: HubDocument, serverMs: number, now: HubTime, report: Report): Plan {
  const { id, held, wholeLimit } = report;
  const mine = document.members[id];
  // mutant: who comes to another account brings its rights along (H17)
  const known = report.isNewcomer ? undefined : mine;
  const countsForMs = windowOf(document, report.windowMs);
  const everyOther = Object.entries(document.members)
    .map(([otherId, other]) => [otherId, report.removed.includes(otherId) ? withoutShare(other, now) : other] as const)
    .filter(
      ([otherId, other]) =>
        otherId !== id &&
        !(other.share === 0 && holding(other, now, countsForMs) === 0 && isReclaimed(other, now, countsForMs)),
    );
  const others = togetherOf(report.countsAt, everyOther);
  const heldByOthers = sum(others.map(([, other]) => holding(other, now, countsForMs)));
  const lendsInMs = Math.max(0, document.lendsFromMs - now.loMs);
  const isSettled = lendsInMs === 0; // H8
  const evenShare = Math.floor(wholeLimit / (others.length + 1));
  // Of more members than slots half as many as slots have one each. Were all slots shares, those of members that are off
  // would leave the others nothing.
  const forShares = evenShare === 0 ? Math.floor(wholeLimit / 2) : wholeLimit;
  const shareLeft = forShares - sum(others.map(([, other]) => other.share));
  // mutant: all shares rise at once (H1)
  const fairShare = Math.max(0, Math.min(Math.max(1, evenShare), shareLeft));
  const settledShare = isSettled ? fairShare : Math.min(fairShare, known?.share ?? 0);
  const fairOwn = Math.min(ownOf(others.length + 1), settledShare);
  // Of more members than slots nothing is kept for one that has ended: another takes its share.
  const share = leftTo(report.ending, settledShare, Math.max(fairOwn, Math.min(1, evenShare)));
  // Rights rise only into what nobody holds. What is kept for its own share may be lent still, so it is not counted on.
  const most = Math.max(
    isSettled ? wholeLimit - heldByOthers : 0,
    known === undefined ? 0 : rightsOf(known, now, countsForMs),
  );
  const own = Math.min(fairOwn, share, held.person + held.session + Math.max(0, most - usedOf(held)));
  const needed = neededFor(held, own);
  const wants = report.wants.map(({ waitedMs, ...want }) => ({
    ...want,
    sinceMs: sinceOf(mine, want.lane, now.loMs - waitedMs),
  }));

  const counted = [
    { held, own },
    ...others.map(([, other]) => other).filter((other) => !isReclaimed(other, now, countsForMs)),
  ];
  const heldByAll = counted.map((one) => one.held).reduce(addLanes);
  // A slot that is held and does not count narrows the limit, so that the scheduler sees what is free.
  // mutant: what is held and does not count is free (H1)
  const idle = heldByOthers + needed - usedOf(heldByAll);
  // Background work waits for other terminals' as long as those are not silent: so they need not write often. While a
  // person waits anywhere it does not, for a terminal that has ended would keep a right from them for as long.
  const hasPerson =
    wants.some(isUrgent) ||
    others.some(([, other]) => now.hiMs - other.writtenHiMs <= wantLastsMs && other.wants.some(isUrgent));
  const backgroundLastsMs = hasPerson ? wantLastsMs : silentAfterMs;
  const waiting = inTurn([
    ...others.flatMap(([otherId, other]) =>
      waitersOf(otherId, other).filter(
        (one) => now.hiMs - other.writtenHiMs <= (isUrgent(one) ? wantLastsMs : backgroundLastsMs),
      ),
    ),
    ...waitersOf(id, { wants, held }),
  ]);
  const state = {
    limit: report.limit - idle,
    wholeLimit: wholeLimit - 3 * idle,
    // A terminal whose own are used finds as many for its persons as it would alone.
    reserve: Math.max(0, report.reserve - Math.min(...counted.map((one) => unusedOf(one.held, one.own)))),
    held: heldByAll,
    nowMs: now.loMs,
  };
  const { first, next, pacedForMs } = turnOf(id, waiting, state, {
    ...lastTurnsOf(document, mine, others, everyOther.length),
    nowMs: now.loMs,
    windowMs: countsForMs,
    wholeLimit,
    members: others.length + 1,
  });
  // mutant: the quickest takes the turn (H11)
  const lent = next?.id === id && isSettled && !report.isFirst ? next.lane : null;
  // mutant: who copied last is forgotten (H13)
  const catalogueMs = lent === 'catalogue' ? now.loMs : document.catalogueMs;
  const figuresMs = lent !== null && next?.isFigure === true ? now.loMs : document.figuresMs;
  const turnsNow = {
    catalogueMs: lent === 'catalogue' ? now.loMs : (mine?.catalogueMs ?? 0),
    figuresMs: lent !== null && next?.isFigure === true ? now.loMs : (mine?.figuresMs ?? 0),
  };
  const rights = needed + (lent === null ? 0 : 1);
  // mutant: a start gives back what another run with its id has under way (H16)
  const kept = report.keepsRights && mine !== undefined ? rightsOf(mine, now, countsForMs) : 0;
  // mutant: an answer that was not believed counts as heard (H6)
  const member: Member = {
    name: report.name,
    appVersion: report.appVersion,
    rights: Math.max(rights, kept),
    own,
    share,
    held: { ...held },
    windowMs: report.windowMs,
    // Whom it is lent for waits no more; whoever is left asks again at once. So it need not be written once more (L1).
    wants: wants.filter(({ lane }) => lane !== lent),
    writes: report.writes,
    run: report.run,
    writtenLoMs: now.loMs,
    writtenHiMs: now.hiMs,
    heardHiMs: report.heardHiMs,
    isRemembered: false,
    countsAt: report.countsAt === null ? null : [...report.countsAt],
    ...turnsNow,
    readsRows: true,
  };
  return {
    document: {
      ...document,
      ...now,
      serverMs,
      catalogueMs,
      figuresMs,
      members: Object.fromEntries([...everyOther, [id, member]]),
    },
    rights,
    own,
    share,
    countsAt: member.countsAt,
    wants: member.wants.map(({ lane }) => lane),
    lent,
    isFree: first !== undefined,
    pacedForMs,
    lendsInMs,
  };
}
