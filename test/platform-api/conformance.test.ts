// The kit of app/conformance on the training platform: under every reading of what API v3 leaves open, and with each of
// its lines broken.
import { describe, expect, it } from 'vitest';
import type { Report } from '../../app/conformance/run.ts';
import { variantTable, type Variants } from '../../app/training/options/variants.ts';
import { openJudgedPlatform } from '../support/judged-platform.ts';

const brokenIn = ({ lines }: Report): readonly string[] =>
  lines.filter(({ verdict }) => verdict === 'broken').map(({ id, why }) => `${id} ${JSON.stringify(why)}`);
const readingOf = ({ readings }: Report, id: string): string | undefined =>
  readings.find((reading) => reading.id === id)?.value;

type Case = { [Name in keyof Variants]-?: readonly [Name, Variants[Name], string | null, string?] }[keyof Variants];

/** Every value of every option, and what the kit then says of which reading; null where half of the limit cannot tell. */
const cases: readonly Case[] = [
  ['elementShape', 'nested', '2:batch-fields', 'id, batch, amount, created_at, expires_at'],
  ['elementShape', 'flat', '2:batch-fields', 'movement_id, lot_number, quantity, entry_date, expiration_date'],
  ['elementShape', 'bare', '2:element-fields', 'id, name'],
  ['listedFields', 'few', '2:option-fields', 'option.id, option.name, balance'],
  ['listedFields', 'more', '2:element-fields', 'aisle'],
  ['timeZone', 'America/Sao_Paulo', '2:time-zone', '-03:00'],
  ['timeZone', 'America/Manaus', '2:time-zone', '-04:00'],
  ['timeZone', 'America/New_York', '2:time-zone', '-05:00'],
  ['timeZone', 'Asia/Kolkata', '2:time-zone', '+05:30'],
  ['timeZone', 'UTC', '2:time-zone', '+00:00'],
  ['defaultOrder', 'id', '4.3:default-order', 'id'],
  ['defaultOrder', 'code', '4.3:default-order', 'code'],
  ['defaultOrder', 'name', '4.3:default-order', 'name'],
  ['termMatch', 'exactFirst', '4.3:term-of-code', 'notFound'],
  ['termMatch', 'contains', '4.3:term-of-code', 'found'],
  ['zeroMeans', 'zeroBalance', '4.3:zero', 'everyZero'],
  ['zeroMeans', 'noMovements', '4.3:zero', 'noMovements'],
  ['emptyLastPage', 1, '2:empty-last-page', '1'],
  ['emptyLastPage', 0, '2:empty-last-page', '0'],
  ['pageBeyondLast', 'empty', '2:page-beyond', 'empty'],
  ['pageBeyondLast', 'notFound', '2:page-beyond', '404 not_found'],
  ['exits', 'negative', '4.4:exits', 'negative'],
  ['exits', 'positive', '4.4:exits', 'positive'],
  ['balanceWithOptions', 'chosen', '4.4:balance-of-options', 'chosen'],
  ['balanceWithOptions', 'whole', '4.4:balance-of-options', 'whole'],
  ['couponsOfCompany', 'own', '4.6:with-company', 'own'],
  ['couponsOfCompany', 'first', '4.6:with-company', 'ignored'],
  ['couponsOfCompany', 'bad_request', '4.6:with-company', '400 bad_request'],
  ['couponsOfCompany', 'unprocessable_entity', '4.6:with-company', '422 unprocessable_entity'],
  ['couponsOfCompany', 'forbidden', '4.6:with-company', '403 forbidden'],
  ['couponsOfCompany', 'not_found', '4.6:with-company', '404 not_found'],
  ['couponsWithoutCompany', 'first', '4.6:without-company', 'listed'],
  ['couponsWithoutCompany', 'missing_headers', '4.6:without-company', '400 missing_headers'],
  ['couponsWithoutCompany', 'forbidden', '4.6:without-company', '403 forbidden'],
  ['unsetCoupons', 'absent', '4.6:unset', 'absent'],
  ['unsetCoupons', 'off', '4.6:unset', 'off'],
  ['hasCoupons', true, '4.7:halves', 'nothing'],
  ['hasCoupons', false, '4.7:refusal', '422 uneditable_entity'],
  ['secondHasCoupons', false, null],
  ['secondHasCoupons', true, null],
  ['couponsOffRefusal', '422:uneditable_entity', null],
  ['couponsOffRefusal', '422:unprocessable_entity', null],
  ['couponsOffRefusal', '403:forbidden', null],
  ['couponsOffRefusal', '400:bad_request', null],
  ['partialUpdates', 'nothing', '4.7:halves', 'nothing'],
  ['partialUpdates', 'goodOnes', '4.7:halves', 'goodOnes'],
  ['emptyItems', 'accepted', '4.7:empty-items', 'accepted'],
  ['emptyItems', 'refused', '4.7:empty-items', '422 unprocessable_entity'],
  ['itemsFrom', 0, '2:items-from', '0'],
  ['itemsFrom', 1, '2:items-from', '1'],
  ['itemValues', 'product', '2:item-values', 'given'],
  ['itemValues', 'empty', '2:item-values', 'empty'],
  ['restoreOfActive', 'refused', null],
  ['restoreOfActive', 'accepted', null],
  ['accessTokenSeconds', 3600, '5:token-seconds', '3600'],
  ['accessTokenSeconds', 1, '5:token-seconds', '1'],
  ['hasExpiresIn', true, '5:token-seconds', '3600'],
  ['hasExpiresIn', false, '5:token-seconds', 'none'],
  ['refreshTokens', 'rotated', '5:refresh-tokens', 'rotated'],
  ['refreshTokens', 'kept', '5:refresh-tokens', 'kept'],
  ['refreshTokens', 'none', '5:refresh-tokens', 'none'],
  ['missingCredentials', 401, '5:missing-credential-refusal', '401 unauthorized'],
  ['missingCredentials', 400, '5:missing-credential-refusal', '400 bad_request'],
  ['scopeWhenAbsent', 'refused', '2:scope-absent', '400 invalid_scope'],
  ['scopeWhenAbsent', 'all', '2:scope-absent', 'allScopes'],
  ['scopesMethod', 'GET', '4.2:method', 'GET'],
  ['scopesMethod', 'POST', '4.2:method', 'notGet'],
  ['scopesShape', 'list', '4.2:shape', '[object] id, description'],
  ['scopesShape', 'names', '4.2:shape', '[string]'],
  ['scopesShape', 'wrapped', '4.2:shape', 'data'],
  ['requestsPerMinute', 60, null],
  ['requestsPerMinute', 100_000, null],
  ['areTokensCounted', true, null],
  ['areTokensCounted', false, null],
  ['minute', 'sliding', null],
  ['minute', 'fixed', null],
  ['areRefusedCounted', false, null],
  ['areRefusedCounted', true, null],
  ['retryAfter', 'seconds', null],
  ['retryAfter', 'date', null],
  ['retryAfter', 'none', null],
  ['keysRequired', 'declared', '8:keys-required', 'declared'],
  ['keysRequired', 'all', '8:keys-required', 'everyWrite'],
  ['keptRefusals', 'both', null],
  ['keptRefusals', 'unauthorized', null],
  ['keptRefusals', 'tooMany', null],
  ['keptRefusals', 'none', null],
  ['tokenKeys', 'kept', '4.1:token-keys', 'replayed'],
  ['tokenKeys', 'echoed', '4.1:token-keys', 'echoed'],
  ['tokenKeys', 'ignored', '4.1:token-keys', 'ignored'],
  ['headersWithoutKey', 'absent', '8:headers-without-key', 'absent'],
  ['headersWithoutKey', 'replayedOnly', '8:headers-without-key', 'replayedAlone'],
  ['headersWithoutKey', 'generated', '8:headers-without-key', 'generated'],
  ['replayedAs', 'words', '8:replayed', 'false / true'],
  ['replayedAs', 'digits', '8:replayed', '0 / 1'],
  ['replayedAs', 'onReplayOnly', '8:replayed', '— / true'],
  ['errorBodies', 'full', '2:error-fields', 'code, message, meta, meta.field, meta.validations'],
  ['errorBodies', 'codeOnly', '2:error-fields', 'code, meta, meta.field'],
  ['unshownBodies', 'documented', '4.8:body-401', 'errorBody'],
  ['unshownBodies', 'empty', '4.8:body-401', 'empty'],
  ['unshownBodies', 'page', '4.8:body-404', 'notJson'],
  ['unshownBodies', 'otherJson', '4.8:body-404', 'otherJson'],
  ['invalidParameters', 422, '7:invalid-parameter', '422 unprocessable_entity'],
  ['invalidParameters', 400, '7:invalid-parameter', '400 bad_request'],
  ['missingHeadersStatus', 400, '5:no-company-refusal', '400 missing_headers'],
  ['missingHeadersStatus', 422, '5:no-company-refusal', '422 missing_headers'],
  ['invalidScopeStatus', 400, '5:invalid-scope-refusal', '400 invalid_scope'],
  ['invalidScopeStatus', 401, '5:invalid-scope-refusal', '401 invalid_scope'],
  ['invalidScopeStatus', 403, '5:invalid-scope-refusal', '403 invalid_scope'],
  ['invalidScopeStatus', 422, '5:invalid-scope-refusal', '422 invalid_scope'],
  ['methodNotAllowedStatus', 405, '7:method-refusal', '405 method_not_allowed'],
  ['methodNotAllowedStatus', 400, '7:method-refusal', '400 method_not_allowed'],
  ['methodNotAllowedStatus', 404, '7:method-refusal', '404 method_not_allowed'],
];

