// The confirmed coupon settings in queue.db: what the platform is known to have, learnt from its listing (API v3 §4.6)
// and from delivered updates.
import type { Id } from '../domain/int64.ts';
import type { Database } from '../storage/database.ts';

/** Settings belong to a company at a platform. */
export interface CouponScope {
  readonly platform: string;
  readonly companyId: Id;
}

export interface CouponSettingRow {
  readonly productId: Id;
  readonly isEnabled: boolean;
}

/** What another till has delivered, and at which uptime of this machine, in milliseconds. */
export interface HeardSetting extends CouponSettingRow {
  readonly atMs: number;
}

/**
 * `mark` is the newest attempt that the reading surely knows of, `number` its place among those of this run, `leftMs` the
 * uptime at which it left, in milliseconds.
 */
export interface AskedReading {
  readonly mark: number;
  readonly number: number;
  readonly leftMs: number;
  /** Told without the company, so that it may be another's. */
  readonly isUnnamed?: boolean;
}

export type CouponRepository = ReturnType<typeof openCouponRepository>;

/** Of so many products it is kept what other tills say, the newest: one of them may name any. The next reading has them all. */
export const maxHeard = 20_000;

/** Settings that are written at once, so that nobody waits for it. */
const writtenAtOnce = 500;

function keyOf({ platform, companyId }: CouponScope): string {
  return `${platform} ${companyId}`;
}

/** Beside the company's own reading, which no company's number looks like. */
const unnamedOf = ({ companyId }: CouponScope): string => `unnamed ${companyId}`;

/**
 * What was heard and not read yet: by product, what another till delivered, when, and after which attempt. It lies over
 * what was read, for the eyes, and takes the place of none of it. Each run begins with a reading.
 */
function createHearsay() {
  type Heard = Map<Id, { readonly isEnabled: boolean; readonly mark: number; readonly atMs: number }>;
  const heard = new Map<string, Heard>();
  const of = (scope: CouponScope): Heard => heard.get(keyOf(scope)) ?? new Map();
  let dropped = 0;
  return {
    of,
    dropped: () => dropped,
    add: (scope: CouponScope, settings: readonly HeardSetting[], mark: number): void => {
      const all = of(scope);
      for (const { productId, isEnabled, atMs } of settings) {
        all.delete(productId);
        all.set(productId, { isEnabled, mark, atMs });
      }
      [...all.keys()].slice(0, -maxHeard).forEach((productId) => all.delete(productId));
      heard.set(keyOf(scope), all);
    },
    said: (scope: CouponScope, settings: readonly CouponSettingRow[]): void => {
      const before = of(scope);
      settings.forEach(({ productId }) => (dropped += Number(before.delete(productId))));
    },
    read: (scope: CouponScope, { mark, leftMs }: AskedReading): void => {
      // mutant: what another till delivers while the settings are read is lost
      const later = new Map([...of(scope)].filter(([, since]) => since.mark > mark || since.atMs > leftMs));
      // mutant: what another till has said stands in the lists after a reading that changes no row
      dropped += of(scope).size - later.size;
      heard.set(keyOf(scope), later);
    },
    forget: (scope: CouponScope): void => {
      dropped += of(scope).size;
      heard.delete(keyOf(scope));
    },
    /** What was read, with what was heard in its place. */
    over: (scope: CouponScope, settings: readonly CouponSettingRow[]): readonly CouponSettingRow[] => {
      const told = of(scope);
      return [
        ...settings.filter(({ productId }) => !told.has(productId)),
        ...[...told].map(([productId, { isEnabled }]) => ({ productId, isEnabled })),
      ];
    },
  };
}

