import type { Id } from '../domain/int64.ts';
import type { Database } from '../storage/database.ts';
import { failureAt, type Disposition, type Outcome } from './disposition.ts';
import type { Owner, UpdateRow } from './rows.ts';
import type { Statements } from './statements.ts';
import type { Transitions } from './transitions.ts';

/**
 * Is told, inside the queue's transaction, which settings the platform has now confirmed, and by which attempt;
 * `isEarlier`: it has done so some time ago.
 */
export type Confirm = (
  owner: Owner,
  settings: readonly { productId: Id; isEnabled: boolean }[],
  attemptId: number,
  isEarlier?: boolean,
) => void;

/** What an attempt has delivered. */
interface Delivery {
  readonly ownerId: number;
  readonly attemptId: number;
  /** Another copy of this file has delivered it, nobody knows when (Q15). */
  readonly isEarlier?: boolean;
}

interface SentAttempt extends Delivery {
  readonly requestId: number;
}

/** Makes what delivers updates of one owner, and has their settings confirmed. */
export function createDelivery(sql: Statements, { deliver }: Transitions, confirm: Confirm) {
  return (rows: readonly UpdateRow[], sent: Delivery, now: number): void => {
    for (const row of rows) {
      deliver(row, now);
    }
    const owner = sql.owner.get(sent.ownerId);
    const coupons = rows.filter((row) => row.kind === 'coupon');
    // mutant: an update is delivered and its setting is not confirmed (I4)
    if (owner !== undefined && coupons.length > 0) {
      const settings = coupons.map((row) => ({ productId: row.subject_id, isEnabled: row.is_enabled === 1 }));
      const { platform, company_id: companyId, email } = owner;
      confirm({ platform, companyId, email }, settings, sent.attemptId, sent.isEarlier);
    }
  };
}

/** Makes what carries out the disposition of an attempt. */
export function createSettlement(
  database: Database,
  sql: Statements,
  { park, returnToPending }: Transitions,
  deliverAll: ReturnType<typeof createDelivery>,
) {
  return (sent: SentAttempt, outcome: Outcome, disposition: Disposition, now: number): void => {
    database.transaction(() => {
      // In the order of the body: what was settled by another copy meanwhile (Q15) keeps its place there.
      const sealed = sql.inRequest.all(sent.requestId);
      const rows = sealed.filter((row) => row.state === 'sealed');
      const { failure } = outcome;
      sql.settleAttempt.run(now, JSON.stringify(outcome), sent.attemptId);
      if (disposition.step === 'sendAgain') {
        sql.setFailure.run(JSON.stringify(failure), sent.requestId);
        return;
      }
      // Q5: An answer spends the key. Whatever is sent again has another one.
      sql.closeRequest.run(sent.requestId);
      if (disposition.step === 'delivered') {
        deliverAll(rows, sent, now);
        return;
      }
      const products = sealed.map(({ subject_id: productId }) => productId);
      const largestGroup = sql.largestGroup.get()?.largest ?? 0;
      rows.forEach((row, place) => {
        switch (disposition.step) {
          case 'parkMaybeDone':
          case 'parkAll':
            park(row, now, disposition.step === 'parkAll' ? 'refused' : 'maybeDone', failure);
            break;
          case 'parkNamed':
            if (disposition.named.includes(sealed.indexOf(row))) {
              // mutant: an update is told what was refused of another one
              park(row, now, 'refused', failureAt(sealed.indexOf(row), failure, products));
            } else {
              returnToPending(row, now, { isFresh: true, group: row.split_group, failure: null });
            }
            break;
          case 'halve':
            returnToPending(row, now, {
              isFresh: !disposition.readFirst,
              group: largestGroup + (place < rows.length / 2 ? 1 : 2),
              failure: disposition.readFirst ? failure : null,
            });
            break;
          case 'sealAnew':
            returnToPending(row, now, { isFresh: !disposition.readFirst, group: row.split_group, failure });
            break;
        }
      });
    });
  };
}
