// The history of the queue as a file: CSV for spreadsheet programs (RFC 4180) and JSON for everything else, written
// page by page.
import type { ExportFormat, UpdateAttempt } from '../contract/history.ts';
import { csvLine, csvMark } from '../domain/csv.ts';
import { writeInstant } from '../domain/date-time.ts';
import { stateOfStanding, type ListedUpdate } from './rows.ts';

export interface ExportedUpdate {
  readonly row: ListedUpdate;
  /** The product's name, where the copy knows it; null for a user. */
  readonly name: string | null;
  readonly attempts: readonly UpdateAttempt[];
}

/** Which part of the file a page is. */
export interface ExportPlace {
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

const standingOfState = Object.fromEntries(
  Object.entries(stateOfStanding).map(([standing, state]) => [state, standing]),
);

function asksForOf({ kind, is_enabled: isEnabled }: ListedUpdate): string {
  if (kind === 'restoreUser') {
    return 'restore';
  }
  return isEnabled === 1 ? 'on' : 'off';
}

function wordsOf({ row, name, attempts }: ExportedUpdate) {
  return {
    update: row.id,
    kind: row.kind,
    subjectId: row.subject_id,
    subjectName: name,
    asksFor: asksForOf(row),
    madeBy: row.email,
    companyId: row.company_id,
    madeAt: writeInstant(row.created_at),
    standing: standingOfState[row.state] ?? row.state,
    parkedBecause: row.state === 'parked' ? row.parked_because : null,
    deliveredAt: row.state === 'delivered' ? writeInstant(row.changed_at) : null,
    changedAt: writeInstant(row.changed_at),
    attemptCount: row.attempts,
    attempts: attempts.map((attempt) => ({
      ...attempt,
      sentAt: writeInstant(attempt.sentAt),
      settledAt: attempt.settledAt === null ? null : writeInstant(attempt.settledAt),
    })),
  };
}

type Words = ReturnType<typeof wordsOf>;

const columns = [
  'update',
  'kind',
  'subjectId',
  'subjectName',
  'asksFor',
  'madeBy',
  'companyId',
  'madeAt',
  'standing',
  'parkedBecause',
  'deliveredAt',
  'changedAt',
  'attemptCount',
  'lastKey',
  'answers',
] as const;

function answerWords(attempt: Words['attempts'][number]): string {
  const said =
    attempt.status === null
      ? [attempt.outcome, attempt.failure]
      : [String(attempt.status), attempt.code, attempt.isReplayed === true ? 'replayed' : null];
  return [attempt.sentAt, ...said.filter((word) => word !== null)].join(' ');
}

function lineOf(update: ExportedUpdate): string {
  const words = wordsOf(update);
  const fields = {
    ...words,
    lastKey: words.attempts.at(-1)?.key ?? null,
    answers: words.attempts.map(answerWords).join('; '),
  };
  return csvLine(columns.map((column) => fields[column]));
}

/** One page of the file; all pages after one another are the whole. */
export function exportText(
  format: ExportFormat,
  updates: readonly ExportedUpdate[],
  { isFirst, isLast }: ExportPlace,
): string {
  if (format === 'csv') {
    return `${isFirst ? csvMark + csvLine(columns) : ''}${updates.map(lineOf).join('')}`;
  }
  const items = updates.map(
    (update, place) => `${isFirst && place === 0 ? '' : ',\n'}${JSON.stringify(wordsOf(update))}`,
  );
  return `${isFirst ? '{"updates":[\n' : ''}${items.join('')}${isLast ? '\n]}\n' : ''}`;
}
