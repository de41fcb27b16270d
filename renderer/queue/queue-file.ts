import type { TFunction } from 'i18next';
import type { Language } from '../../app/contract/basics.ts';
import type { ExportedUpdate, UpdateAttempt } from '../../app/contract/history.ts';
import { mapResult } from '../../app/domain/result.ts';
import type { Bridge } from '../bridge/bridge.ts';
import type { FileList } from '../files/columns.ts';
import { formatFullMoment } from '../formats/times.ts';
import { shownStatus } from './queue-store.ts';
import { nameOfUpdate, outcomeOfAttempt, wishOfUpdate } from './update-words.ts';

const subjectOf = ({ update }: ExportedUpdate): string =>
  update.kind === 'restoreUser' ? update.userId : update.productId;

function answerWords(attempt: UpdateAttempt, t: TFunction, language: Language): string {
  const technical = [attempt.status === null ? null : `HTTP ${attempt.status}`, attempt.code];
  const words = [
    formatFullMoment(attempt.sentAt, language),
    outcomeOfAttempt(attempt, t),
    ...technical.filter((part) => part !== null),
  ];
  return words.join(' · ');
}

/** The queue as a file, with the whole history of each update. */
export function queueFile(bridge: Bridge, t: TFunction, language: Language): FileList<ExportedUpdate> {
  let after = 0;
  let total: number | null = null;
  return {
    title: t('shell.screen.queue'),
    columns: [
      { kind: 'number', heading: t('files.column.number'), width: 10, of: ({ update }) => update.id },
      { kind: 'text', heading: t('files.column.subjectId'), width: 14, of: subjectOf },
      { kind: 'text', heading: t('stock.column.name'), width: 44, of: ({ update }) => nameOfUpdate(update, t) },
      { kind: 'text', heading: t('files.column.asksFor'), width: 22, of: ({ update }) => wishOfUpdate(update, t) },
      { kind: 'text', heading: t('files.column.who'), width: 28, of: ({ update }) => update.email },
      { kind: 'text', heading: t('files.column.companyId'), width: 12, of: ({ update }) => update.companyId },
      { kind: 'moment', heading: t('queue.fact.madeAt'), width: 20, of: ({ update }) => update.createdAt },
      {
        kind: 'text',
        heading: t('files.column.status'),
        width: 24,
        of: ({ update }) => t(`queue.status.${shownStatus(update)}`),
      },
      {
        kind: 'text',
        heading: t('files.column.parkedBecause'),
        width: 30,
        of: ({ update: { parkedBecause } }) =>
          parkedBecause === null ? null : t(`files.parkedBecause.${parkedBecause}`),
      },
      { kind: 'moment', heading: t('files.column.changedAt'), width: 20, of: ({ update }) => update.changedAt },
      { kind: 'number', heading: t('files.column.attempts'), width: 10, of: ({ update }) => update.attempts },
      {
        kind: 'text',
        heading: t('files.column.lastKey'),
        width: 38,
        of: ({ attempts }) => attempts.at(-1)?.key ?? null,
      },
      {
        kind: 'text',
        heading: t('files.column.answers'),
        width: 60,
        of: ({ attempts }) => attempts.map((attempt) => answerWords(attempt, t, language)).join('\n'),
      },
    ],
    read: async () => {
      if (total === null) {
        const all = await bridge.call('queue:list', { statuses: [], offset: 0, limit: 1 });
        total = all.ok ? all.value.total : null;
      }
      const page = await bridge.call('queue:export', { after });
      if (page.ok) {
        after = page.value.next ?? after;
      }
      return mapResult(page, ({ rows, next }) => ({ rows, of: total, isLast: next === null }));
    },
  };
}
