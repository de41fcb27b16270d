import { hash } from 'node:crypto';
import type { UpdateStatus } from '../contract/queue.ts';
import { writeJson } from '../domain/json.ts';
import type { Id } from '../domain/int64.ts';
import { couponSettingsPath, restoreUserPath } from '../platform/paths.ts';

/** The kinds of update: a coupon setting (API v3 §4.7), or a deleted user back (API v3 §4.8). */
export type UpdateKind = 'coupon' | 'restoreUser';

/** Whose updates they are: they never go out under another's sign-in. */
export interface Owner {
  readonly platform: string;
  readonly companyId: Id;
  readonly email: string;
}

/** The bytes that go over the wire, but for the headers. */
export interface Sealed {
  readonly method: 'PUT' | 'POST';
  readonly path: string;
  readonly body: string;
}

export interface OpenRequest extends Sealed {
  readonly id: number;
  readonly kind: UpdateKind;
  readonly idempotencyKey: string;
  /** How many updates are in it. */
  readonly size: number;
  /** The subject of each of its updates, in their order: the product, or the user. */
  readonly subjects: readonly Id[];
  /** Earlier failures without the echo, and answers with another one, that other calls' successes stood beside. */
  readonly unechoed: number;
  /** These bytes were sent before and nobody answered: they may have taken effect then. */
  readonly isRepeated: boolean;
  /** An earlier request under another key may have taken effect. */
  readonly isInDoubt: boolean;
  /** How often each of its updates was sent before, at least. */
  readonly earlierTries: number;
}

export interface UpdateRow {
  readonly id: number;
  readonly owner_id: number;
  readonly kind: UpdateKind;
  /** The product, or the user. */
  readonly subject_id: Id;
  readonly is_enabled: number;
  readonly seen: number | null;
  readonly created_at: number;
  readonly changed_at: number;
  /** When it was asked for, and when it was over, by queue/steady-time.ts. */
  readonly created_steady_ms: number | null;
  readonly over_steady_ms: number | null;
  readonly state: 'pending' | 'sealed' | 'delivered' | 'parked' | 'superseded' | 'discarded';
  readonly request_id: number | null;
  readonly split_group: number;
  /** When what the platform has was last known, by queue/steady-time.ts. */
  readonly checked_steady_ms: number | null;
  readonly attempts: number;
  readonly failure: string | null;
  readonly parked_because: 'refused' | 'conflict' | 'damaged' | 'old' | 'maybeDone' | null;
  readonly theirs: number | null;
  readonly is_in_doubt: number;
  readonly is_age_approved: number;
  /** The product's name when the update was made; null when nobody knew it. */
  readonly name: string | null;
  /** The set whose plan made it; null when a person did. */
  readonly plan: string | null;
  /** Past this steady time, a person is asked before it is sent; null for never. */
  readonly until_steady_ms: number | null;
  readonly checksum: string;
}

/** An open coupon update, as far as its switch shows it. */
export type OpenCoupon = Pick<UpdateRow, 'subject_id' | 'is_enabled' | 'state' | 'failure' | 'request_id'>;

/** The same of another user. */
export type OpenCouponOfOther = Pick<UpdateRow, 'subject_id' | 'is_enabled' | 'state'> & { readonly email: string };

export type ListedUpdate = UpdateRow & { readonly platform: string; readonly email: string; readonly company_id: Id };

export interface RequestRow extends Sealed {
  readonly id: number;
  readonly owner_id: number;
  readonly idempotency_key: string;
  readonly created_steady_ms: number | null;
  readonly unechoed: number;
  readonly checksum: string;
}

export const stateOfStatus: Readonly<Record<UpdateStatus, UpdateRow['state']>> = {
  pending: 'pending',
  inFlight: 'sealed',
  delivered: 'delivered',
  parked: 'parked',
  superseded: 'superseded',
  discarded: 'discarded',
};

/** A checksum over fields in their order; no two different lists of fields give the same text to hash. */
export function checksumOf(fields: readonly (string | number | null)[]): string {
  return hash('sha256', JSON.stringify(fields), 'base64');
}

/** The checksum of what a person asked for. A coupon's is that of the time when there was no other kind. */
export function updateChecksum(
  row: Pick<UpdateRow, 'owner_id' | 'kind' | 'subject_id' | 'is_enabled' | 'created_at'>,
): string {
  const fields = [row.owner_id, row.subject_id, row.is_enabled, row.created_at];
  return checksumOf(row.kind === 'coupon' ? fields : [...fields, row.kind]);
}

/** The checksum of what is sent. A coupon request's is that of the time when there was no other. */
export function requestChecksum(row: Pick<RequestRow, 'owner_id' | 'idempotency_key' | keyof Sealed>): string {
  const fields = [row.owner_id, row.idempotency_key, row.body];
  const isOfCoupons = row.method === 'PUT' && row.path === couponSettingsPath;
  return checksumOf(isOfCoupons ? fields : [...fields, row.method, row.path]);
}

/** The exact request for these: coupon settings together (API v3 §4.7), or one user (API v3 §4.8). */
export function sealedFrom(updates: readonly Pick<UpdateRow, 'kind' | 'subject_id' | 'is_enabled'>[]): Sealed {
  const [first] = updates;
  if (first?.kind === 'restoreUser') {
    // API v3 §4.8 shows no body, but §1 asks for a content type of JSON with every request: an empty object fits both.
    return { method: 'POST', path: restoreUserPath(first.subject_id), body: '{}' };
  }
  const items = updates.map((update) => ({
    product_id: BigInt(update.subject_id),
    is_enabled: update.is_enabled === 1,
  }));
  return { method: 'PUT', path: couponSettingsPath, body: writeJson({ items }) };
}

/** Whether a stored request is exactly what its updates ask for. */
export function isSealedFrom(request: Sealed, updates: readonly UpdateRow[]): boolean {
  const expected = sealedFrom(updates);
  return request.method === expected.method && request.path === expected.path && request.body === expected.body;
}
