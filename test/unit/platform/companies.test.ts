// The proof that the list of coupon settings names its company, and is never another's by its own words.
import { expect, test } from 'vitest';
import type { Id } from '../../../app/domain/int64.ts';
import { succeed } from '../../../app/domain/result.ts';
import { createPlatformClient } from '../../../app/platform/client.ts';
import { idleSlot } from '../../support/idle-slot.ts';
import { fixedTokens } from '../../support/tokens.ts';

function open(body: string) {
  const companies: (Id | undefined)[] = [];
  const client = createPlatformClient({
    exchange: ({ companyId }) => {
      companies.push(companyId);
      return Promise.resolve(succeed({ status: 200, headers: {}, body }));
    },
    rateLimit: { take: () => Promise.resolve(succeed(idleSlot)), slowDown: () => undefined, wantedFigures: () => [] },
    tokens: fixedTokens('token'),
    companyId: '42' as Id,
  });
  return { companies, client };
}

test('I4: the list names the company, unless it is asked for without', async () => {
  const { companies, client } = open('{"items":[]}');
  await client.listCouponSettings({}, { lane: 'person' });
  await client.listSettingsOfUnnamedCompany({}, { lane: 'person' });
  await client.listCouponSettings({}, { lane: 'person' });
  expect(companies).toEqual(['42', undefined, '42']);
});

test.each([
  ['42', true],
  ['"42"', true],
  ['null', true],
  ['"Shop"', true],
  ['43', false],
  ['"43"', false],
])('I4: settings that name company %s are those of company 42: %s', async (company, isOk) => {
  const items = `{"product_id":5,"is_enabled":true},{"product_id":6,"is_enabled":true,"company_id":${company}}`;
  const { client } = open(`{"items":[${items}]}`);
  for (const call of ['listCouponSettings', 'listSettingsOfUnnamedCompany'] as const) {
    expect(await client[call]({}, { lane: 'person' })).toMatchObject(
      isOk ? { ok: true, value: [{}, {}] } : { ok: false, failure: { kind: 'answerMalformed' } },
    );
  }
});
