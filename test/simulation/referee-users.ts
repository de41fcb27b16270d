// The referee's deleted users: who can be restored, and who cannot (API v3 §4.8).

export interface RefereeUser {
  readonly id: string;
  readonly companyId: string;
  /** `taken`: another user was created with the same e-mail, so that restoring is refused (API v3 §4.8). */
  readonly status: 'deleted' | 'active' | 'taken';
}

/** A user who came back, or, done by somebody else, went again. */
interface UserChange {
  readonly atMs: number;
  readonly userId: string;
  readonly companyId: string;
  readonly change: 'restored' | 'deleted';
  /** Null when somebody else did it. */
  readonly key: string | null;
  readonly email: string | null;
}

export interface RefereeUsers {
  readonly changes: readonly UserChange[];
  /** The status of the answer; 204 alone changes anything. */
  statusOf(companyId: string, userId: string): 204 | 400 | 404;
  restore(companyId: string, userId: string, by: { readonly key: string; readonly email: string } | null): void;
  /** Somebody else deletes the user again. */
  remove(userId: string): void;
}

export function createRefereeUsers(nowMs: () => number, users: readonly RefereeUser[]): RefereeUsers {
  const statuses = new Map(users.map(({ id, status }) => [id, status]));
  const companies = new Map(users.map(({ id, companyId }) => [id, companyId]));
  const changes: UserChange[] = [];
  return {
    changes,
    statusOf: (companyId, userId) => {
      const status = companies.get(userId) === companyId ? statuses.get(userId) : undefined;
      if (status === 'deleted') {
        return 204;
      }
      return status === 'taken' ? 400 : 404;
    },
    restore: (companyId, userId, by) => {
      statuses.set(userId, 'active');
      changes.push({
        atMs: nowMs(),
        userId,
        companyId,
        change: 'restored',
        key: by?.key ?? null,
        email: by?.email ?? null,
      });
    },
    remove: (userId) => {
      if (statuses.get(userId) === 'active') {
        statuses.set(userId, 'deleted');
        changes.push({
          atMs: nowMs(),
          userId,
          companyId: companies.get(userId) ?? '',
          change: 'deleted',
          key: null,
          email: null,
        });
      }
    },
  };
}