function prepareStatements(database: Database) {
  const one = database.prepare<{ is_enabled: number; mark: number }>(
    'SELECT is_enabled, mark FROM confirmed_settings WHERE platform = ? AND company_id = ? AND product_id = ?',
  );
  // A row for each of ten thousand products would cost more than all else.
  const many = database.prepare<{ enabled: string; disabled: string }>(
    `SELECT json_group_array(product_id) FILTER (WHERE is_enabled = 1) AS enabled, json_group_array(product_id) FILTER (WHERE is_enabled = 0) AS disabled
     FROM json_each(?3) CROSS JOIN confirmed_settings WHERE platform = ?1 AND company_id = ?2 AND product_id = value`,
  );
  const all = database.prepare<{ product_id: Id; is_enabled: number; mark: number }>(
    'SELECT product_id, is_enabled, mark FROM confirmed_settings WHERE platform = ? AND company_id = ?',
  );
  const put = database.prepare(
    `INSERT INTO confirmed_settings (platform, company_id, product_id, is_enabled, mark) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET is_enabled = excluded.is_enabled, mark = excluded.mark WHERE mark <= excluded.mark`,
  );
  const remove = database.prepare(
    'DELETE FROM confirmed_settings WHERE platform = ? AND company_id = ? AND product_id = ? AND mark <= ?',
  );
  const reading = database.prepare<{ read_at: number }>(
    'SELECT read_at FROM settings_readings WHERE platform = ? AND company_id = ?',
  );
  const putReading = database.prepare(
    'INSERT INTO settings_readings (platform, company_id, read_at) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET read_at = excluded.read_at',
  );
  const removeReading = database.prepare('DELETE FROM settings_readings WHERE platform = ? AND company_id = ?');
  const removeAll = database.prepare('DELETE FROM confirmed_settings WHERE platform = ? AND company_id = ?');
  return { one, many, all, put, remove, reading, putReading, removeReading, removeAll };
}