describe('readings', () => {
  it('are tried for every value of every option', () => {
    const tried = new Set(cases.map(([name, value]) => `${name} ${value}`));
    const all = Object.entries(variantTable).flatMap(([name, option]) =>
      ('of' in option ? option.of : [option.default]).map((value) => `${name} ${value}`),
    );
    expect(all.filter((one) => !tried.has(one))).toEqual([]);
  });

  const others = cases.filter(([name, value]) => value !== variantTable[name].default);
  it.each(others.map(([name, value, id, expected]) => [name, value, id, expected] as const))(
    '%s %s breaks nothing, and is told',
    async (name, value, id, expected) => {
      const platform = await openJudgedPlatform({ [name]: value });
      const report = await platform.judge();
      expect(brokenIn(report)).toEqual([]);
      expect(report.outcome).toBe('kept');
      if (id !== null) expect(readingOf(report, id)).toContain(expected);
    },
  );

  it('are all told at their default, and not one line is broken', async () => {
    const report = await (await openJudgedPlatform()).judge();
    expect(brokenIn(report)).toEqual([]);
    const told = cases.filter(([name, value]) => value === variantTable[name].default);
    const wrong = told.filter(([, , id, expected]) => id !== null && readingOf(report, id) !== expected);
    expect(wrong).toEqual([]);
    expect(report.lines.filter(({ verdict }) => verdict === 'untold').map(({ id }) => id)).toEqual([
      '4.8:restore',
      '4.9:categories',
      '7:too-many',
      '8:window',
    ]);
  });
});
