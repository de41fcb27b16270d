// The proof that what follows from an answer is decided for every answer, by the tables of API v3 §7 and §8.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Failure } from '../../../app/domain/failure.ts';
import type { Id } from '../../../app/domain/int64.ts';
import { failureOf } from '../../../app/platform/answer.ts';
import {
  dispositionOf,
  namedPlaces,
  poisonedAfter,
  type Disposition,
  type Echo,
  type Sent,
} from '../../../app/queue/disposition.ts';

const idAt = (place: number): Id => String(1001 + place) as Id;
const subjectsOf = (size: number): readonly Id[] => Array.from({ length: size }, (_unused, place) => idAt(place));
const single: Sent = {
  kind: 'coupon',
  size: 1,
  subjects: subjectsOf(1),
  unechoed: 0,
  isRepeated: false,
  isInDoubt: false,
  earlierTries: 0,
};
const many: Sent = { ...single, size: 5, subjects: subjectsOf(5) };

function answer(
  status: number,
  more: { readonly echo?: Echo; readonly isPage?: boolean; readonly body?: unknown } = {},
) {
  const response = { status, headers: {}, body: more.body === undefined ? '' : JSON.stringify(more.body) };
  return {
    kind: 'answer' as const,
    status,
    echo: more.echo ?? ('ours' as const),
    isPage: more.isPage ?? false,
    failure: failureOf(response),
  };
}

const steps: readonly Disposition['step'][] = ['delivered', 'sendAgain', 'sealAnew', 'parkNamed', 'halve', 'parkAll'];

/** The problem of a step; null when there is none. */
function wrongWith(
  step: Disposition['step'],
  status: number,
  {
    echo,
    isPage,
    size,
    unechoed,
  }: { readonly echo: Echo; readonly isPage: boolean; readonly size: number; readonly unechoed: number },
): string | null {
  const wrongs = [
    steps.includes(step) ? null : 'no such step',
    step === 'delivered' && (status < 200 || status > 299 || echo === 'other')
      ? "a failure, or another request's answer, is delivered"
      : null,
    echo !== 'ours' && unechoed < poisonedAfter && step !== 'delivered' && step !== 'sendAgain'
      ? 'a failure that nobody signed spends the key'
      : null,
    (echo === 'ours' || (unechoed >= poisonedAfter && !(isPage && echo === 'none'))) && step === 'sendAgain'
      ? 'an answer keeps the key'
      : null,
    step === 'halve' && size === 1 ? 'one update is halved' : null,
  ];
  return wrongs.find((wrong) => wrong !== null) ?? null;
}

test('every status, echo, page, size and history has one step', () => {
  const wrongs: string[] = [];
  for (let status = 100; status < 600; status += 1) {
    for (const echo of ['ours', 'none', 'other'] as const) {
      for (const isPage of [false, true]) {
        for (const size of [1, 2, 100]) {
          for (let unechoed = 0; unechoed <= poisonedAfter + 1; unechoed += 1) {
            const { step } = dispositionOf(answer(status, { echo, isPage }), {
              ...single,
              size,
              unechoed,
              isRepeated: unechoed > 1,
            });
            const wrong = wrongWith(step, status, { echo, isPage, size, unechoed });
            wrongs.push(
              ...(wrong === null ? [] : [`${status} ${echo} ${isPage} ${size} ${unechoed}: ${step}: ${wrong}`]),
            );
          }
        }
      }
    }
  }
  expect(wrongs).toEqual([]);
});

test('no answer keeps the key and asks for no proof, whatever the reason', () => {
  for (const kind of ['unreachable', 'timedOut', 'tlsRejected', 'answerTooLarge', 'cancelled'] as const) {
    for (const unechoed of [0, 5]) {
      expect(dispositionOf({ kind: 'noAnswer', failure: { kind } }, { ...many, unechoed })).toEqual({
        step: 'sendAgain',
        cause: 'network',
        proveFirst: false,
      });
    }
  }
});

