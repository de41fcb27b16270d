// Reading the query of a request: each reader answers a value and takes note of what is wrong, for one 422 that names
// all of it (API v3 §7).
import { readDateTime } from './date-times.ts';
import { problem, refuse, refuseFields, type PlatformAnswer, type Problem } from './answers.ts';
import type { Readings } from './readings.ts';

const largestId = 2n ** 63n - 1n;

/** Reads decimal digits as an int64; null when they are none. */
export function readId(text: string): bigint | null {
  return /^\d{1,19}$/.test(text) && BigInt(text) <= largestId ? BigInt(text) : null;
}

/** Reads ids with commas between; null where one of them is none. */
function readIds(text: string): ReadonlySet<bigint> | null {
  const ids = text.split(',').map((part) => readId(part.trim()));
  return ids.every((id) => id !== null) ? new Set(ids) : null;
}

const flags = new Map(Object.entries({ true: true, 1: true, false: false, 0: false }));

export class Query {
  readonly #parameters: URLSearchParams;
  readonly problems: Problem[] = [];

  constructor(parameters: URLSearchParams) {
    this.#parameters = parameters;
  }

  text(name: string): string | null {
    const value = this.#parameters.get(name)?.trim();
    return value === undefined || value === '' ? null : value;
  }

  /** The value as `read` has it; null where there is none, or one that it refuses, which is then noted. */
  #read<Value>(
    name: string,
    read: (text: string) => Value | null,
    type: string,
    expected: readonly string[] = [],
  ): Value | null {
    const text = this.text(name);
    const value = text === null ? null : read(text);
    if (text !== null && value === null) {
      this.problems.push(problem(name, type, expected));
    }
    return value;
  }

  oneOf<Choice extends string>(name: string, choices: readonly Choice[]): Choice | null {
    return this.#read(name, (text) => choices.find((choice) => choice === text) ?? null, 'in', choices);
  }

  /** The page, which has no upper bound, and the items per page of a listing (API v3 §8). */
  paging(): { readonly page: bigint; readonly perPage: number } {
    return {
      page: this.#wholeNumber('page', 1n, null, 1n),
      perPage: Number(this.#wholeNumber('per_page', 1n, 100n, 30n)),
    };
  }

  #wholeNumber(name: string, minimum: bigint, maximum: bigint | null, fallback: bigint): bigint {
    const value = this.text(name);
    if (value === null) {
      return fallback;
    }
    // API v3 calls both numbers: 2.0 is one, too.
    const digits = /^[+]?(-?\d{1,1000})(?:\.0{1,20})?$/.exec(value)?.[1];
    const number = digits === undefined ? null : BigInt(digits);
    if (number === null) {
      this.problems.push(problem(name, 'integer'));
    } else if (number < minimum) {
      this.problems.push(problem(name, 'min', [minimum]));
    } else if (maximum !== null && number > maximum) {
      this.problems.push(problem(name, 'max', [maximum]));
    }
    return number ?? fallback;
  }

  /** The refusal of what is wrong so far; null when nothing is. */
  refusal({ invalidParameters }: Readings): PlatformAnswer | null {
    if (this.problems.length === 0) {
      return null;
    }
    return invalidParameters === 422
      ? refuseFields(this.problems)
      : refuse(400, 'bad_request', 'Parâmetros inválidos.', this.problems);
  }

  id(name: string): bigint | null {
    return this.#read(name, readId, 'integer');
  }

  /** Comma-separated ids; null when absent. */
  ids(name: string): ReadonlySet<bigint> | null {
    return this.#read(name, readIds, 'integer');
  }

  isTrue(name: string): boolean | null {
    return this.#read(name, (text) => flags.get(text) ?? null, 'boolean');
  }

  dateTime(name: string): number | null {
    return this.#read(name, readDateTime, 'date_format', ['YYYY-MM-DDThh:mm:ss+hh:mm']);
  }
}
