import { expect } from 'vitest';
import type { CatalogueAnswer } from '../../../../app/catalogue/lookup/answers.ts';
import { openLookup, type Lookup, type LookupPorts } from '../../../../app/catalogue/lookup/lookup.ts';
import { noProgress } from '../../../../app/catalogue/sync/progress.ts';
import type { CatalogueRepository } from '../../../../app/catalogue/repository/repository.ts';
import { lookupAnswerSchema } from '../../../../app/contract/lookup.ts';
import { checkDigitOf } from '../../../../app/domain/codes/barcode.ts';
import { readLayouts, defaultLayouts } from '../../../../app/domain/codes/scale-label.ts';
import type { ManualClock } from '../../../support/manual-clock.ts';
import { createClock, FakePlatform, openRepository, stockOne } from '../catalogue-fixture.ts';
import { listed } from '../../../support/listed.ts';

export const label = (body: string): string => body + checkDigitOf(body);

export interface Setting {
  readonly repository: CatalogueRepository;
  readonly platform: FakePlatform;
  readonly lookup: Lookup;
  readonly clock: ManualClock;
  readonly path: string;
  stored(): number;
}

export async function prepare(
  elements: readonly unknown[],
  options: {
    readonly isComplete?: boolean;
    /** Of a copy that is there already. */
    readonly path?: string;
    readonly stockIds?: (typeof stockOne)[];
    readonly layouts?: readonly string[];
    readonly labelChoices?: LookupPorts['labelChoices'];
    readonly shared?: LookupPorts['shared'] | undefined;
    /** The copy is closed as soon as an answer was kept. */
    readonly isClosedByAnswer?: boolean;
  } = {},
): Promise<Setting> {
  const clock = createClock();
  const platform = new FakePlatform(clock);
  const { repository, path } = await openRepository({
    stockIds: options.stockIds ?? [stockOne],
    ...(options.path === undefined ? {} : { path: options.path }),
  });
  for (const stock of repository.stocks()) {
    repository.writer.save(stock, listed(elements), { pass: 1, seenSince: 1, askedAt: clock.now() });
    repository.saveProgress(stock, {
      ...noProgress,
      total: 400,
      completeAsOf: options.isComplete === false ? null : clock.now(),
    });
  }
  let stored = 0;
  const lookup = openLookup({
    repository,
    client: platform,
    clock,
    completeAt: () => 5_000,
    scaleLayouts: () => readLayouts(options.layouts ?? defaultLayouts),
    labelChoices: options.labelChoices,
    shared: options.shared ?? null,
    onStored: () => {
      stored += 1;
      if (options.isClosedByAnswer === true) {
        repository.close();
      }
    },
  });
  return { repository, platform, lookup, clock, path, stored: () => stored };
}

export function idsOf(answer: CatalogueAnswer): string[] {
  expect(() =>
    lookupAnswerSchema.parse(
      answer.kind === 'found'
        ? {
            ...answer,
            cards: answer.cards.map((card) => ({
              ...card,
              coupon: { isEnabled: null, status: 'unknown', failure: null },
              minimum: null,
            })),
          }
        : answer,
    ),
  ).not.toThrow();
  if (answer.kind === 'found') {
    return answer.cards.map((card) => card.productId);
  }
  return answer.kind === 'several' ? answer.hits.map((hit) => hit.productId) : [];
}

export const shop = [
  { id: 1, code: 'CF-001', name: 'Café torrado', barcode: '9520000000011' },
  { id: 2, code: '002', name: 'Café moído', ean: '95200002' },
  { id: 3, code: '1', name: 'Chá', barcode: '042100005264' },
  { id: 4, code: '77', name: 'Pão', barcodes: ['C128-abc'] },
];
