import type { ProductCard } from '../../contract/products.ts';
import type { LookupAnswer } from '../../contract/lookup.ts';
import type { QueuedUpdate } from '../../contract/queue.ts';
import type { CouponState } from '../../contract/coupons.ts';
import type { ExportedUpdate } from '../../contract/history.ts';
import { maxExported } from '../../contract/limits.ts';
import type { CatalogueAnswer } from '../../catalogue/lookup/answers.ts';
import type { CatalogueProduct } from '../../catalogue/store/product-reader.ts';
import { isSettledNow } from '../../coupons/bulk-switch.ts';
import { couponFrom, readFailure } from '../../coupons/coupon-state.ts';
import { parseId, type Id } from '../../domain/int64.ts';
import type { ShopName } from '../../queue/history.ts';
import { stateOfStanding, type ListedUpdate, type UpdateRow } from '../../queue/rows.ts';
import type { Workspace } from './workspace.ts';

const standingOfState = Object.fromEntries(
  Object.entries(stateOfStanding).map(([standing, state]) => [state, standing]),
) as Record<UpdateRow['state'], QueuedUpdate['standing']>;

const noId = '0' as Id;

/** What the coupon switch of a product shows now. */
export function couponOf(workspace: Workspace, productId: Id): CouponState {
  const owner = workspace.owner();
  const ownerId = owner === null ? 0 : workspace.queueStore.knownOwnerId(owner);
  const open = owner === null ? undefined : workspace.queueStore.openOfProduct(ownerId, productId);
  const ofOther = workspace.queueStore.openOfOther(ownerId, workspace.target, productId);
  return couponFrom(
    workspace.coupons.confirmed(workspace.target, productId),
    open,
    workspace.queueStore.underWay(),
    ofOther === undefined ? undefined : { ...ofOther, isSignInNeeded: !workspace.sendsFor(ofOther.email) },
    workspace.sharedCoupons?.waitingFor(productId),
  );
}

/** Whether the coupon waits to be as asked for, or the platform has said just now that it is. */
export function isCouponSet(workspace: Workspace | null, productId: Id, isEnabled: boolean): boolean {
  if (workspace === null) {
    return false;
  }
  const coupon = couponOf(workspace, productId);
  return (
    coupon.isEnabled === isEnabled && coupon.standing !== 'parked' && isSettledNow(coupon, workspace.areCouponsFresh())
  );
}

/** The product's card with its coupon and its minimum. */
export function toCard(workspace: Workspace, product: CatalogueProduct): ProductCard {
  return {
    ...product,
    coupon: couponOf(workspace, product.productId),
    minimum: workspace.watchList.minimumOf(product),
  };
}

/** The contract's answer: the products with their coupons and minimums. */
export function withCards(answer: CatalogueAnswer, cardOf: (product: CatalogueProduct) => ProductCard): LookupAnswer {
  return answer.kind === 'found' ? { ...answer, cards: answer.cards.map(cardOf) } : answer;
}

function isOfShop({ platform, companyId }: ShopName, row: ListedUpdate): boolean {
  return row.platform === platform && row.company_id === companyId;
}

/**
 * The product's name: as it stood when the update was made, else as the open copy has it, if the update is of that
 * platform and company; null for a user.
 */
export function productNameOf(
  { target, catalogue }: Pick<Workspace, 'target' | 'catalogue'>,
  row: ListedUpdate,
): string | null {
  if (row.kind !== 'coupon') {
    return null;
  }
  return row.name ?? (isOfShop(target, row) ? (catalogue.nameOf(parseId(row.subject_id) ?? noId)?.name ?? null) : null);
}

function waitsFor({ target, sendsFor }: Workspace, row: ListedUpdate): QueuedUpdate['waitsFor'] {
  if (!isOfShop(target, row)) {
    return 'company';
  }
  return sendsFor(row.email) ? null : 'signIn';
}

/** One row of the queue screen. */
export function toQueuedUpdate(workspace: Workspace, row: ListedUpdate): QueuedUpdate {
  const owner = workspace.owner();
  const isOwn = owner !== null && owner.email === row.email && isOfShop(owner, row);
  const standing = standingOfState[row.state];
  const facts = {
    id: row.id,
    standing,
    email: row.email,
    companyId: row.company_id,
    isOwn,
    waitsFor: isOwn ? null : waitsFor(workspace, row),
    createdAt: row.created_at,
    changedAt: row.changed_at,
    isUnderWay: row.state === 'sealed' && row.request_id === workspace.queueStore.underWay(),
    attempts: row.attempts,
    failure: standing === 'delivered' ? null : readFailure(row.failure),
    parkedBecause: standing === 'parked' ? row.parked_because : null,
  };
  // A damaged row may hold what is no id; it must not hide the others.
  const subjectId = parseId(row.subject_id) ?? noId;
  if (row.kind === 'restoreUser') {
    return { kind: 'restoreUser', ...facts, userId: subjectId };
  }
  const productName = productNameOf(workspace, row);
  return {
    kind: 'coupon',
    ...facts,
    productId: subjectId,
    productName,
    isEnabled: row.is_enabled === 1,
    theirs: row.theirs === null ? null : row.theirs === 1,
    ...(row.plan === null ? {} : { plan: row.plan }),
  };
}

/** The newest wish of the signed-in user to restore this one; null when there is none. */
export function restorationOf(workspace: Workspace, userId: Id): QueuedUpdate | null {
  const owner = workspace.owner();
  const row =
    owner === null ? undefined : workspace.queueStore.restorationOf(workspace.queueStore.knownOwnerId(owner), userId);
  return owner === null || row === undefined
    ? null
    : toQueuedUpdate(workspace, { ...row, platform: owner.platform, email: owner.email, company_id: owner.companyId });
}

/** The next updates of the queue's history after this one, and the one after which more follow; null after the last. */
export function exportQueue(
  workspace: Workspace,
  after: number,
): { readonly rows: ExportedUpdate[]; readonly next: number | null } {
  const { history } = workspace.queueStore;
  const found = history.page(after, maxExported + 1);
  const page = found.slice(0, maxExported);
  return {
    rows: page.map((row) => ({ update: toQueuedUpdate(workspace, row), attempts: [...history.attemptsOf(row.id)] })),
    next: found.length > maxExported ? (page.at(-1)?.id ?? null) : null,
  };
}
