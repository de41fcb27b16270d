import { z } from 'zod';
import { count, idSchema, instant, shortText } from './basics.ts';
import { maxExported } from './basics.ts';
import { auditGroupNames } from './limits/audit.ts';
import { lockChoiceSchema } from './lock.ts';

const update = {
  subject: z.enum(['coupon', 'restoreUser']),
  subjectId: shortText,
  name: shortText.nullable(),
  isEnabled: z.boolean(),
};

/** One action of somebody. */
export const auditActionSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('coupon'),
    productId: idSchema,
    name: shortText.nullable(),
    isEnabled: z.boolean(),
    /** By a program of this machine, while this person was signed in. */
    isByProgram: z.literal(true).optional(),
  }),
  /** Many at once; each of them is in the queue's history. */
  z.strictObject({ kind: z.literal('coupons'), count, isEnabled: z.boolean() }),
  z.strictObject({ kind: z.literal('couponsUndone'), count }),
  /** By a plan, for the user who planned it. */
  z.strictObject({ kind: z.literal('couponsByPlan'), name: shortText, count, isEnabled: z.boolean() }),
  z.strictObject({
    kind: z.literal('couponSet'),
    did: z.enum(['saved', 'removed', 'planned', 'planRemoved', 'skipped', 'resumed']),
    name: shortText,
  }),
  /** Null: taken off the watch list. */
  z.strictObject({
    kind: z.literal('minimum'),
    productId: idSchema,
    name: shortText.nullable(),
    minimum: z.number().nullable(),
  }),
  z.strictObject({ kind: z.literal('minima'), count }),
  /** Minimums, sets and plans as a file for the other tills, or so many of them changed by one. */
  z.strictObject({ kind: z.literal('listsSaved') }),
  z.strictObject({ kind: z.literal('listsTaken'), count }),
  z.strictObject({ kind: z.literal('restoreUser'), userId: idSchema }),
  z.strictObject({ kind: z.literal('retry'), ...update }),
  z.strictObject({ kind: z.literal('retries'), count }),
  z.strictObject({ kind: z.literal('discard'), ...update }),
  z.strictObject({ kind: z.literal('discards'), count }),
  z.strictObject({ kind: z.literal('broughtBack'), count }),
  /** A count of a shelf, with so many counted lines. */
  z.strictObject({ kind: z.literal('stocktakeDeleted'), name: shortText, count }),
  /** A field of the settings, as a path such as "queueLimits.historyDays", and its values as text. */
  z.strictObject({ kind: z.literal('setting'), field: z.string().max(100), from: shortText, to: shortText }),
  z.strictObject({
    kind: z.literal('profile'),
    did: z.enum(['connected', 'switched', 'renamed', 'removed', 'left']),
    name: shortText,
  }),
  /** By the provisioning file: the platform's host with the company, and the file's fields that changed something. */
  z.strictObject({ kind: z.literal('provisioned'), name: shortText, fields: z.array(z.string().max(100)).max(200) }),
  z.strictObject({ kind: z.literal('shopFileSaved') }),
  /** The token that programs bring; never the token itself. */
  z.strictObject({ kind: z.literal('programTokenMade') }),
  z.strictObject({ kind: z.literal('platformChecked') }),
  z.strictObject({ kind: z.literal('practiceOpened') }),
  z.strictObject({ kind: z.literal('signIn') }),
  z.strictObject({ kind: z.literal('signOut') }),
  /** By hand, or after a rest. */
  z.strictObject({ kind: z.literal('tillLocked'), isByRest: z.boolean() }),
  z.strictObject({ kind: z.literal('cameBack') }),
  z.strictObject({ kind: z.literal('cameByBadge') }),
  /** Somebody has scanned a badge that nobody has here. */
  z.strictObject({ kind: z.literal('badgeUnknown') }),
  z.strictObject({ kind: z.literal('badgeMade') }),
  z.strictObject({ kind: z.literal('badgeRemoved') }),
  /** A wrong PIN for this user. */
  z.strictObject({ kind: z.literal('ownPinWrong'), name: shortText }),
  z.strictObject({ kind: z.literal('ownPinSet') }),
  z.strictObject({ kind: z.literal('ownPinChanged') }),
  z.strictObject({ kind: z.literal('ownPinRemoved') }),
  /** Somebody has taken another user's PIN away. */
  z.strictObject({ kind: z.literal('cashierForgotten'), name: shortText }),
  z.strictObject({ kind: z.literal('unlocked') }),
  z.strictObject({ kind: z.literal('lockedNow') }),
  z.strictObject({ kind: z.literal('pinWrong') }),
  z.strictObject({ kind: z.literal('pinSet') }),
  z.strictObject({ kind: z.literal('pinChanged') }),
  z.strictObject({ kind: z.literal('pinRemoved') }),
  /** Removed at the start of the app, by who could start it with that flag. */
  z.strictObject({ kind: z.literal('pinForgotten') }),
  z.strictObject({ kind: z.literal('pinProvisioned') }),
  z.strictObject({ kind: z.literal('lockChosen'), ...lockChoiceSchema.shape }),
  /** Written by a newer version, or damaged on the disk. */
  z.strictObject({ kind: z.literal('other') }),
]);
export type AuditAction = z.infer<typeof auditActionSchema>;
export type AuditActionKind = AuditAction['kind'];

