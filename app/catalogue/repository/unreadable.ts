// The elements that the platform lists and this app cannot read: counted, so that nobody is told that it is not there.
//
//   X1  An element counts once for each stock, by what names it: its code, a barcode, what stands for its id, or its
//       name; one that nothing names by its place in the full listing. Of changes so many of these count as are more
//       than a full listing has shown, for nobody can tell them apart.
//   X2  It counts from the pass that showed it until a later full listing, read to its end, no longer does; or until
//       changes or an answer bring a product that is new in the copy under the same name.
//   X3  Of a stock's first few a short sample is kept, without what has the shape of a secret or of a person.
import type { UnreadableElement } from '../../platform/listing/listed.ts';
import type { ListedElement } from '../../platform/listing/listed-element.ts';
import type { Database } from '../../storage/database.ts';
import type { StockNumber } from './row-writer.ts';

/** Why an element cannot be read; `page` stands for a row whose page was never answered so that it could be. */
type WhyUnreadable = UnreadableElement['why'] | 'page';

/** One of what could not be read, for whoever looks into it. */
export interface UnreadableSample {
  readonly why: WhyUnreadable;
  /** At most 300 characters. */
  readonly text: string;
}

export interface Unreadable extends UnreadableSample {
  /** Null where nothing names it. */
  readonly identity: number | null;
}

/** Where an element stands: its row of a full listing, or of changes how many that nothing names came before it. */
export interface Place {
  readonly kind: 'full' | 'changes';
  readonly at: number;
}

const maxSamples = 5;
const maxReportedOfPage = 3;
const beyondAnyListing = 2 ** 48;

/** A row whose page cannot be read; `text` says what came instead. */
export function unreadableRow(text: string): Unreadable {
  return { identity: null, why: 'page', text };
}

/** Which rows of a pass some elements are. */
export interface PagePlace {
  readonly kind: Place['kind'];
  readonly first: number;
}

/** The elements of a page that could not be read. */
export interface Missed {
  readonly unreadable: number;
  /** Those of it that the pass had not been shown before; 0 outside any. */
  readonly skipped: number;
  /** Those of it that no pass had been shown before, for the log: at most 3. */
  readonly newlyUnreadable: readonly UnreadableSample[];
}

interface Counting {
  readonly missed: Missed;
  /** An element that cannot be read, by its row among those that are stored. */
  readonly note: (element: ListedElement, row: number) => void;
  /** One that can be, and is new in the copy. */
  readonly noteNew: (element: ListedElement) => void;
}

/** For elements that are stored ahead of their page, which counts them. */
export const noCount: Counting = {
  missed: { unreadable: 0, skipped: 0, newlyUnreadable: [] },
  note: () => undefined,
  noteNew: () => undefined,
};

export type UnreadableElements = ReturnType<typeof openUnreadable>;

