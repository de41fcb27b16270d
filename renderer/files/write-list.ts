import type { Language } from '../../app/contract/basics.ts';
import type { FileKind } from '../../app/contract/limits/files.ts';
import type { Failure } from '../../app/domain/failure.ts';
import { fail, succeed, type Result } from '../../app/domain/result.ts';
import { writeCsv } from './csv.ts';
import type { FileList } from './columns.ts';

/** Twice as many as the largest copy has. */
const maxPages = 20_000;

/** How far a file is: rows that are in it, of how many; null while those are still being counted. */
export interface FileProgress {
  readonly done: number;
  readonly of: number | null;
}

interface ReadWish {
  readonly onProgress: (progress: FileProgress) => void;
  readonly signal: AbortSignal;
}

export interface FileWish extends ReadWish {
  readonly kind: FileKind;
  readonly language: Language;
}

interface Outcome {
  failure: Failure | null;
}

/** The pages in their order; where they end early, the outcome says why. */
async function* readPages<Row>(
  list: Pick<FileList<Row>, 'read'>,
  { onProgress, signal }: ReadWish,
  outcome: Outcome,
): AsyncGenerator<readonly Row[]> {
  let done = 0;
  let reading = list.read();
  for (let page = 0; page < maxPages; page += 1) {
    const read = await reading;
    if (signal.aborted || !read.ok) {
      outcome.failure = read.ok ? { kind: 'cancelled' } : read.failure;
      return;
    }
    const { rows, of, isLast } = read.value;
    done += rows.length;
    onProgress({ done, of });
    if (!isLast) {
      // The main process reads these while the page writes those.
      reading = list.read();
    }
    yield rows;
    if (isLast) {
      return;
    }
  }
  outcome.failure = { kind: 'answerTooLarge' };
}

/** All rows, in this page's memory. Fails as the list's reading does, or with `cancelled` by the signal. */
export async function readRows<Row>(
  list: Pick<FileList<Row>, 'read'>,
  wish: ReadWish,
): Promise<Result<readonly Row[], Failure>> {
  const outcome: Outcome = { failure: null };
  const all: Row[] = [];
  for await (const rows of readPages(list, wish, outcome)) {
    all.push(...rows);
  }
  return outcome.failure === null ? succeed(all) : fail(outcome.failure);
}

async function partsOf<Row>(
  list: FileList<Row>,
  pages: AsyncIterable<readonly Row[]>,
  { kind, language }: FileWish,
): Promise<AsyncIterable<BlobPart>> {
  return kind === 'csv'
    ? writeCsv(list, pages, language)
    : (await import('./xlsx.ts')).writeXlsx(list, pages, language);
}

/**
 * The file's parts in their order, each outside of this page's memory; of the rows, only two pages are in it. Fails as
 * the list's reading does, with `answerTooLarge`, or with `cancelled` by the signal.
 */
export async function writeList<Row>(list: FileList<Row>, wish: FileWish): Promise<Result<readonly Blob[], Failure>> {
  const outcome: Outcome = { failure: null };
  const parts: Blob[] = [];
  for await (const part of await partsOf(list, readPages(list, wish, outcome), wish)) {
    parts.push(new Blob([part]));
  }
  return outcome.failure === null ? succeed(parts) : fail(outcome.failure);
}
