import { failureSchema } from '../contract/basics.ts';
import type { ExportedUpdate } from '../contract/history.ts';
import { maxExported } from '../contract/basics.ts';
import type { QueuedUpdate } from '../contract/queue.ts';
import type { Failure } from '../domain/failure.ts';
import { shownId, type Id } from '../domain/int64.ts';
import { parseJson } from '../domain/json.ts';
import { shownEmail, shownText } from '../domain/shown-text.ts';
import type { ShopName } from './history.ts';
import { stateOfStatus, type ListedUpdate, type Owner, type UpdateRow } from './rows.ts';
import type { QueueRepository } from './repository.ts';

/** The part of an open shop that decides how an update is shown. */
export interface OpenQueue {
  readonly target: ShopName;
  /** The copy, which knows the names of its products. */
  readonly catalogue: { nameOf(productId: Id): { readonly name: string } | null };
  readonly queueRepository: QueueRepository;
  /** Null when nobody is signed in. */
  owner(): Owner | null;
  /** Whether what this user has asked for goes out as it is now. */
  readonly sendsFor: (email: string) => boolean;
}

const statusOfState = Object.fromEntries(
  Object.entries(stateOfStatus).map(([status, state]) => [state, status]),
) as Record<UpdateRow['state'], QueuedUpdate['status']>;

/** The failure that a row of the queue keeps; null when it keeps none. */
export function readFailure(text: string | null): Failure | null {
  // A failure that a failing disk has altered is shown as none; it must not hide the row.
  const failure = failureSchema.safeParse(text === null ? null : parseJson(text));
  return failure.success ? failure.data : null;
}

function isOfShop({ platform, companyId }: ShopName, row: ListedUpdate): boolean {
  return row.platform === platform && row.company_id === companyId;
}

/**
 * The product's name: as it stood when the update was made, else as the open copy has it, if the update is of that
 * platform and company; null for a user.
 */
export function productNameOf(
  { target, catalogue }: Pick<OpenQueue, 'target' | 'catalogue'>,
  row: ListedUpdate,
): string | null {
  if (row.kind !== 'coupon') {
    return null;
  }
  const name = row.name ?? (isOfShop(target, row) ? (catalogue.nameOf(shownId(row.subject_id))?.name ?? null) : null);
  return name === null ? null : shownText(name);
}

function waitsFor({ target, sendsFor }: OpenQueue, row: ListedUpdate): QueuedUpdate['waitsFor'] {
  if (!isOfShop(target, row)) {
    return 'company';
  }
  return sendsFor(row.email) ? null : 'signIn';
}

/** One row of the queue screen. */
export function toQueuedUpdate(open: OpenQueue, row: ListedUpdate): QueuedUpdate {
  const owner = open.owner();
  const isOwn = owner !== null && owner.email === row.email && isOfShop(owner, row);
  const status = statusOfState[row.state];
  const facts = {
    id: row.id,
    status,
    email: shownEmail(row.email),
    companyId: shownId(row.company_id),
    isOwn,
    waitsFor: isOwn ? null : waitsFor(open, row),
    createdAt: row.created_at,
    changedAt: row.changed_at,
    isUnderWay: row.state === 'sealed' && row.request_id === open.queueRepository.underWay(),
    // One flipped bit makes it negative.
    attempts: Math.max(0, row.attempts),
    failure: status === 'delivered' ? null : readFailure(row.failure),
    parkedBecause: status === 'parked' ? row.parked_because : null,
  };
  const subjectId = shownId(row.subject_id);
  if (row.kind === 'restoreUser') {
    return { kind: 'restoreUser', ...facts, userId: subjectId };
  }
  const productName = productNameOf(open, row);
  return {
    kind: 'coupon',
    ...facts,
    productId: subjectId,
    productName,
    isEnabled: row.is_enabled === 1,
    theirs: row.theirs === null ? null : row.theirs === 1,
    ...(row.plan === null ? {} : { plan: shownText(row.plan) }),
  };
}

/** The newest wish of the signed-in user to restore this one; null when there is none. */
export function restorationOf(open: OpenQueue, userId: Id): QueuedUpdate | null {
  const owner = open.owner();
  const row =
    owner === null ? undefined : open.queueRepository.restorationOf(open.queueRepository.knownOwnerId(owner), userId);
  return owner === null || row === undefined
    ? null
    : toQueuedUpdate(open, { ...row, platform: owner.platform, email: owner.email, company_id: owner.companyId });
}

/** The next updates of the queue's history after this one, and the one after which more follow; null after the last. */
export function exportQueue(
  open: OpenQueue,
  after: number,
): { readonly rows: ExportedUpdate[]; readonly next: number | null } {
  const { history } = open.queueRepository;
  const found = history.page(after, maxExported + 1);
  const page = found.slice(0, maxExported);
  return {
    rows: page.map((row) => ({ update: toQueuedUpdate(open, row), attempts: [...history.attemptsOf(row.id)] })),
    next: found.length > maxExported ? (page.at(-1)?.id ?? null) : null,
  };
}
