import type { Choice, Measure, OptionTable, OptionValue } from '../contract/training-panel.ts';

type ValueOf<Entry> = Entry extends { readonly of: readonly (infer Value)[] } ? Value : number;

/** The values of all options of a table, by name. */
export type OptionValues<Table extends OptionTable> = { readonly [Name in keyof Table]: ValueOf<Table[Name]> };

/** Every option of the table at its default. */
export function defaultsOf<Table extends OptionTable>(table: Table): OptionValues<Table> {
  return Object.fromEntries(
    Object.entries(table).map(([name, option]) => [name, option.default]),
  ) as OptionValues<Table>;
}

/** The values that an option can be set to, for people. */
export function boundsOf(option: Choice | Measure): string {
  return 'of' in option ? option.of.join(' | ') : `${option.from} to ${option.to}`;
}

function readOption(name: string, option: Choice | Measure, given: unknown): OptionValue {
  if ('of' in option) {
    // On a command line everything is text.
    const value = option.of.find((candidate) => candidate === given || String(candidate) === given);
    if (value !== undefined) {
      return value;
    }
  } else {
    const value = typeof given === 'string' && /^\d{1,10}$/.test(given) ? Number(given) : given;
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= option.from && value <= option.to) {
      return value;
    }
  }
  throw new RangeError(`${name} must be ${boundsOf(option)}, not ${JSON.stringify(given) ?? 'absent'}`);
}

/** Reads some of the options of a table. Throws RangeError for a name or a value that it does not have. */
export function readOptions<Table extends OptionTable>(
  table: Table,
  given: Readonly<Record<string, unknown>>,
): Partial<OptionValues<Table>> {
  const read = Object.entries(given).map(([name, value]) => {
    const option = Object.hasOwn(table, name) ? table[name] : undefined;
    if (option === undefined) {
      throw new RangeError(`there is no ${name}; there are ${Object.keys(table).join(', ')}`);
    }
    return [name, readOption(name, option, value)];
  });
  return Object.fromEntries(read) as Partial<OptionValues<Table>>;
}
