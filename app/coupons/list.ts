// The list of coupon settings: the products whose setting is known, waits or was refused. A search also brings those
// that have none yet. They come in the order of their names, one page at a time. Between two pages it remembers names
// and their order, the settings, and what the last text fitted, for finding them takes longest. It is told when to
// forget.
//
//   L1  What a view has listed stays in it, whether or not it still fits the filter, so that no row moves away under a
//       finger. A new view lists only what fits.
import { orderKey } from '../catalogue/browse/order-keys.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { wordsOf } from '../catalogue/search/words.ts';
import type { CouponFilter, CouponPage, CouponRow, CouponState } from '../contract/coupons.ts';
import { couponFrom } from './coupon-state.ts';
import type { CouponScope, CouponRepository } from './repository.ts';
import type { Failure } from '../domain/failure.ts';
import { parseId, type Id } from '../domain/int64.ts';
import { fail, succeed, type Result } from '../domain/result.ts';
import type { OpenCoupon, OpenCouponOfOther, Owner } from '../queue/rows.ts';
import type { QueueRepository } from '../queue/repository.ts';

export interface CouponListPorts {
  readonly scope: CouponScope;
  readonly owner: () => Owner | null;
  /** Whether what this user has asked for goes out as it is now. */
  readonly sendsFor: (email: string) => boolean;
  readonly queueRepository: Pick<QueueRepository, 'openCoupons' | 'openCouponsOfOthers' | 'knownOwnerId' | 'underWay'>;
  readonly coupons: Pick<CouponRepository, 'list' | 'readAt'>;
  /** The change that waits at another till; absent where there is no hub. */
  readonly ofTill?: (productId: Id) => CouponState['ofTill'];
  readonly catalogue: Pick<Catalogue, 'nameOf' | 'products'>;
  /** Whether the copy has had all that the platform lists. */
  readonly isCopied: () => boolean;
  /** Lets everything else have its turn. Answers whether to go on. */
  readonly pause: () => Promise<boolean>;
}

export interface CouponQuery {
  readonly filter: CouponFilter;
  readonly term?: string | undefined;
  readonly view?: number | undefined;
}

interface Found {
  /** Names what this list has shown so far (L1). */
  readonly view: number;
  readonly total: number;
  /** So many products fit the term that those without a setting were cut off. */
  readonly isCut: boolean;
}

export type CouponList = ReturnType<typeof createCouponList>;

interface Named {
  readonly productId: Id;
  readonly name: string | null;
  readonly code: string | null;
  readonly key: string;
}

/** The names that are known, and all of them in order. */
interface NameBook {
  readonly names: Map<Id, Named>;
  order: readonly Named[];
}

interface Settings {
  readonly owner: Owner | null;
  /** The newest open update of a product is the one that counts. */
  readonly open: ReadonlyMap<Id, OpenCoupon>;
  /** The same of other users of this company. */
  readonly ofOthers: ReadonlyMap<Id, OpenCouponOfOther>;
  readonly confirmed: ReadonlyMap<Id, boolean>;
  readonly hasReading: boolean;
}

/** The products that a text fits; null without a text. */
interface Fitting {
  readonly term: string;
  readonly products: readonly Named[];
  readonly ids: ReadonlySet<Id>;
  readonly isCut: boolean;
}

interface Listed {
  readonly view: number;
  /** True when nothing is in it that only was listed before. */
  readonly isNew: boolean;
  readonly query: string;
  readonly settings: Settings;
  readonly rows: readonly Named[];
  readonly isCut: boolean;
}

const namesAtOnce = 1000;
const maxRounds = 3;
const afterAllNames = '\u{10FFFF}';
/** Products without a setting that a text may bring: as many as the queue could take. */
const maxFitting = 10_000;

function compare(left: Named, right: Named): number {
  if (left.key !== right.key) {
    return left.key < right.key ? -1 : 1;
  }
  return left.productId.length - right.productId.length || (left.productId < right.productId ? -1 : 1);
}

function toNamed(productId: Id, known: { readonly name: string; readonly code: string | null } | null): Named {
  // A product that the copy does not have yet stands behind all names.
  const key = known === null ? afterAllNames : orderKey(known.name);
  return { productId, name: known?.name ?? null, code: known?.code ?? null, key };
}

function toRow(
  { productId, name, code }: Named,
  now: Settings,
  underWay: number | null,
  ofTill: CouponState['ofTill'],
  sendsFor: CouponListPorts['sendsFor'],
): CouponRow {
  const confirmed = now.confirmed.get(productId) ?? (now.hasReading ? false : null);
  const other = now.ofOthers.get(productId);
  const ofOther = other === undefined ? undefined : { ...other, isSignInNeeded: !sendsFor(other.email) };
  return {
    productId,
    productName: name,
    code,
    coupon: couponFrom(confirmed, now.open.get(productId), underWay, ofOther, ofTill),
  };
}

