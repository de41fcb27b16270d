//   a pass:  page ──more──▶ page … ──end──▶ over      (a full listing, or the changes since a moment)
//              │  ▲
//              ▼  │ total fell: rows moved up past the place that was read, so go back as far as they can have moved
//            back─┘
//
//   P1  A pass ends: at an empty page, at a page beyond the last one that is refused, at a page that is not the one
//       asked for, when the platform says so by its last page and its total alike, after three pages in a row without a
//       row that the pass had not seen, or at the limit of pages.
//   P2  A row that moved to an earlier page because others vanished is read all the same.
//   P3  A pass that was cut off, or jumped over a row that could not be read, is not whole. Nor is one over changes that
//       came by fewer rows than the platform ever counted meanwhile: one has moved up past the place that was read. It is
//       read again as often as `maxShortPasses`; then that is how this platform counts.
import { z } from 'zod';
import { stockRefusals } from '../../contract/terminal-state.ts';

/** API v3 §8: at most 100 a page. */
const largestPage = 100;
/** Around a page that cannot be read, before single rows. */
const narrowPage = 10;
const maxPages = 50_000;
const maxRepeatedPages = 3;

const count = z.number().int().nonnegative();

const passSchema = z.strictObject({
  /** Rises with every pass of this stock. */
  pass: count,
  /** Rows of the listing before the next page; a multiple of perPage. */
  offset: count,
  perPage: z.number().int().min(1).max(largestPage),
  /** The page size that the platform grants. */
  granted: z.number().int().min(1).max(largestPage),
  /** As of the last page. */
  total: count.nullable(),
  lastPage: count,
  /** Up to where the listing was read, and the total at that time. */
  furthest: count,
  furthestTotal: count.nullable(),
  pagesRead: count,
  received: count,
  /** The smallest total so far: rows that came meanwhile come with the next pass. */
  leastTotal: count.default(0),
  /** Rows that this pass came by for the first time. */
  distinct: count.default(0),
  /** Rows that no pass since this one began had seen before. */
  seen: count,
  skipped: count,
  repeatedPages: count,
  isWhole: z.boolean(),
  /** True while the total never changed. */
  isSteady: z.boolean(),
  /** When its first page was asked for, by this machine's clock. */
  startedAt: z.number(),
  /** The moment from which a later pass must ask for changes, by the platform's clock; null before the first page. */
  nextSince: z.number().nullable(),
  /** For a pass over changes: the moment that it asks from; null for a full listing. */
  since: z.number().nullable(),
});
/** One reading of a listing, page by page. */
export type Pass = z.infer<typeof passSchema>;

export const progressSchema = z.strictObject({
  /** The highest number given to a pass. */
  lastPass: count,
  full: passSchema.nullable(),
  changes: passSchema.nullable(),
  /** A full listing that is over, until a pass over the changes since its start has followed it. */
  ended: passSchema.nullable(),
  sweep: z.strictObject({ pass: count, position: count, trustsPass: z.boolean() }).nullable(),
  /** Where the next pass over changes starts, by the platform's clock; null before the first page ever. */
  since: z.number().nullable(),
  /** By this machine's clock: when the copy was known to be complete, changes were read, and how long that took. */
  completeAsOf: z.number().nullable(),
  /** How the platform refused it, twice in a row; null once any page has come. */
  refused: z.enum(stockRefusals).nullable().default(null),
  changesAt: z.number().nullable(),
  /** When the last full listing that came to its end began. */
  listedAt: z.number().nullable().default(null),
  changesTookMs: z.number(),
  /** Passes over changes in a row that came by fewer rows than the platform counted. */
  changesShort: count.default(0),
  /** When the next full listing is due, by this machine's clock; null for now. */
  nextFullAt: z.number().nullable(),
  /** Whether it may wait for quiet hours; one that is read again because the last was poor may not. */
  waitsForQuiet: z.boolean().default(false),
  /** As of the last full listing. */
  total: count.nullable(),
  /** The last full listing was short of its total; it is read again once, then that is how this platform counts. */
  isKnownShort: z.boolean(),
  /** By how many. */
  shortBy: count.default(0),
  /** The last full listing missed more than half of the copy, and is not believed before another one does too. */
  isDoubted: z.boolean(),
  /** The store's offset from UTC, once an element has shown it. */
  offsetMinutes: z.number().int().nullable(),
});
export type Progress = z.infer<typeof progressSchema>;

/** Before anything was copied. */
export const noProgress: Progress = {
  lastPass: 0,
  full: null,
  changes: null,
  ended: null,
  sweep: null,
  since: null,
  completeAsOf: null,
  refused: null,
  changesAt: null,
  listedAt: null,
  changesTookMs: 0,
  changesShort: 0,
  nextFullAt: null,
  waitsForQuiet: false,
  total: null,
  isKnownShort: false,
  shortBy: 0,
  isDoubted: false,
  offsetMinutes: null,
};

/** Begins a pass; `since` is null for a full listing. */
export function beginPass(pass: number, startedAt: number, since: number | null): Pass {
  const nothingRead = {
    offset: 0,
    total: null,
    lastPage: 0,
    furthest: 0,
    furthestTotal: null,
    pagesRead: 0,
    received: 0,
    leastTotal: 0,
    distinct: 0,
    seen: 0,
    skipped: 0,
    repeatedPages: 0,
  };
  return {
    ...nothingRead,
    pass,
    perPage: largestPage,
    granted: largestPage,
    isWhole: true,
    isSteady: true,
    startedAt,
    nextSince: null,
    since,
  };
}

