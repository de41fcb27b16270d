import { expect } from 'vitest';
import { openCouponRepository } from '../../../app/coupons/repository.ts';
import type { Id } from '../../../app/domain/int64.ts';
import type { Disposition, Outcome } from '../../../app/queue/disposition.ts';
import type { OpenRequest } from '../../../app/queue/rows.ts';
import { openQueueRepository, type QueueRepository } from '../../../app/queue/repository.ts';
import { openQueueDatabase } from '../../support/queue-database.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { ana } from './queue-shop.ts';

export const start = Date.UTC(2025, 5, 1);

export async function openRepository(directory = temporaryDirectory()) {
  const database = await openQueueDatabase(directory);
  const coupons = openCouponRepository(database);
  const repository = openQueueRepository(database, coupons.confirm);
  return { directory, database, coupons, repository, ownerId: repository.ownerId(ana) };
}

/** What a person asks for who sees the coupon off: to switch it on. */
export const asking = (
  ownerId: number,
  product: string,
  more: Partial<Parameters<QueueRepository['enqueue']>[0]> = {},
): Parameters<QueueRepository['enqueue']>[0] => ({
  ownerId,
  productId: product as Id,
  isEnabled: true,
  seen: false,
  isSeenFresh: true,
  now: start,
  ...more,
});

interface Change {
  readonly ownerId: number;
  readonly product: string;
  readonly isEnabled?: boolean;
  readonly seen?: boolean | null;
  readonly isSeenFresh?: boolean;
  readonly now?: number;
}

export function enqueue(
  repository: QueueRepository,
  { ownerId, product, isEnabled = true, seen = !isEnabled, isSeenFresh = true, now = start }: Change,
): number {
  expect(repository.enqueue({ ownerId, productId: product as Id, isEnabled, seen, isSeenFresh, now })).toBe(true);
  return repository.history.list([], 0, 1).rows[0]?.id ?? 0;
}

let keys = 0;

export function seal(repository: QueueRepository, ownerId: number, now = start): OpenRequest {
  keys += 1;
  const request = repository.seal(ownerId, `key-${keys}`, now);
  if (request === null) {
    throw new Error('nothing was sealed');
  }
  return request;
}

export const noAnswer: Outcome = { kind: 'noAnswer', failure: { kind: 'timedOut' } };
export const refused = {
  kind: 'answer',
  status: 422,
  echo: 'ours',
  isPage: false,
  failure: { kind: 'unprocessable', status: 422, code: 'unprocessable_entity', message: 'made-up reason' },
} satisfies Outcome;

export function settle(
  repository: QueueRepository,
  ownerId: number,
  request: OpenRequest,
  disposition: Disposition,
  outcome: Outcome = refused,
  now = start,
): number {
  const attemptId = repository.beginAttempt(request.id, now);
  repository.settle({ ownerId, requestId: request.id, attemptId }, outcome, disposition, now);
  return attemptId;
}

/** Takes in the settings of these products as the platform has them. */
export function takeReading(
  repository: QueueRepository,
  ownerId: number,
  settings: Readonly<Record<string, boolean>>,
  now = start,
): void {
  const read = new Map(Object.entries(settings).map(([product, isEnabled]) => [product as Id, isEnabled]));
  repository.applyReading(ownerId, read, now, repository.unread(ownerId, now));
}

/** Sends what waits, and no answer comes. */
export function leaveUnanswered(
  repository: QueueRepository,
  ownerId: number,
  request = seal(repository, ownerId),
): void {
  settle(repository, ownerId, request, { step: 'sendAgain', cause: 'network', proveFirst: false }, noAnswer);
}

export function stateOf(repository: QueueRepository, updateId: number): string | undefined {
  return repository.find(updateId)?.state;
}

export function productsOf(request: OpenRequest): string[] {
  return [...request.body.matchAll(/"product_id":(\d+)/g)].map((match) => match[1] ?? '');
}