/** Opens what could not be read, over catalogue.db; `stocks.unreadable` counts it. All calls throw StorageError. */
export function openUnreadable(database: Database) {
  const find = database.prepare<{ pass: number; isSampled: number }>(
    'SELECT pass, sample IS NOT NULL AS isSampled FROM unreadable_elements WHERE stock = ? AND identity = ?',
  );
  // mutant: what nothing names counts anew where changes show it (I16)
  const unnamedOf = database.prepare<{ identity: number }>(
    'SELECT identity FROM unreadable_elements WHERE stock = ? AND identity < 0 ORDER BY pass DESC, identity DESC LIMIT ?',
  );
  const insert = database.prepare(
    'INSERT INTO unreadable_elements (stock, identity, pass, why, sample) VALUES (?, ?, ?, ?, ?)',
  );
  const mark = database.prepare('UPDATE unreadable_elements SET pass = ? WHERE stock = ? AND identity = ?');
  const addSample = database.prepare(
    'UPDATE unreadable_elements SET why = ?, sample = ? WHERE stock = ? AND identity = ?',
  );
  const remove = database.prepare('DELETE FROM unreadable_elements WHERE stock = ? AND identity = ?');
  const removeBefore = database.prepare('DELETE FROM unreadable_elements WHERE stock = ? AND pass < ?');
  const count = database.prepare('UPDATE stocks SET unreadable = unreadable + ? WHERE number = ?');
  const counted = database.prepare<{ unreadable: number }>('SELECT unreadable FROM stocks WHERE number = ?');
  // By itself SQLite goes through all of a stock's, for each that comes.
  const sampled = database.prepare<{ why: WhyUnreadable; text: string }>(
    'SELECT why, sample AS text FROM unreadable_elements INDEXED BY unreadable_samples WHERE stock = ? AND sample IS NOT NULL',
  );

  /** The first ones that nothing names, so many of them, those that a pass was shown last before the others. */
  const firstUnnamed = ({ number }: StockNumber, most: number): readonly number[] =>
    unnamedOf.all(number, most).map(({ identity }) => identity);

  /** A key below zero stands for an element that nothing names. */
  function unnamed({ kind, at }: Place, known: () => readonly number[]): number {
    return kind === 'full' ? -1 - at : (known()[at] ?? -beyondAnyListing - at);
  }

  /** Notes that a pass was shown it. Answers whether the pass had not been, and whether no pass before it had. */
  function noteAs({ number }: StockNumber, element: UnreadableSample, identity: number, pass: number) {
    const { why } = element;
    const before = find.get(number, identity);
    const isFresh = before === undefined || before.pass < pass;
    const wantsSample = isFresh && before?.isSampled !== 1 && sampled.all(number).length < maxSamples;
    if (before === undefined) {
      insert.run(number, identity, pass, why, wantsSample ? element.text : null);
      // mutant: what cannot be read is not counted (I16)
      count.run(1, number);
      return { isFresh, isNew: true };
    }
    if (isFresh) {
      mark.run(pass, number, identity);
    }
    if (wantsSample) {
      addSample.run(why, element.text, number, identity);
    }
    return { isFresh, isNew: false };
  }

  /** Counts what of so many elements cannot be read; outside any pass it only says how much it is. */
  function begin(stock: StockNumber, pass: number, place: PagePlace | undefined, length: number): Counting {
    const missed = { unreadable: 0, skipped: 0, newlyUnreadable: [] as UnreadableSample[] };
    let withoutName = 0;
    let known: readonly number[] | null = null;
    let hasSome: boolean | null = null;
    return {
      missed,
      note: (element, row) => {
        missed.unreadable += 1;
        if (place === undefined) {
          return;
        }
        const read = element.unreadable;
        const at = place.kind === 'full' ? place.first + row : withoutName;
        withoutName += read.identity === null ? 1 : 0;
        const identity =
          read.identity ?? unnamed({ kind: place.kind, at }, () => (known ??= firstUnnamed(stock, length)));
        const { isFresh, isNew } = noteAs(stock, read, identity, pass);
        missed.skipped += isFresh ? 1 : 0;
        if (isNew && missed.newlyUnreadable.length < maxReportedOfPage) {
          missed.newlyUnreadable.push({ why: read.why, text: read.text });
        }
      },
      noteNew: (element) => {
        hasSome ??= place?.kind !== 'full' && (counted.get(stock.number)?.unreadable ?? 0) > 0;
        const identity = hasSome ? element.identity : null;
        if (identity !== null) {
          count.run(-remove.run(stock.number, identity).changes, stock.number); // X2
        }
      },
    };
  }

  return {
    begin,
    /** See `noteAs`. */
    note: (stock: StockNumber, element: Unreadable, pass: number, place: Place) =>
      noteAs(stock, element, element.identity ?? unnamed(place, () => firstUnnamed(stock, place.at + 1)), pass),
    /** Forgets what no pass from this one on was shown (X2). */
    forgetBefore: ({ number }: StockNumber, pass: number) => {
      count.run(-removeBefore.run(number, pass).changes, number);
    },
    /** At most 5 (X3). */
    samples: ({ number }: StockNumber): readonly UnreadableSample[] => sampled.all(number),
  };
}