/** The number of the page that a pass reads next, from 1. */
export function nextPageOf(pass: Pass): number {
  return pass.offset / pass.perPage + 1;
}

/** How many pages a pass still has before it; null before its first. */
export function pagesLeftOf(pass: Pass): number | null {
  return pass.total === null ? null : Math.max(1, Math.ceil((pass.total - pass.offset) / pass.granted));
}

/**
 * The pages that come next if nothing moves, the very next first: beyond that only whole ones which the last answer, by
 * its last page and its total alike, said exist.
 */
export function comingPages(pass: Pass, most: number): readonly number[] {
  const next = nextPageOf(pass);
  const last =
    pass.total === null || pass.perPage !== pass.granted
      ? next
      : Math.min(pass.lastPage, Math.ceil(pass.total / pass.perPage));
  return Array.from({ length: Math.max(1, Math.min(most, last - next + 1)) }, (_, place) => next + place);
}

/** The result of asking for a page. */
export interface PageRead {
  readonly elements: number;
  readonly currentPage: number;
  readonly lastPage: number;
  readonly perPage: number;
  readonly total: number;
  readonly fresh: number;
  readonly newlySeen: number;
  readonly skipped: number;
}

/** The largest page that begins at a place of the listing. */
function pageSizeAt(offset: number, granted: number): number {
  if (offset % granted === 0) {
    return granted;
  }
  return granted % narrowPage === 0 && offset % narrowPage === 0 ? narrowPage : 1;
}

/** Goes on from the page that was asked for. P1 to P3. */
export function advance(before: Pass, read: PageRead): { readonly pass: Pass; readonly isOver: boolean } {
  const asked = nextPageOf(before);
  const isNewGround = before.offset >= before.furthest;
  const repeatedPages = read.fresh + read.skipped > 0 ? 0 : before.repeatedPages + 1;
  const pass: Pass = {
    ...before,
    total: read.total,
    lastPage: read.lastPage,
    pagesRead: before.pagesRead + 1,
    received: before.received + read.elements,
    leastTotal: Math.min(before.total === null ? read.total : before.leastTotal, read.total),
    distinct: before.distinct + read.fresh,
    seen: before.seen + read.newlySeen,
    skipped: before.skipped + read.skipped,
    repeatedPages: isNewGround ? repeatedPages : before.repeatedPages,
    isSteady: before.isSteady && (before.total ?? read.total) === read.total,
  };
  const gotAll = pass.received >= read.total;
  // mutant: a row that moved to an earlier page is lost (I15)
  const fell = isNewGround ? Math.max(0, (before.furthestTotal ?? read.total) - read.total) : 0;
  // An empty page of a total that fell is where a row was that has moved up (P2).
  if (read.currentPage !== asked || (read.elements === 0 && (fell === 0 || before.offset === 0))) {
    return { pass, isOver: true };
  }
  if (pass.repeatedPages >= maxRepeatedPages || pass.pagesRead >= maxPages) {
    return { pass: { ...pass, isWhole: false }, isOver: true };
  }
  if (read.perPage >= 1 && read.perPage < before.perPage) {
    // The platform grants smaller pages than were asked for: count in those, from a place that is surely not beyond
    // this page.
    const granted = read.perPage;
    const place = asked === 1 ? granted : Math.floor(before.offset / granted) * granted;
    const isOver = asked === 1 && read.lastPage <= 1 && gotAll;
    return {
      pass: {
        ...pass,
        granted,
        perPage: granted,
        offset: place,
        furthest: Math.max(pass.furthest, place),
        furthestTotal: read.total,
      },
      isOver,
    };
  }
  if (read.perPage > before.perPage && before.perPage < before.granted) {
    // It does not grant the small pages of `narrow`, so this was another part of the listing.
    return {
      pass: { ...pass, perPage: pass.granted, offset: Math.floor(before.offset / pass.granted) * pass.granted },
      isOver: false,
    };
  }
  const end = before.offset + before.perPage;
  const ground = isNewGround ? { furthest: Math.max(before.furthest, end), furthestTotal: read.total } : {};
  if (fell > 0 && before.offset > 0) {
    // Only from new ground, so that each step back is paid for by a page forward.
    const offset = Math.max(0, Math.floor((before.offset - fell) / pass.granted) * pass.granted);
    return { pass: { ...pass, ...ground, offset, perPage: pass.granted }, isOver: false };
  }
  return {
    pass: { ...pass, ...ground, offset: end, perPage: pageSizeAt(end, pass.granted) },
    // mutant: a full listing is over with the page before its last (I15, I16)
    isOver: asked >= read.lastPage && gotAll,
  };
}

/** Reads an earlier page once more, as if for the first time: only its answer tells by how much the total fell (P2). */
export function stepBack(pass: Pass, page: number): Pass {
  const offset = (page - 1) * pass.perPage;
  return { ...pass, offset, furthest: Math.min(pass.furthest, offset), repeatedPages: 0 };
}

/** Asks for smaller pages around one that cannot be read; a single row that cannot be read is jumped over (P3). */
export function narrow(pass: Pass): Pass {
  if (pass.perPage === 1) {
    const offset = pass.offset + 1;
    return {
      ...pass,
      offset,
      perPage: pageSizeAt(offset, pass.granted),
      furthest: Math.max(pass.furthest, offset),
      skipped: pass.skipped + 1,
      received: pass.received + 1,
      pagesRead: pass.pagesRead + 1,
      isWhole: false,
    };
  }
  return { ...pass, perPage: pass.perPage > narrowPage && pass.granted % narrowPage === 0 ? narrowPage : 1 };
}
