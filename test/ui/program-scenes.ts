// The scenes of the address for programs.
import type { Page } from 'playwright-core';
import type { TerminalState } from '../../app/contract/terminal-state.ts';
import { at, to, value, type ShownScene } from './scene-steps.ts';

const origins = ['https://till.example.com', 'https://branch.till.example.com:8443'];
const choice = { isOn: true, port: 17_863, origins, mayChangeCoupons: false };
const hash = 'h'.repeat(43);

const on = (
  localApi: Partial<NonNullable<TerminalState['localApi']>>,
  localApiTokenHash: string | null = hash,
): Partial<TerminalState> => ({
  localApi: { ...choice, standing: 'open', openPort: 17_863, ...localApi },
  localApiTokenHash,
});

const toPrograms = async (page: Page): Promise<void> => {
  await to(page, '#settings/connection');
  await page.getByRole('switch').first().scrollIntoViewIfNeeded();
};

export const programScenes: readonly ShownScene[] = [
  at('programs-off', on({ isOn: false, origins: [], standing: 'off', openPort: null }, null), toPrograms),
  at('programs-open', on({}), toPrograms),
  at('programs-port-taken', on({ standing: 'portTaken', openPort: null }), toPrograms),
  at(
    'programs-token',
    on({ origins: [], standing: 'noToken', openPort: null }, null),
    async (page) => {
      await toPrograms(page);
      await page.getByRole('button', { name: 'Make a token' }).click();
      await page.getByRole('textbox', { name: 'Token' }).waitFor();
    },
    { answers: { 'localApi:makeToken': value({ token: 'made-up-token-of-forty-three-letters-000000' }) } },
  ),
];