function merge(left: readonly Named[], right: readonly Named[]): readonly Named[] {
  const merged: Named[] = [];
  let at = 0;
  for (const row of right) {
    for (let next = left[at]; next !== undefined && compare(next, row) < 0; next = left[at]) {
      merged.push(next);
      at += 1;
    }
    merged.push(row);
  }
  return [...merged, ...left.slice(at)];
}

/** The setting that the switch of a product shows; null when nobody knows. */
function isOn({ open, confirmed, hasReading }: Settings, productId: Id): boolean | null {
  const update = open.get(productId);
  return update === undefined || update.state === 'parked'
    ? (confirmed.get(productId) ?? (hasReading ? false : null))
    : update.is_enabled === 1;
}

function passes(filter: CouponFilter, settings: Settings, productId: Id): boolean {
  const states = [settings.open.get(productId)?.state, settings.ofOthers.get(productId)?.state];
  switch (filter) {
    case 'all':
      return true;
    case 'enabled':
      return isOn(settings, productId) === true;
    case 'disabled':
      return isOn(settings, productId) === false;
    case 'waiting':
      return states.some((state) => state === 'pending' || state === 'sealed');
    case 'refused':
      return states.includes('parked');
  }
}

/** A list that was cut off is looked at by eye; and a product that the copy does not have is found by its id. */
function fits({ ids, isCut, term }: Fitting, words: readonly string[], { productId, name, code }: Named): boolean {
  if (ids.has(productId) || (name === null && productId.includes(term))) {
    return true;
  }
  const own = isCut ? wordsOf(`${name ?? ''} ${code ?? ''}`) : [];
  return own.length > 0 && words.every((word) => own.some((one) => one.startsWith(word)));
}

function select(
  { filter }: CouponQuery,
  { order }: NameBook,
  now: Settings,
  text: Fitting | null,
  kept: ReadonlySet<Id>,
): readonly Named[] {
  const { open, ofOthers, confirmed } = now;
  const isKnown = (productId: Id): boolean =>
    confirmed.has(productId) || open.has(productId) || ofOthers.has(productId);
  const words = text === null ? [] : wordsOf(text.term);
  const isListed = (row: Named): boolean =>
    isKnown(row.productId) && passes(filter, now, row.productId) && (text === null || fits(text, words, row));
  const known = order.filter((row) => kept.has(row.productId) || isListed(row));
  const without =
    text === null || (filter !== 'all' && filter !== 'disabled')
      ? []
      : text.products.filter(
          ({ productId }) => !isKnown(productId) && !kept.has(productId) && passes(filter, now, productId),
        );
  return without.length === 0 ? known : merge(known, without);
}

/** Puts those that are new into the order, slice by slice. Answers whether to go on. */
async function learnNames(
  { catalogue, pause }: Pick<CouponListPorts, 'catalogue' | 'pause'>,
  into: NameBook,
  productIds: readonly Id[],
): Promise<boolean> {
  // One that a failing disk has altered is none, and must not hide the others.
  const unknown = productIds.filter((productId) => !into.names.has(productId) && parseId(productId) === productId);
  for (let place = 0; place < unknown.length; place += namesAtOnce) {
    const slice = unknown
      .slice(place, place + namesAtOnce)
      .map((productId) => toNamed(productId, catalogue.nameOf(productId)));
    for (const named of slice) {
      into.names.set(named.productId, named);
    }
    into.order = merge(into.order, slice.sort(compare));
    if (unknown.length > namesAtOnce && !(await pause())) {
      return false;
    }
  }
  return true;
}

/** Makes what reads the settings, and keeps them until they are forgotten or somebody else signs in. */
function createSettingsCache({ scope, owner, queueRepository, coupons, pause }: CouponListPorts) {
  let settings: Settings | null = null;
  // How often settings were forgotten.
  let forgotten = 0;

  function areCurrent(now: Settings | null): now is Settings {
    return now !== null && settings === now && now.owner?.email === owner()?.email;
  }

  return {
    /** Null when the store is closed meanwhile. */
    read: async (): Promise<Settings | null> => {
      if (areCurrent(settings)) {
        return settings;
      }
      const reader = owner();
      // Waiting changes are read first: one that is delivered between the two readings is then in the second.
      const ownerId = reader === null ? 0 : queueRepository.knownOwnerId(reader);
      const open = new Map(
        (reader === null ? [] : queueRepository.openCoupons(ownerId)).map((row) => [row.subject_id, row]),
      );
      const ofOthers = new Map(queueRepository.openCouponsOfOthers(ownerId, scope).map((row) => [row.subject_id, row]));
      const isForgotten = forgotten;
      if (open.size + ofOthers.size > namesAtOnce && !(await pause())) {
        return null;
      }
      const confirmed = new Map(coupons.list(scope).map((setting) => [setting.productId, setting.isEnabled]));
      const now = { owner: reader, open, ofOthers, confirmed, hasReading: coupons.readAt(scope) !== null };
      if (confirmed.size > namesAtOnce && !(await pause())) {
        return null;
      }
      // A change in between makes it old at once, but it is still a state that a person may see: they are told of the
      // change.
      settings = isForgotten === forgotten ? now : null;
      return now;
    },

    forget: (): void => {
      forgotten += 1;
      settings = null;
    },
  };
}

