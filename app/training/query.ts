// Owns reading the query of a request: each reader answers a value and takes note of what is wrong, for one 422 that names
// all of it (API v3 §7). An empty value counts as absent; an unknown parameter is ignored.
import { readDateTime } from './date-times.ts';
import { problem, type Problem } from './answers.ts';

const largestId = 2n ** 63n - 1n;
// API v3 sets no upper bound for `page`; beyond this a number is no longer exact.
const largestPage = 10 ** 9;

/** Reads decimal digits as an int64; null when they are none. */
export function readId(text: string): bigint | null {
  return /^\d{1,19}$/.test(text) && BigInt(text) <= largestId ? BigInt(text) : null;
}

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

  oneOf<Choice extends string>(name: string, choices: readonly Choice[]): Choice | null {
    const value = this.text(name);
    const choice = choices.find((candidate) => candidate === value) ?? null;
    if (value !== null && choice === null) {
      this.problems.push(problem(name, 'in', choices));
    }
    return choice;
  }

  /** The page and the items per page of a listing (API v3 §8). */
  paging(): { readonly page: number; readonly perPage: number } {
    return { page: this.wholeNumber('page', 1, largestPage, 1), perPage: this.wholeNumber('per_page', 1, 100, 30) };
  }

  wholeNumber(name: string, minimum: number, maximum: number, usual: number): number {
    const value = this.text(name);
    if (value === null) {
      return usual;
    }
    const number = /^[+-]?\d{1,15}$/.test(value) ? Number(value) : null;
    if (number === null) {
      this.problems.push(problem(name, 'integer'));
    } else if (number < minimum) {
      this.problems.push(problem(name, 'min', [minimum]));
    } else if (number > maximum) {
      this.problems.push(problem(name, 'max', [maximum]));
    }
    return number ?? usual;
  }

  id(name: string): bigint | null {
    const value = this.text(name);
    const id = value === null ? null : readId(value);
    if (value !== null && id === null) {
      this.problems.push(problem(name, 'integer'));
    }
    return id;
  }

  /** Comma-separated ids; null when absent. */
  ids(name: string): ReadonlySet<bigint> | null {
    const value = this.text(name);
    if (value === null) {
      return null;
    }
    const ids = value.split(',').map((part) => readId(part.trim()));
    if (ids.includes(null)) {
      this.problems.push(problem(name, 'integer'));
    }
    return new Set(ids.filter((id) => id !== null));
  }

  isTrue(name: string): boolean | null {
    const value = this.text(name);
    if (value !== null && !['true', 'false', '1', '0'].includes(value)) {
      this.problems.push(problem(name, 'boolean'));
    }
    return value === null ? null : value === 'true' || value === '1';
  }

  dateTime(name: string): number | null {
    const value = this.text(name);
    const moment = value === null ? null : readDateTime(value);
    if (value !== null && moment === null) {
      this.problems.push(problem(name, 'date_format', ['YYYY-MM-DDThh:mm:ss+hh:mm']));
    }
    return moment;
  }
}
