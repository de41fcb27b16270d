import type { AuditAction } from '../contract/audit.ts';
import type { Channel, InvokeInput, InvokeOutput } from '../contract/contract.ts';
import { hubPlaceSchema } from '../contract/hub.ts';
import { isFreeSetting, type accessRows } from '../contract/access.ts';
import type { Id } from '../domain/int64.ts';
import { readPlatformAddress } from '../domain/platform-address.ts';

type UpdateFacts = Pick<Extract<AuditAction, { kind: 'discard' }>, 'subject' | 'subjectId' | 'name' | 'isEnabled'>;

/** The facts that an entry may hold beyond the call itself. */
export interface AuditFacts {
  /** The settings document, by field. */
  readonly settings: () => Readonly<Record<string, unknown>>;
  readonly productName: (productId: Id) => string | null;
  /** Whether the product's coupon is so already, or will be. Throws StorageError. */
  readonly isCouponSet: (productId: Id, isEnabled: boolean) => boolean;
  readonly update: (updateId: number) => UpdateFacts | null;
  /**
   * Whether one of these updates, tried again, would take the place of what somebody else has set. Throws StorageError.
   */
  readonly overwrites: (updateIds: readonly number[]) => boolean;
  readonly profileName: (profileId: number) => string;
  /** Null where the hub knows no such till. */
  readonly tillName: (tillId: string) => string | null;
}

type Actions<Name extends Channel> = (
  input: InvokeInput<Name>,
  world: AuditFacts,
) => (output: InvokeOutput<Name>) => readonly AuditAction[];

/** The kinds of calls that only read, ask or report by themselves. */
type UnnotedHold = 'none' | 'lock' | 'audit' | 'updates' | 'closing';
/** Calls that can be locked must be told; the lock's own tell by themselves. */
type MustBeNoted = {
  [Name in Channel]: (typeof accessRows)[Name]['lock'] extends UnnotedHold ? never : Exclude<Name, 'provisioning:open'>;
}[Channel];

const maxTextLength = 500;
const maxPathLength = 100;