test.each([200, 201, 204, 299])('%i is a success with the echo and without, and with any body', (status) => {
  expect(dispositionOf(answer(status), many)).toEqual({ step: 'delivered' });
  expect(dispositionOf(answer(status, { echo: 'none', body: { anything: 1 } }), many)).toEqual({ step: 'delivered' });
  expect(dispositionOf(answer(status, { echo: 'ours', isPage: true }), many)).toEqual({ step: 'delivered' });
});

test("a captive portal's page of 200 is nobody's answer", () => {
  expect(dispositionOf(answer(200, { echo: 'none', isPage: true }), many)).toEqual({
    step: 'sendAgain',
    cause: 'network',
    proveFirst: false,
  });
});

const unknownEffect: Disposition = { step: 'sealAnew', cause: 'platform', readFirst: true };

test('another key’s echo is heard after it stood beside successes three times; a success is then read for', () => {
  for (const status of [204, 422]) {
    expect(dispositionOf(answer(status, { echo: 'other' }), { ...many, unechoed: poisonedAfter - 1 })).toEqual({
      step: 'sendAgain',
      cause: 'network',
      proveFirst: true,
    });
  }
  const poisoned = { ...many, unechoed: poisonedAfter };
  expect(dispositionOf(answer(204, { echo: 'other' }), poisoned)).toEqual(unknownEffect);
  expect(dispositionOf(answer(422, { echo: 'other' }), poisoned)).toEqual({ step: 'halve', readFirst: false });
});

// Status, and what follows for one update and for several, when the platform has signed the answer.
const byStatus: readonly (readonly [number, Disposition, Disposition])[] = [
  [302, unknownEffect, unknownEffect],
  [400, { step: 'parkAll' }, { step: 'halve', readFirst: false }],
  [
    401,
    { step: 'sealAnew', cause: 'signIn', readFirst: false },
    { step: 'sealAnew', cause: 'signIn', readFirst: false },
  ],
  [403, { step: 'parkAll' }, { step: 'parkAll' }],
  [404, { step: 'parkAll' }, { step: 'halve', readFirst: false }],
  [405, { step: 'parkAll' }, { step: 'parkAll' }],
  [407, unknownEffect, unknownEffect],
  [408, unknownEffect, unknownEffect],
  [409, unknownEffect, unknownEffect],
  [413, { step: 'parkAll' }, { step: 'halve', readFirst: false }],
  [415, { step: 'parkAll' }, { step: 'halve', readFirst: false }],
  [422, { step: 'parkAll' }, { step: 'halve', readFirst: false }],
  [425, unknownEffect, unknownEffect],
  [429, { step: 'sealAnew', cause: 'rate', readFirst: false }, { step: 'sealAnew', cause: 'rate', readFirst: false }],
  [500, unknownEffect, unknownEffect],
  [501, { step: 'parkAll' }, { step: 'parkAll' }],
  [502, unknownEffect, unknownEffect],
  [503, unknownEffect, unknownEffect],
  [504, unknownEffect, unknownEffect],
  [511, unknownEffect, unknownEffect],
  [599, unknownEffect, unknownEffect],
];

test.each(byStatus)('%i, signed by the platform', (status, forOne, forMany) => {
  expect(dispositionOf(answer(status), single)).toEqual(forOne);
  expect(dispositionOf(answer(status), many)).toEqual(forMany);
  // Unsigned, it is believed after the same failure has stood beside successes three times.
  expect(dispositionOf(answer(status, { echo: 'none' }), { ...many, unechoed: poisonedAfter })).toEqual(forMany);
  const cause = { 401: 'signIn', 429: 'rate' }[status] ?? 'network';
  expect(dispositionOf(answer(status, { echo: 'none' }), { ...many, unechoed: poisonedAfter - 1 })).toEqual({
    step: 'sendAgain',
    cause,
    proveFirst: true,
  });
});

