// The scenes of links that another program opens.
import { emit } from './fake.ts';
import { at, type ShownScene } from './scene-steps.ts';
import { coffee } from './scene-fixtures.ts';
import { readyState } from './ready-state.ts';
import { sceneNowMs } from './scene-fixtures.ts';

const { lock } = readyState(sceneNowMs);

const link = (name: string, payload: object, more: Parameters<typeof at>[1] = {}): ShownScene =>
  at(name, more, async (page) => {
    await page.locator('.lookup').first().waitFor();
    await emit(page, 'link:opened', payload);
    await page.getByRole('dialog').locator('.form-actions button').first().waitFor();
  });

export const linkScenes: readonly ShownScene[] = [
  link('link-coupon', { kind: 'coupon', product: coffee, isEnabled: false }),
  link(
    'link-coupon-locked',
    { kind: 'coupon', product: coffee, isEnabled: false },
    { lock: { ...lock, hasPin: true } },
  ),
  link('link-coupon-already', { kind: 'coupon', product: coffee, isEnabled: true }),
  link('link-coupon-unknown', { kind: 'coupon', product: '9520000000028', isEnabled: true }),
  link('link-refused', { kind: 'refused' }),
];
