export type DialValue = string | number | boolean;

/** A choice among a few values. */
export interface Choice {
  readonly of: readonly DialValue[];
  readonly usual: DialValue;
  /** What it decides, with the section of API v3 that leaves it open. */
  readonly says: string;
}

/** A whole number within bounds, both included. */
export interface Measure {
  readonly from: number;
  readonly to: number;
  readonly usual: number;
  readonly says: string;
}

export type DialTable = Readonly<Record<string, Choice | Measure>>;

type ValueOf<Entry> = Entry extends { readonly of: readonly (infer Value)[] } ? Value : number;

/** The values of all dials of a table, by name. */
export type Dials<Table extends DialTable> = { readonly [Name in keyof Table]: ValueOf<Table[Name]> };

/** Every dial of the table at its usual value. */
export function usualDials<Table extends DialTable>(table: Table): Dials<Table> {
  return Object.fromEntries(Object.entries(table).map(([name, dial]) => [name, dial.usual])) as Dials<Table>;
}

/** What a dial can be turned to, for people. */
export function boundsOf(dial: Choice | Measure): string {
  return 'of' in dial ? dial.of.join(' | ') : `${dial.from} to ${dial.to}`;
}

function readDial(name: string, dial: Choice | Measure, given: unknown): DialValue {
  if ('of' in dial) {
    // On a command line everything is text.
    const value = dial.of.find((candidate) => candidate === given || String(candidate) === given);
    if (value !== undefined) {
      return value;
    }
  } else {
    const value = typeof given === 'string' && /^\d{1,10}$/.test(given) ? Number(given) : given;
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= dial.from && value <= dial.to) {
      return value;
    }
  }
  throw new RangeError(`${name} must be ${boundsOf(dial)}, not ${JSON.stringify(given) ?? 'absent'}`);
}

/** Reads some of the dials of a table. Throws RangeError for a name or a value that it does not have. */
export function readDials<Table extends DialTable>(
  table: Table,
  given: Readonly<Record<string, unknown>>,
): Partial<Dials<Table>> {
  const read = Object.entries(given).map(([name, value]) => {
    const dial = Object.hasOwn(table, name) ? table[name] : undefined;
    if (dial === undefined) {
      throw new RangeError(`there is no ${name}; there are ${Object.keys(table).join(', ')}`);
    }
    return [name, readDial(name, dial, value)];
  });
  return Object.fromEntries(read) as Partial<Dials<Table>>;
}
