// The proof that what is shown as this company's coupon settings was told of this company, or is said to be in doubt.
import { expect, test } from 'vitest';
import { createCouponRefresh } from '../../../app/coupons/refresh.ts';
import type { Failure } from '../../../app/domain/failure.ts';
import type { Id } from '../../../app/domain/int64.ts';
import { fail, succeed, type Result } from '../../../app/domain/result.ts';
import type { CouponSetting } from '../../../app/platform/client.ts';
import { StorageError } from '../../../app/storage/database.ts';
import { createManualClock } from '../../support/manual-clock.ts';

const own: CouponSetting = { productId: '5' as Id, isEnabled: true };
const unnamed: CouponSetting = { productId: '6' as Id, isEnabled: true };

const ana = { platform: 'https://platform.example.com', companyId: '7' as Id, email: 'ana@example.com' };

function open(
  refusal: Failure | null,
  {
    hasOtherCompany = false,
    learnsOfOther = false,
    ofUnnamed = succeed([unnamed]),
    isKeptUnnamed = false,
    canForget = true,
  }: {
    hasOtherCompany?: boolean;
    learnsOfOther?: boolean;
    ofUnnamed?: Result<readonly CouponSetting[], Failure>;
    isKeptUnnamed?: boolean;
    canForget?: boolean;
  } = {},
) {
  const seen = { refusal, hasOtherCompany, kept: [] as Id[], unnamed: 0, reported: 0, isKeptUnnamed };
  const { refresh, isFresh, judgeKept } = createCouponRefresh(
    {
      clock: createManualClock(),
      owner: () => ana,
      senders: () => [],
      client: {
        listCouponSettings: () => Promise.resolve(seen.refusal === null ? succeed([own]) : fail(seen.refusal)),
        listSettingsOfUnnamedCompany: () => {
          seen.unnamed += 1;
          seen.hasOtherCompany ||= learnsOfOther;
          return Promise.resolve(ofUnnamed);
        },
      },
      hasOtherCompany: () => seen.hasOtherCompany,
      queueRepository: { noteReading: () => ({ mark: 0, number: 1 }) },
      coupons: {
        replaceAll: (_scope, settings) => {
          seen.kept = settings.map(({ productId }) => productId);
          return Promise.resolve(true);
        },
        readAt: () => null,
        isUnnamed: () => seen.isKeptUnnamed,
        forget: () => {
          if (!canForget) {
            throw new StorageError({ kind: 'storageFull' });
          }
          seen.isKeptUnnamed = false;
        },
      },
      onRefreshed: () => undefined,
      onCompanyUnnamed: () => {
        seen.reported += 1;
      },
    },
    new AbortController().signal,
  );
  return { seen, refresh, isFresh, judgeKept: () => judgeKept(ana) };
}

test('I4: the company is named, and nothing else is asked when that is answered', async () => {
  const { seen, refresh } = open(null);
  expect(await refresh('catalogue')).toMatchObject({ ok: true });
  expect(seen).toMatchObject({ kept: ['5'], unnamed: 0, reported: 0 });
});

const ofHeader: readonly Failure[] = [
  { kind: 'badRequest', status: 400 },
  { kind: 'badRequest', status: 400, code: 'bad_request' },
  { kind: 'unprocessable', status: 422, code: 'unprocessable_entity' },
  {
    kind: 'unprocessable',
    status: 422,
    code: 'unprocessable_entity',
    fields: [{ field: 'Service-Company-Id', validations: [] }],
  },
];

test.each(ofHeader)(
  'I4: a till that knows one company asks without its name after %j, says so, and names it next time',
  async (refusal) => {
    const { seen, refresh, isFresh } = open(refusal);
    expect([await refresh('person'), await refresh('person')]).toEqual([succeed(undefined), succeed(undefined)]);
    expect(seen).toMatchObject({ kept: ['6'], unnamed: 2, reported: 1 });
    // Nothing that is switched is left out because of what may be another company's.
    expect(isFresh()).toBe(false);
    seen.refusal = null;
    await refresh('person');
    expect(seen).toMatchObject({ kept: ['5'], unnamed: 2, reported: 1 });
    expect(isFresh()).toBe(true);
  },
);

test.each(ofHeader)('I4: a till that knows another company never asks without a name: %j', async (refusal) => {
  const { seen, refresh } = open(refusal, { hasOtherCompany: true });
  expect(await refresh('person')).toEqual(fail(refusal));
  expect(seen).toMatchObject({ kept: [], unnamed: 0, reported: 0 });
});

test('I4: an answer without a name is not kept once another company is known, even if only meanwhile', async () => {
  const refusal: Failure = { kind: 'badRequest', status: 400 };
  const { seen, refresh, isFresh } = open(refusal, { learnsOfOther: true });
  expect(await refresh('catalogue')).toEqual(fail(refusal));
  expect(seen).toMatchObject({ kept: [], unnamed: 1, reported: 0 });
  expect(isFresh()).toBe(false);
});

test.each<Failure>([
  { kind: 'badRequest', status: 400, code: 'missing_headers' },
  { kind: 'badRequest', status: 400, code: 'forbidden' },
  { kind: 'unprocessable', status: 422, fields: [{ field: 'is_enabled', validations: [] }] },
  { kind: 'forbidden', status: 403, code: 'forbidden' },
  { kind: 'notFound', status: 404, code: 'not_found' },
  { kind: 'refused', status: 405, code: 'method_not_allowed' },
  { kind: 'unauthorized', status: 401 },
  { kind: 'tooManyRequests', status: 429 },
  { kind: 'platformFailed', status: 500 },
  { kind: 'timedOut' },
  { kind: 'unreachable' },
  { kind: 'notThePlatform', status: 400 },
  { kind: 'answerMalformed', status: 200 },
])('I4: what says nothing of the header is not followed by a question without it: %j', async (refusal) => {
  const { seen, refresh } = open(refusal);
  expect(await refresh('person')).toEqual(fail(refusal));
  expect(seen).toMatchObject({ kept: [], unnamed: 0, reported: 0 });
});

test('where neither is answered, the refusal of the company is told', async () => {
  const { seen, refresh } = open({ kind: 'badRequest', status: 400 }, { ofUnnamed: fail({ kind: 'forbidden' }) });
  expect(await refresh('person')).toEqual(fail({ kind: 'badRequest', status: 400 }));
  expect(seen).toMatchObject({ kept: [], unnamed: 1, reported: 0 });
});

test('I4: what an earlier run read unnamed is said to be so, or goes once another company is known', () => {
  const named = open(null);
  named.judgeKept();
  expect(named.seen).toMatchObject({ isKeptUnnamed: false, reported: 0 });
  const only = open(null, { isKeptUnnamed: true });
  only.judgeKept();
  expect(only.seen).toMatchObject({ isKeptUnnamed: true, reported: 1 });
  const two = open(null, { isKeptUnnamed: true, hasOtherCompany: true });
  two.judgeKept();
  expect(two.seen).toMatchObject({ isKeptUnnamed: false, reported: 0 });
  const full = open(null, { isKeptUnnamed: true, hasOtherCompany: true, canForget: false });
  expect(full.judgeKept).toThrow(StorageError);
  expect(full.seen).toMatchObject({ isKeptUnnamed: true, reported: 1 });
});
