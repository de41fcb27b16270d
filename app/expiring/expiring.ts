import type { ProductBatches } from '../contract/batches.ts';
import type { ExpiringPlace, ExpiryCoverage, ExpirySpan } from '../contract/expiring.ts';
import { dayAt } from '../domain/days.ts';
import type { Failure } from '../domain/failure.ts';
import { foldText } from '../domain/fold.ts';
import { isWithinHours, lengthOfMs, nextStartOf } from '../domain/hours.ts';
import { fail, succeed, type Result } from '../domain/result.ts';
import { onlyStorageError } from '../storage/database.ts';
import { createBatchesFile } from './batches-file.ts';
import { keptOf } from './kept.ts';
import { createNight, type Asking } from './night.ts';
import type { ExpiringParts } from './parts.ts';
import { isStillWanted, planNight, survey, type Survey } from './survey.ts';
import type { BatchesRepository, Days, ExpiryPage, Place } from './repository.ts';

export interface Expiring {
  /** A person was told the batches of a product; that is kept, too. */
  note(place: Place, batches: ProductBatches): void;
  /** A page of the list, by day and name. Fails with `notReady` once closed, and as the storage does. */
  page(
    span: ExpirySpan,
    term: string,
    offset: number,
    limit: number,
    after?: ExpiringPlace,
  ): Promise<Result<ExpiryPage, Failure>>;
  /** Of how much of the stock the list speaks. Fails likewise. */
  coverage(): Promise<Result<ExpiryCoverage, Failure>>;
  /** The settings may have changed. */
  reconsider(): void;
  /** Something that stands against asking at night may have come. */
  noticeOthers(): void;
  close(): Promise<void>;
}

const dayMs = 86_400_000;
const minuteMs = 60_000;
/** A survey is good for so long. */
const surveyGoodMs = 20_000;

const nameOf = ({ stockId, productId }: Place): string => `${stockId} ${productId}`;

/** The days of a span, seen from a moment. */
export function daysOf(span: ExpirySpan, now: number, offsetMinutes: number): Days {
  return span === 'past'
    ? { from: null, to: dayAt(now, offsetMinutes, -1) }
    : { from: dayAt(now, offsetMinutes), to: dayAt(now, offsetMinutes, Number(span)) };
}

/** Opens the list of what expires; the file is opened when somebody first needs it. */
export function createExpiring(parts: ExpiringParts): Expiring {
  const { clock, aheadMs = () => 0, asking, offsetMinutes, log } = parts;
  const file = createBatchesFile(parts);
  /** Products without an answer whose days are known. */
  const leftUntilMs = new Map<string, number>();
  const night = createNight({
    ...parts,
    plan: () => planNight(parts, file, (place) => clock.uptimeMs() < (leftUntilMs.get(nameOf(place)) ?? 0)),
    isWanted: (planned) => isStillWanted(parts, file, planned),
    keep: async (place, batches) => {
      const known = await file.use((repository) => repository.known(place, ''));
      // mutant: a product without an answer loses the days that are known of it
      if (batches === null && known !== null && known.nearestDay !== null) {
        leftUntilMs.set(nameOf(place), clock.uptimeMs() + dayMs); // N4
        return;
      }
      await write(place, batches, true);
    },
  });
  let surveyed: { readonly atMs: number; readonly reading: Promise<Survey | null> } | null = null;

  /** By the platform's clock, which has just answered: what a clock that is wrong leaves out is not there once it is right. */
  const today = (): string => dayAt(clock.now() - aheadMs(), offsetMinutes(clock.now()));

  async function write(place: Place, batches: ProductBatches | null, isUnasked: boolean): Promise<void> {
    const described = parts.catalogue.describe(place);
    if (described === null) {
      return;
    }
    await file.use((repository) => {
      repository.keep({
        ...place,
        ...described,
        askedAt: clock.now(),
        isUnasked,
        batches: batches?.batches.length ?? 0,
        expiries: batches === null ? [] : keptOf(batches, today()),
      });
    });
  }

  function surveyNow(repository: BatchesRepository): Promise<Survey | null> {
    if (surveyed === null || clock.uptimeMs() - surveyed.atMs > surveyGoodMs) {
      surveyed = { atMs: clock.uptimeMs(), reading: survey(parts, repository, file.isClosed) };
    }
    return surveyed.reading;
  }

  async function answer<Value>(
    action: (repository: BatchesRepository) => Value | null | Promise<Value | null>,
  ): Promise<Result<Value, Failure>> {
    try {
      const value = await file.use(action);
      return value === null ? fail({ kind: 'notReady' }) : succeed(value);
    } catch (error) {
      return fail(onlyStorageError(error).failure);
    }
  }

  function paceOf(repository: BatchesRepository, chosen: Asking, now: number): number {
    // Tonight's count says nothing before the night is over.
    const lately = isWithinHours(now, chosen, offsetMinutes(now)) ? 0 : repository.countUnasked(now - dayMs, now);
    return lately > 0 ? lately : Math.max(1, Math.round((parts.perMinute() * lengthOfMs(chosen)) / minuteMs));
  }

  return {
    note: (place, batches) => {
      write(place, batches, false).catch((error: unknown) => {
        // The person has the answer; the list does without.
        log('batches.db failed', { kind: onlyStorageError(error).failure.kind });
      });
    },
    page: (span, term, offset, limit, after) =>
      answer((repository) => {
        const now = clock.now();
        return repository.page(daysOf(span, now, offsetMinutes(now)), foldText(term.trim()), offset, limit, after);
      }),
    coverage: () =>
      answer(async (repository) => {
        const reading = await surveyNow(repository).catch((error: unknown) => {
          surveyed = null;
          throw error;
        });
        if (reading === null) {
          return null;
        }
        const [chosen, now] = [asking(), clock.now()];
        const isNight = isWithinHours(now, chosen, offsetMinutes(now));
        return {
          ...reading,
          night: night.state(),
          nextNightAt: chosen.isOn && !isNight ? nextStartOf(chosen, now, offsetMinutes(now)) : null,
          perNight: paceOf(repository, chosen, now),
        };
      }),
    reconsider: () => night.reconsider(),
    noticeOthers: () => night.noticeOthers(),
    close: async () => {
      night.close();
      await file.close();
    },
  };
}