test.each([401, 429])(
  '%i after a sending that nobody answered says nothing of that one: a reading comes first',
  (status) => {
    expect(dispositionOf(answer(status), { ...many, isRepeated: true })).toMatchObject({
      step: 'sealAnew',
      readFirst: true,
    });
  },
);

// All codes of API v3 §7 with the status that the document gives or suggests for each.
const byCode: readonly (readonly [string, number, Disposition['step']])[] = [
  ['bad_request', 400, 'halve'],
  ['not_found', 404, 'halve'],
  ['method_not_allowed', 405, 'parkAll'],
  ['unprocessable_entity', 422, 'halve'],
  ['too_many_requests', 429, 'sealAnew'],
  ['internal_server_error', 500, 'sealAnew'],
  ['missing_headers', 400, 'halve'],
  ['max_upload_size_exceeded', 422, 'halve'],
  ['unauthorized', 401, 'sealAnew'],
  ['invalid_scope', 401, 'sealAnew'],
  ['forbidden', 403, 'parkAll'],
  ['uneditable_entity', 422, 'halve'],
  ['undeleted_resource_association', 422, 'halve'],
  ['product_combo_empty_components', 422, 'halve'],
  ['product_combo_attributes_not_allowed', 422, 'halve'],
  ['product_combo_component_combo_not_allowed', 422, 'halve'],
  ['product_combo_invalid_price', 422, 'halve'],
  ['product_with_grid_cannot_have_components', 422, 'halve'],
  ['option_cannot_be_associated_with_grid', 422, 'halve'],
  ['grid_with_options_not_exclusive_by_attribute_group', 422, 'halve'],
  ['grid_with_duplicate_set_of_options', 422, 'halve'],
];

test('the table has all 21 codes', () => {
  expect(new Set(byCode.map(([code]) => code)).size).toBe(21);
});

test.each(byCode)('%s', (code, status, step) => {
  const outcome = answer(status, { body: { code, message: 'made up' } });
  expect(outcome.failure.code).toBe(code);
  expect(dispositionOf(outcome, many).step).toBe(step);
});

test('trouble with the sign-in or an outage never parks anything', () => {
  for (const status of [401, 407, 408, 429, 500, 502, 503, 504, 511]) {
    for (const echo of ['ours', 'none'] as const) {
      for (const unechoed of [0, poisonedAfter]) {
        for (const size of [1, 100]) {
          expect(dispositionOf(answer(status, { echo }), { ...single, size, unechoed, isRepeated: true }).step).toMatch(
            /^(sendAgain|sealAnew)$/,
          );
        }
      }
    }
  }
});