/** Whether what fits depends on the settings that the platform has told. */
export const isBySetting = (filter: CouponQuery['filter']): boolean => filter === 'enabled' || filter === 'disabled';

/** Whether nothing can fit that has not been read from the platform yet. */
function isReadWhole(
  { filter, term = '' }: CouponQuery,
  { hasReading }: Settings,
  isCopied: CouponListPorts['isCopied'],
): boolean {
  return (term.trim() === '' || isCopied()) && (hasReading || !isBySetting(filter));
}

/** Makes the list of one open store. */
export function createCouponList(ports: CouponListPorts) {
  const { owner, sendsFor, catalogue, ofTill, queueRepository } = ports;
  const settings = createSettingsCache(ports);
  let book: NameBook = { names: new Map(), order: [] };
  let fitting: Fitting | null = null;
  let listed: Listed | null = null;
  let views = 0;
  // The rows that the last view has listed.
  let shown: Pick<Listed, 'view' | 'query' | 'rows'> | null = null;
  let turn: Promise<unknown> = Promise.resolve();

  async function find(term: string): Promise<Fitting | null> {
    if (term === '' || fitting?.term === term) {
      return term === '' ? null : fitting;
    }
    const found = await catalogue.products(term, maxFitting);
    // Without a copy, what has a setting is still found by what its name was.
    const products = (found.ok ? found.value.products : [])
      .map((product) => toNamed(product.productId, product))
      .sort(compare);
    return {
      term,
      products,
      ids: new Set(products.map(({ productId }) => productId)),
      isCut: !found.ok || found.value.isCut,
    };
  }

  async function list(query: CouponQuery): Promise<Result<Listed, Failure>> {
    const name = JSON.stringify([query.filter, query.term]);
    const before = shown !== null && shown.view === query.view && shown.query === name ? shown : null;
    for (let round = 1; ; round += 1) {
      const now = await settings.read();
      if (now === null) {
        return fail({ kind: 'notReady' });
      }
      if (
        listed !== null &&
        listed.settings === now &&
        listed.query === name &&
        (before === null ? listed.isNew : listed.view === before.view)
      ) {
        return succeed(listed);
      }
      const kept = new Set(before?.rows.map(({ productId }) => productId));
      const mine = book;
      const text = await find((query.term ?? '').trim());
      const goesOn = await learnNames(ports, mine, [
        ...new Set([...now.confirmed.keys(), ...now.open.keys(), ...now.ofOthers.keys(), ...kept]),
      ]);
      if (!goesOn) {
        return fail({ kind: 'notReady' });
      }
      const rows = select(query, mine, now, text, kept);
      // Names that were forgotten meanwhile are asked for again, but not for ever: whoever made them change tells of
      // it, too.
      if ((book === mine || round >= maxRounds) && now.owner?.email === owner()?.email) {
        views += before === null ? 1 : 0;
        const found: Listed = {
          view: before?.view ?? views,
          isNew: before === null,
          query: name,
          settings: now,
          rows,
          isCut: text?.isCut === true,
        };
        shown = found;
        if (book === mine) {
          fitting = text ?? fitting;
          listed = found;
        }
        return succeed(found);
      }
    }
  }

  /** One after the other, so that nothing is looked for twice. */
  function inTurn(query: CouponQuery): Promise<Result<Listed, Failure>> {
    const mine = turn.then(() => list(query));
    turn = mine.catch(() => undefined);
    return mine;
  }

  return {
    /** Fails with `notReady` when the store is closed meanwhile. */
    page: async (
      query: CouponQuery,
      offset: number,
      limit: number,
    ): Promise<Result<Found & Pick<CouponPage, 'rows'>, Failure>> => {
      const found = await inTurn(query);
      if (!found.ok) {
        return found;
      }
      const { view, rows, settings: now, isCut } = found.value;
      const underWay = queueRepository.underWay();
      const page = rows
        .slice(offset, offset + limit)
        .map((row) => toRow(row, now, underWay, ofTill?.(row.productId), sendsFor));
      return succeed({ view, total: rows.length, isCut, rows: page });
    },
    /**
     * The products of these places alone, for what acts on all of them. Fails as `page` does, and with `notCopied` where
     * more may fit than has been read so far.
     */
    ids: async (
      query: CouponQuery,
      offset: number,
      limit: number,
    ): Promise<Result<Found & { readonly productIds: readonly Id[] }, Failure>> => {
      const found = await inTurn(query);
      if (!found.ok) {
        return found;
      }
      const { view, rows, isCut, settings: now } = found.value;
      const productIds = rows.slice(offset, offset + limit).map(({ productId }) => productId);
      return isReadWhole(query, now, ports.isCopied)
        ? succeed({ view, total: rows.length, isCut, productIds })
        : fail({ kind: 'notCopied' });
    },
    /** Names may have changed. */
    forgetNames: () => {
      book = { names: new Map(), order: [] };
      fitting = null;
      listed = null;
    },
    /** Settings, or what waits, may have changed. */
    forgetSettings: settings.forget,
  };
}
