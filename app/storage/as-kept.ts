// Proof that a row of the copy is one that this app wrote, whatever became of the file since. SQLite does not look at
// what it reads: a flipped bit makes a number negative, or a text of it.
import { parseId } from '../domain/int64.ts';
import { StorageError } from './database.ts';

const maxTextLength = 500;

export const isKeptId = (value: unknown): boolean => typeof value === 'string' && parseId(value) === value;
export const isKeptText = (value: unknown): boolean => typeof value === 'string' && value.length <= maxTextLength;
export const isKeptCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;
export const isKeptMoment = (value: unknown): boolean => Number.isSafeInteger(value);
export const orNull =
  (isKept: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    value === null || isKept(value);

/** Throws damage unless it is as it was written: the copy begins anew. */
export function requireAsKept(isAsKept: boolean): void {
  if (!isAsKept) {
    throw new StorageError({ kind: 'storageFailed', message: 'a row of the copy is not as it was written' }, true);
  }
}