function wholeTextOf(value: unknown): string {
  if (value === undefined) {
    return '';
  }
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const textOf = (value: unknown): string => wholeTextOf(value).slice(0, maxTextLength);

const isTree = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The differences between two settings, leaf by leaf. */
function differences(field: string, from: unknown, to: unknown): readonly AuditAction[] {
  if (isTree(to)) {
    return Object.keys(to).flatMap((key) =>
      differences(`${field}.${key}`, isTree(from) ? from[key] : undefined, to[key]),
    );
  }
  return wholeTextOf(from) === wholeTextOf(to)
    ? []
    : [{ kind: 'setting', field: field.slice(0, maxPathLength), from: textOf(from), to: textOf(to) }];
}

/** The hub that this terminal has joined, as text; empty when there is none. */
function hubOf({ hub }: Readonly<Record<string, unknown>>): string {
  const { success, data } = hubPlaceSchema.strip().safeParse(hub);
  return success ? `${data.terminalName}: ${data.host}:${data.port}/${data.database}` : '';
}

function hubChanged({ settings }: AuditFacts): () => readonly AuditAction[] {
  const before = hubOf(settings());
  return () => differences('hub', before, hubOf(settings()));
}

const many = (kind: 'retries' | 'discards' | 'broughtBack' | 'couponsUndone', count: number): readonly AuditAction[] =>
  count === 0 ? [] : [{ kind, count }];

const couponSet =
  (did: Extract<AuditAction, { kind: 'couponSet' }>['did']) =>
  () =>
  ({ name }: { readonly name: string }): readonly AuditAction[] => [{ kind: 'couponSet', did, name }];

export const actionsOf: { readonly [Name in MustBeNoted]: Actions<Name> } & {
  readonly [Name in Channel]?: Actions<Name>;
} = {
  'settings:update': (input, { settings }) => {
    const before = settings();
    // A choice for a person's own eyes is nobody else's matter.
    const noted = Object.entries(input).filter(([field, value]) => value !== undefined && !isFreeSetting(field));
    return () => noted.flatMap(([field, value]) => differences(field, before[field], value));
  },
  'device:setStartsAtSignIn':
    ({ isOn }) =>
    () => [{ kind: 'setting', field: 'startsAtSignIn', from: String(!isOn), to: String(isOn) }],
  'profile:connect':
    ({ name, platformUrl }) =>
    ({ passed }) => {
      // What is set up in the place of another may keep its name. As it was given, an address hides its host in slashes.
      const address = readPlatformAddress(platformUrl);
      if (!passed || !address.ok) {
        return [];
      }
      const place = typeof name === 'string' ? `${name}, ${address.value}` : address.value;
      return [{ kind: 'profile', did: 'connected', name: textOf(place) }];
    },
  'profile:switch':
    ({ profileId }, { profileName }) =>
    () => [{ kind: 'profile', did: 'switched', name: profileName(profileId) }],
  'profile:rename': ({ profileId, name }, { profileName }) => {
    const before = profileName(profileId);
    return () => [{ kind: 'profile', did: 'renamed', name: textOf(`${before} → ${name ?? ''}`) }];
  },
  'profile:remove': ({ profileId }, { profileName }) => {
    const name = profileName(profileId);
    return () => [{ kind: 'profile', did: 'removed', name }];
  },
  'profile:leave': () => () => [{ kind: 'profile', did: 'left', name: '' }],
  'hub:join': (_input, world) => hubChanged(world),
  'hub:leave': (_input, world) => hubChanged(world),
  'hub:remove': ({ ids }, { tillName }) => {
    const names = ids.flatMap((id) => tillName(id) ?? []).join(', ');
    return ({ failure }) => (failure === null ? differences('hub', names, '') : []);
  },
  'provisioning:export': () => () => [{ kind: 'shopFileSaved' }],
  'localApi:makeToken': () => () => [{ kind: 'programTokenMade' }],
  'platformCheck:start': () => () => [{ kind: 'platformChecked' }],
  'practice:start': () => () => [{ kind: 'practiceOpened' }],
  'practice:signIn': () => () => [{ kind: 'signIn' }],
  'session:signIn': () => (report) => (report.passed ? [{ kind: 'signIn' }] : []),
  'session:signOut': () => () => [{ kind: 'signOut' }],
  'cashier:forget':
    ({ email }) =>
    () => [{ kind: 'cashierForgotten', name: textOf(email) }],
  'coupon:switch': ({ productId, isEnabled, source }, { productName, isCouponSet }) => {
    const isProgram = source === 'program';
    if (isProgram && isCouponSet(productId, isEnabled)) {
      return () => [];
    }
    const name = productName(productId);
    return () => [{ kind: 'coupon', productId, name, isEnabled, ...(isProgram ? { isByProgram: true } : {}) }];
  },
  'coupon:switchMany':
    ({ isEnabled }) =>
    ({ updateIds }) =>
      updateIds.length === 0 ? [] : [{ kind: 'coupons', count: updateIds.length, isEnabled }],
  'coupon:undoMany':
    () =>
    ({ takenBack }) =>
      many('couponsUndone', takenBack),
  'couponSet:save': couponSet('saved'),
  'couponSet:remove': couponSet('removed'),
  'couponSet:plan': couponSet('planned'),
  'couponSet:removePlan': couponSet('planRemoved'),
  'couponSet:skip':
    ({ isSkipped }) =>
    ({ name }) => [{ kind: 'couponSet', did: isSkipped ? 'skipped' : 'resumed', name }],
  'watchList:set':
    ({ minima }, { productName }) =>
    ({ kept }) => {
      const [first, ...others] = minima;
      if (first === undefined || kept === 0) {
        return [];
      }
      const { productId, minimum } = first;
      return others.length === 0
        ? [{ kind: 'minimum', productId, name: productName(productId), minimum }]
        : [{ kind: 'minima', count: kept }];
    },
  'shopLists:export': () => () => [{ kind: 'listsSaved' }],
  'shopLists:take':
    () =>
    ({ counts: { minimum, set, plan } }) => [{ kind: 'listsTaken', count: minimum + set + plan }],
  'user:restore':
    ({ userId }) =>
    () => [{ kind: 'restoreUser', userId }],
  'queue:retry': ({ updateId }, { update }) => {
    const facts = update(updateId);
    return () => (facts === null ? [] : [{ kind: 'retry', ...facts }]);
  },
  'queue:retryMany':
    () =>
    ({ retried }) =>
      many('retries', retried),
  'queue:discard': ({ updateId }, { update }) => {
    const facts = update(updateId);
    return () => (facts === null ? [] : [{ kind: 'discard', ...facts }]);
  },
  'queue:discardMany':
    () =>
    ({ updateIds }) =>
      many('discards', updateIds.length),
  'queue:bringBack':
    () =>
    ({ broughtBack }) =>
      many('broughtBack', broughtBack),
  'stocktake:delete':
    () =>
    ({ name, lines: { same, different, noFigure, unknownCode } }) => [
      { kind: 'stocktakeDeleted', name, count: same + different + noFigure + unknownCode },
    ],
};
