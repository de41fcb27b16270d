import { describe, expect, test } from 'vitest';
import { auditGroupNames } from '../../../../app/contract/limits/audit.ts';
import { auditActionSchema, auditGroups, type AuditAction } from '../../../../app/contract/audit.ts';
import { isFreeSetting } from '../../../../app/contract/access.ts';
import { settingSchemas } from '../../../../app/contract/settings.ts';
import { languages } from '../../../../app/domain/language.ts';
import type { Id } from '../../../../app/domain/int64.ts';
import { wordsOfAction } from '../../../../renderer/lock/audit-words.ts';
import { createEveryWord } from '../../../support/sentences.ts';

const update = { subjectId: '7', name: 'Café', isEnabled: true } as const;
const actions: readonly [AuditAction, RegExp][] = [
  [{ kind: 'coupon', productId: '7' as Id, name: 'Café', isEnabled: true }, /Café/],
  [{ kind: 'coupon', productId: '7' as Id, name: null, isEnabled: false }, /7/],
  [{ kind: 'coupons', count: 1, isEnabled: true }, /1/],
  [{ kind: 'coupons', count: 1234, isEnabled: false }, /1[.,]?234/],
  [{ kind: 'couponsUndone', count: 2 }, /2/],
  [{ kind: 'minimum', productId: '7' as Id, name: 'Café', minimum: 2.5 }, /Café.*2[.,]5/],
  [{ kind: 'minimum', productId: '7' as Id, name: null, minimum: null }, /7/],
  [{ kind: 'minima', count: 100 }, /100/],
  [{ kind: 'listsTaken', count: 31 }, /31/],
  [{ kind: 'couponsByPlan', name: 'Happy hour', count: 12, isEnabled: true }, /Happy hour.*12/],
  [{ kind: 'couponSet', did: 'planRemoved', name: 'Happy hour' }, /Happy hour/],
  [{ kind: 'restoreUser', userId: '9' as Id }, /9/],
  [{ kind: 'retry', subject: 'coupon', ...update }, /Café/],
  [{ kind: 'retries', count: 3 }, /3/],
  [{ kind: 'discard', subject: 'coupon', ...update, isEnabled: false }, /Café/],
  [{ kind: 'discard', subject: 'restoreUser', ...update, name: null }, /7/],
  [{ kind: 'discards', count: 3 }, /3/],
  [{ kind: 'broughtBack', count: 1 }, /1/],
  [{ kind: 'stocktakeDeleted', name: 'Shelf 4', count: 312 }, /Shelf 4.*312/],
  [{ kind: 'setting', field: 'queueLimits.historyDays', from: '30', to: '60' }, / 30 (to|a|para) 60/],
  [{ kind: 'setting', field: 'scanner.meanGapMs', from: '35', to: '40' }, /meanGapMs.* 35 (to|a|para) 40/],
  [{ kind: 'setting', field: 'ofLater.deep', from: '', to: 'x' }, /ofLater\.deep/],
  ...(['connected', 'switched', 'renamed', 'removed', 'left'] as const).map((did): [AuditAction, RegExp] => [
    { kind: 'profile', did, name: 'Depot' },
    did === 'left' ? /./ : /Depot/,
  ]),
  [
    { kind: 'provisioned', name: 'shop.example.com 7', fields: ['stockIds', 'kiosk'] },
    /shop\.example\.com 7.*stockIds, kiosk/,
  ],
  [{ kind: 'lockChosen', kinds: ['users', 'coupons'], opensForMinutes: 0 }, /./],
  [{ kind: 'lockChosen', kinds: [], opensForMinutes: 5 }, /5/],
  [{ kind: 'tillLocked', isByRest: false }, /./],
  [{ kind: 'tillLocked', isByRest: true }, /./],
  [{ kind: 'ownPinWrong', name: 'bea@example.com' }, /bea@example\.com/],
  [{ kind: 'cashierForgotten', name: 'bea@example.com' }, /bea@example\.com/],
  ...(
    [
      'practiceOpened',
      'shopFileSaved',
      'listsSaved',
      'programTokenMade',
      'platformChecked',
      'cameByBadge',
      'badgeUnknown',
      'badgeMade',
      'badgeRemoved',
      'signIn',
      'signOut',
      'cameBack',
      'ownPinSet',
      'ownPinChanged',
      'ownPinRemoved',
      'unlocked',
      'lockedNow',
      'pinWrong',
      'pinSet',
      'pinChanged',
      'pinRemoved',
      'pinForgotten',
      'pinProvisioned',
      'other',
    ] as const
  ).map((kind): [AuditAction, RegExp] => [{ kind }, /./]),
];

describe.each(languages)('in %s', (language) => {
  test('every action is told in words of its own', async () => {
    const words = await createEveryWord(language);
    for (const [action, about] of actions) {
      const reported = wordsOfAction(auditActionSchema.parse(action), words.t, language);
      expect(reported).toMatch(about);
      // A key that has no words is shown as itself.
      expect(reported).not.toMatch(/audit\.|lock\.|\{\{|undefined/);
    }
  });

  test('every setting that is told has a name', async () => {
    const words = await createEveryWord(language);
    const fields = Object.keys(settingSchemas).filter((field) => !isFreeSetting(field));
    expect(fields.filter((field) => !words.exists(`lock.audit.field.${field}`))).toEqual([]);
  });
});

test('every action that there is has been tried here, and is in a group of its own', () => {
  const kinds = auditActionSchema.options.map((option) => option.shape.kind.value);
  expect(new Set(actions.map(([{ kind }]) => kind))).toEqual(new Set(kinds));
  const grouped = auditGroupNames.flatMap((group): readonly string[] => auditGroups[group]);
  expect(grouped.toSorted()).toEqual(kinds.filter((kind) => kind !== 'other').toSorted());
});
