import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { shareOf } from '../../support/night.ts';
import { surfaces } from '../../support/surface.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { startsOn } from '../story-start.ts';

describe.each(shareOf(surfaces, 1))('$name', (surface) => {
  const start = startsOn(surface);
  const isSkipped = surface.missing !== null && !surface.isRequired;

  it.skipIf(isSkipped)('can be used with the keyboard alone, in Brazilian Portuguese', async () => {
    const { page, complaints } = await start(temporaryDirectory(), ['--lang', 'pt-BR']);
    const practice = page.getByRole('button', { name: 'Loja de treino', exact: true });
    await practice.waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('pt-BR');

    const tabTo = async (target: Locator): Promise<void> => {
      const isFocused = (): Promise<boolean> => target.evaluate((element) => element === document.activeElement);
      for (let step = 0; step < 30 && !(await isFocused()); step += 1) {
        await page.keyboard.press('Tab');
      }
      expect(await isFocused()).toBe(true);
    };
    await tabTo(practice);
    await page.keyboard.press('Enter');
    await page.getByRole('status', { name: 'Conexão' }).filter({ hasText: 'Online' }).waitFor();
    await tabTo(page.getByRole('link', { name: 'Ajustes', exact: true }));
    await page.keyboard.press('Enter');
    await page.getByRole('main', { name: 'Ajustes' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.type('caf', { delay: 120 });
    await page.getByRole('option').first().waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('switch', { name: 'Cupom de consumo' }).press('Space');
    await page
      .getByText(/^(?:como na plataforma|esperando para ser enviado|enviando)$/)
      .first()
      .waitFor();
    expect(complaints).toEqual([]);
  });
});
