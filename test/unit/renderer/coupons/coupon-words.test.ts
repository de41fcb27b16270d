import { expect, test } from 'vitest';
import { wordsOfState } from '../../../../renderer/coupons/coupon-words.ts';
import { createEveryWord } from '../../../support/sentences.ts';

test('a refused product number is told as a product that the platform does not have, like in the queue', async () => {
  const { t } = await createEveryWord('en');
  const words = (field: string): string =>
    wordsOfState(
      {
        isEnabled: true,
        status: 'parked',
        failure: {
          kind: 'unprocessable',
          status: 422,
          fields: [{ field, validations: [{ type: 'exists', values: ['101'] }] }],
        },
      },
      t,
    );
  expect(words('items.0.product_id')).toBe('refused: The platform does not have this.');
  expect(words('items.0.is_enabled')).toBe('refused: The platform refused what was sent.');
});
