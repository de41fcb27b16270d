import { rateLimit } from '../scene-fixtures.ts';
import { at, to, value, type ShownScene } from '../scene-steps.ts';

export const rateLimitScenes: readonly ShownScene[] = [
  at(
    'rate-limit',
    {},
    async (page) => {
      await to(page, '#rateLimit');
      await page.getByRole('region', { name: 'Who is waiting' }).getByRole('listitem').first().waitFor();
    },
    { answers: { 'rateLimit:read': value(rateLimit) } },
  ),
];
