import type { Page } from 'playwright-core';
import { readyState } from '../ready-state.ts';
import { card, sceneNowMs as nowMs } from '../scene-fixtures.ts';
import { at, value, type ShownScene } from '../scene-steps.ts';
import { couponUpdates as updates } from '../scene-updates.ts';
import { toCoupons } from './coupons.ts';

const ready = readyState(nowMs);

const askPin = async (page: Page): Promise<void> => {
  await toCoupons(page);
  await page.getByRole('switch', { name: /Produto de exemplo 1$/ }).click({ force: true });
  await page.getByRole('dialog', { name: "Manager's PIN" }).waitFor();
};

export const lockScenes: readonly ShownScene[] = [
  at('pin-dialog', { lock: { ...ready.lock, hasPin: true } }, askPin, {
    pin: '2580',
    updates,
    answers: { 'product:readMany': value([card({ name: 'Produto de exemplo 1' })]) },
  }),
];