describe('the places that a validation error names', () => {
  type Named = readonly [field: string, ...values: readonly string[]];
  const failureNaming = (...named: readonly Named[]): Failure => ({
    kind: 'unprocessable',
    fields: named.map(([field, ...values]) => ({ field, validations: [{ type: 'exists', values }] })),
  });
  const places = (...named: readonly Named[]): readonly number[] => namedPlaces(failureNaming(...named), subjectsOf(5));

  test.each(['items.3.product_id', 'items[3].product_id', 'items[3]', 'items.3', 'item.3.is_enabled'])(
    '%s: the product given as value decides from where items are counted',
    (field) => {
      expect(places([field, idAt(3)])).toEqual([3]);
      expect(places([field, idAt(2)])).toEqual([2]);
      expect(places([field]), 'no value: nobody').toEqual([]);
      expect(places([field, idAt(4)]), 'neither place').toEqual([]);
      expect(places([field, '17']), 'a value that is no product of this request').toEqual([]);
      expect(places([field, idAt(3), idAt(2)]), 'a list of what is allowed, perhaps').toEqual([]);
    },
  );

  test.each([
    'items.123456789.product_id',
    'items',
    'items.*.product_id',
    'items.x',
    'items.-1',
    'items.1e0',
    'product_id',
    'other.items.3',
    '',
  ])('%s names none', (field) => {
    expect(places([field, idAt(3)])).toEqual([]);
  });

  test('one value decides for all items of the answer, in order and each once', () => {
    expect(places(['items.4.product_id'], ['items[1].product_id', idAt(1)], ['items.4.is_enabled', 'true'])).toEqual([
      1, 4,
    ]);
    expect(places(['items.5.product_id'], ['items[2].product_id', idAt(1)], ['items.5.is_enabled'])).toEqual([1, 4]);
  });

  test('values that contradict each other, or a place that is not there, name nobody', () => {
    expect(places(['items.3.product_id', idAt(3)], ['items.2.product_id', idAt(1)])).toEqual([]);
    expect(places(['items.3.product_id', idAt(3)], ['items.5.product_id'])).toEqual([]);
    expect(places(['items.3.product_id', idAt(2)], ['items.0.product_id'])).toEqual([]);
  });

  test('are parked where they are sure, and else both halves are sent apart', () => {
    expect(dispositionOf({ ...answer(422), failure: failureNaming(['items.2.product_id', idAt(2)]) }, many)).toEqual({
      step: 'parkNamed',
      named: [2],
    });
    expect(dispositionOf({ ...answer(422), failure: failureNaming(['items.3.product_id', idAt(2)]) }, many)).toEqual({
      step: 'parkNamed',
      named: [2],
    });
    expect(dispositionOf({ ...answer(422), failure: failureNaming(['items.2.product_id']) }, many)).toEqual({
      step: 'halve',
      readFirst: false,
    });
  });

  test('are places in the request, and those of the products at fault whatever the base, or none', () => {
    const item = fc.record({ place: fc.nat(120), hasValue: fc.boolean() });
    fc.assert(
      fc.property(
        fc.array(item),
        fc.constantFrom(0, 1),
        fc.integer({ min: 1, max: 100 }),
        fc.array(fc.string()),
        (items, base, size, others) => {
          const fields = items.map(({ place, hasValue }): Named => [
            `items.${place + base}.product_id`,
            ...(hasValue ? [idAt(place)] : []),
          ]);
          const named = namedPlaces(
            failureNaming(...fields, ...others.map((field): Named => [field])),
            subjectsOf(size),
          );
          const atFault =
            items.some(({ hasValue }) => hasValue) && items.every(({ place }) => place < size)
              ? [...new Set(items.map(({ place }) => place))].toSorted((left, right) => left - right)
              : [];
          expect(named).toEqual(atFault);
        },
      ),
      { seed: 1 },
    );
  });
});

test('updates on which the platform stumbles a third time are asked for in halves, after a reading', () => {
  for (const status of [409, 500, 503]) {
    expect(dispositionOf(answer(status), { ...many, earlierTries: 1 })).toEqual(unknownEffect);
    expect(dispositionOf(answer(status), { ...many, earlierTries: 2 })).toEqual({ step: 'halve', readFirst: true });
    expect(dispositionOf(answer(status), { ...single, earlierTries: 50 })).toEqual(unknownEffect);
  }
});

test.each([
  ['unauthorized', 'signIn'],
  ['too_many_requests', 'rate'],
] as const)('the code %s means what it says with any status (API v3 §5 rule 6, §7)', (code, cause) => {
  for (const status of [400, 403, 422]) {
    expect(dispositionOf(answer(status, { body: { code } }), many)).toEqual({
      step: 'sealAnew',
      cause,
      readFirst: false,
    });
    expect(dispositionOf(answer(status, { echo: 'none', body: { code } }), many)).toEqual({
      step: 'sendAgain',
      cause,
      proveFirst: true,
    });
  }
  expect(dispositionOf(answer(500, { body: { code } }), many)).toEqual(unknownEffect);
});