export type AuditGroup = (typeof auditGroupNames)[number];

/** The groups that the list can be narrowed to, and the actions that each covers; an empty list means all. */
export const auditGroups = {
  all: [],
  coupons: ['coupon', 'coupons', 'couponsUndone', 'couponsByPlan', 'couponSet'],
  queue: ['retry', 'retries', 'discard', 'discards', 'broughtBack'],
  stocktakes: ['stocktakeDeleted'],
  users: ['restoreUser'],
  settings: [
    'setting',
    'minimum',
    'minima',
    'listsSaved',
    'listsTaken',
    'profile',
    'provisioned',
    'shopFileSaved',
    'programTokenMade',
    'platformChecked',
    'practiceOpened',
  ],
  lock: [
    'unlocked',
    'lockedNow',
    'pinWrong',
    'pinSet',
    'pinChanged',
    'pinRemoved',
    'pinForgotten',
    'pinProvisioned',
    'lockChosen',
  ],
  signIns: [
    'signIn',
    'signOut',
    'tillLocked',
    'cameBack',
    'cameByBadge',
    'badgeUnknown',
    'badgeMade',
    'badgeRemoved',
    'ownPinWrong',
    'ownPinSet',
    'ownPinChanged',
    'ownPinRemoved',
    'cashierForgotten',
  ],
} as const satisfies Record<AuditGroup, readonly AuditActionKind[]>;

const emailSchema = z.string().max(320);
const auditEntrySchema = z.strictObject({
  id: count,
  at: instant,
  /** Who was signed in; null for nobody. */
  email: emailSchema.nullable(),
  /** Of which company; null while no shop was open. */
  companyId: idSchema.nullable(),
  isPractice: z.boolean(),
  /** Whether it was locked, and let through by a PIN. */
  isWithPin: z.boolean(),
  action: auditActionSchema,
});
export type AuditEntry = z.infer<typeof auditEntrySchema>;

const auditWithinSchema = z.strictObject({
  /** The first moment, and the first after the last. */
  from: instant.optional(),
  until: instant.optional(),
  /** Whose they are; null for nobody's, absent for all. */
  email: emailSchema.nullable().optional(),
});
/** What the entries of a group are narrowed to. */
export type AuditWithin = z.infer<typeof auditWithinSchema>;

const auditFilterSchema = auditWithinSchema.extend({ group: z.enum(auditGroupNames) });
/** Which entries are asked for. */
export type AuditFilter = z.infer<typeof auditFilterSchema>;

export const auditPageInputSchema = auditFilterSchema.extend({
  offset: count,
  limit: z.number().int().min(1).max(200),
});
export const auditExportInputSchema = auditFilterSchema.extend({ after: count });
const auditAroundSchema = z.strictObject({
  /** Who has an entry, by name; the first hundred. */
  people: z.array(emailSchema).max(100),
  /** When the earliest was; null for none. */
  oldestAt: instant.nullable(),
});
/** What the whole list can be narrowed to. */
export type AuditAround = z.infer<typeof auditAroundSchema>;
export const auditPageSchema = auditAroundSchema.extend({ total: count, rows: z.array(auditEntrySchema).max(200) });
/** Oldest first, and the entry after which the next ones begin; null after the last. */
export const auditExportPageSchema = z.strictObject({
  rows: z.array(auditEntrySchema).max(maxExported),
  next: count.nullable(),
});
