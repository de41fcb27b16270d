import type { TFunction } from 'i18next';
import type { Language } from '../../app/contract/basics.ts';
import type { ExportedUpdate, UpdateAttempt } from '../../app/contract/history.ts';
import { mapResult } from '../../app/domain/result.ts';
import type { Bridge } from '../bridge/bridge.ts';
import { moment, number, text, type FileList } from '../files/columns.ts';
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
      number(t('files.column.number'), 10, ({ update }) => update.id),
      text(t('files.column.subjectId'), 14, subjectOf),
      text(t('stock.column.name'), 44, ({ update }) => nameOfUpdate(update, t)),
      text(t('files.column.asksFor'), 22, ({ update }) => wishOfUpdate(update, t)),
      text(t('files.column.who'), 28, ({ update }) => update.email),
      text(t('files.column.companyId'), 12, ({ update }) => update.companyId),
      moment(t('queue.fact.madeAt'), 20, ({ update }) => update.createdAt),
      text(t('files.column.status'), 24, ({ update }) => t(`queue.status.${shownStatus(update)}`)),
      text(t('files.column.parkedBecause'), 30, ({ update: { parkedBecause } }) =>
        parkedBecause === null ? null : t(`files.parkedBecause.${parkedBecause}`),
      ),
      moment(t('files.column.changedAt'), 20, ({ update }) => update.changedAt),
      number(t('files.column.attempts'), 10, ({ update }) => update.attempts),
      text(t('files.column.lastKey'), 38, ({ attempts }) => attempts.at(-1)?.key ?? null),
      text(t('files.column.answers'), 60, ({ attempts }) =>
        attempts.map((attempt) => answerWords(attempt, t, language)).join('\n'),
      ),
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