/** Opens the confirmed settings over queue.db. */
export function openCouponRepository(database: Database) {
  const { one, many, all, put, remove, reading, putReading, removeReading, removeAll } = prepareStatements(database);
  // The reading of each scope that is being kept, or was kept last. Readings of an earlier run are over.
  const newest = new Map<string, AskedReading>();
  const heard = createHearsay();

  function putEach(scope: CouponScope, settings: readonly CouponSettingRow[], mark: number): void {
    for (const setting of settings) {
      put.run(scope.platform, scope.companyId, setting.productId, Number(setting.isEnabled), mark);
    }
  }

  function readAt(scope: CouponScope): number | null {
    return reading.get(scope.platform, scope.companyId)?.read_at ?? null;
  }

  const listRead = (scope: CouponScope): readonly CouponSettingRow[] =>
    all
      .all(scope.platform, scope.companyId)
      .map((row) => ({ productId: row.product_id, isEnabled: row.is_enabled === 1 }));

  const isUnnamed = (scope: CouponScope): boolean => reading.get(scope.platform, unnamedOf(scope)) !== undefined;

  return {
    /**
     * The confirmed setting, as another till says it where nothing later was read; false for a product that a whole
     * reading did not list; null when nothing was ever read.
     */
    confirmed: (scope: CouponScope, productId: Id): boolean | null => {
      const told = heard.of(scope).get(productId);
      if (told !== undefined) {
        return told.isEnabled;
      }
      const row = one.get(scope.platform, scope.companyId, productId);
      if (row !== undefined) {
        return row.is_enabled === 1;
      }
      return readAt(scope) === null ? null : false;
    },
    /** The same for each of these products, read at once. */
    confirmedOf: (scope: CouponScope, productIds: readonly Id[]): ((productId: Id) => boolean | null) => {
      const known = many.get(scope.platform, scope.companyId, JSON.stringify(productIds));
      const enabled = new Set(JSON.parse(known?.enabled ?? '[]') as Id[]);
      const disabled = new Set(JSON.parse(known?.disabled ?? '[]') as Id[]);
      const unlisted = readAt(scope) === null ? null : false;
      const told = heard.of(scope);
      return (productId) =>
        told.get(productId)?.isEnabled ?? (enabled.has(productId) || (disabled.has(productId) ? false : unlisted));
    },
    /** Delivered updates; `mark` is the attempt that delivered them. Call it inside the queue's transaction. */
    confirm: (scope: CouponScope, settings: readonly CouponSettingRow[], mark: number) => {
      // A delivery that a reading knows of is not shared again.
      if (mark >= (newest.get(keyOf(scope))?.mark ?? 0)) {
        putEach(scope, settings, mark);
        heard.said(scope, settings);
      }
    },
    /** The same as another till says it; until the platform has said so itself it is hearsay. */
    hear: (scope: CouponScope, settings: readonly HeardSetting[], mark: number) => {
      if (mark >= (newest.get(keyOf(scope))?.mark ?? 0)) {
        heard.add(scope, settings, mark);
      }
    },
    /** The products whose setting another till alone has said. */
    hearsay: heard.of,
    /** The same as long as no such setting has given way: what was read before shows again then, and no row has changed. */
    hearsayDropped: heard.dropped,
    /**
     * A whole reading, `asked` as it was noted when it left, at `leftAt` by the wall clock. It never undoes what was
     * delivered since, here or by another till. Kept slice by slice; not begun, or given up, when a newer reading has
     * come, for an older one knows less, or when the `pause` between two slices says so. Answers whether it is kept whole.
     */
    replaceAll: async (
      scope: CouponScope,
      settings: readonly CouponSettingRow[],
      asked: AskedReading,
      leftAt: number,
      pause: () => Promise<boolean>,
    ): Promise<boolean> => {
      const key = keyOf(scope);
      const { mark, number } = asked;
      const other = newest.get(key);
      if (other !== undefined && (other.mark > mark || other.number > number)) {
        return false;
      }
      newest.set(key, asked);
      // Only what differs is written.
      const had = new Map(all.all(scope.platform, scope.companyId).map((row) => [row.product_id, row]));
      const changes = settings.filter(
        ({ productId, isEnabled }) => had.get(productId)?.is_enabled !== Number(isEnabled),
      );
      const listed = new Set(settings.map(({ productId }) => productId));
      const vanished = [...had.keys()].filter((productId) => !listed.has(productId));
      const last = Math.max(0, Math.ceil(Math.max(changes.length, vanished.length) / writtenAtOnce) - 1);
      for (let slice = 0; ; slice += 1) {
        const [from, to] = [slice * writtenAtOnce, (slice + 1) * writtenAtOnce];
        database.transaction(() => {
          if (slice === 0 && asked.isUnnamed === true) {
            putReading.run(scope.platform, unnamedOf(scope), leftAt);
          }
          putEach(scope, changes.slice(from, to), mark);
          for (const productId of vanished.slice(from, to)) {
            remove.run(scope.platform, scope.companyId, productId, mark);
          }
          if (slice === last) {
            putReading.run(scope.platform, scope.companyId, leftAt);
            if (asked.isUnnamed !== true && isUnnamed(scope)) {
              removeReading.run(scope.platform, unnamedOf(scope));
            }
          }
        });
        if (slice === last) {
          heard.read(scope, asked);
          return true;
        }
        if (!(await pause()) || newest.get(key) !== asked) {
          return false;
        }
      }
    },
    /** The attempt after which the setting of this product was so; null where it is not known. */
    markOf: (scope: CouponScope, productId: Id): number | null =>
      one.get(scope.platform, scope.companyId, productId)?.mark ?? null,
    /** All confirmed settings, as `confirmed` says them. */
    list: (scope: CouponScope): readonly CouponSettingRow[] => heard.over(scope, listRead(scope)),
    /** Those that the platform itself has told this till. */
    listRead,
    /** When the last whole reading of the settings left, in milliseconds since 1970; null when never. */
    readAt,
    /** Whether a part of them may be from a reading that was told without the company. */
    isUnnamed,
    /** As if nothing had ever been read. */
    forget: (scope: CouponScope) => {
      database.transaction(() => {
        removeAll.run(scope.platform, scope.companyId);
        removeReading.run(scope.platform, scope.companyId);
        removeReading.run(scope.platform, unnamedOf(scope));
      });
      heard.forget(scope);
    },
  };
}
