import { expect, test } from 'vitest';
import { shopShownBy } from '../../../app/contract/shown-for.ts';
import type { Id } from '../../../app/domain/int64.ts';

const profile = { platformUrl: 'https://one.example.com', companyId: '7' as Id };
const other = { ...profile, platformUrl: 'https://other.example.com' };

test('a number that was given again, and a company of another platform, name another shop', () => {
  const shown = shopShownBy({ mode: 'platform', profileId: 2, profile });
  expect(shopShownBy({ mode: 'platform', profileId: 2, profile: { ...profile } })).toBe(shown);
  expect(shopShownBy({ mode: 'platform', profileId: 2, profile: other })).not.toBe(shown);
});

test('the practice store is the same one at whatever address it opens', () => {
  const at = (practice: typeof profile) => shopShownBy({ mode: 'practice', profileId: null, profile: practice });
  expect(at(other)).toBe(at(profile));
});
