import { fromAccount } from '../../support/account.ts';
import { scan } from '../../support/wedge.ts';
import { goAway, emit } from '../fake.ts';
import { keychainLocked } from '../fixtures.ts';
import { readyState } from '../ready-state.ts';
import { copying, coffee, hits, sceneNowMs as nowMs } from '../scene-fixtures.ts';
import { at, shows, value, type ShownScene } from '../scene-steps.ts';
import { offline } from './lookup.ts';

const ready = readyState(nowMs);

const signOut: NonNullable<ShownScene['steps']> = async (page) => {
  await fromAccount(page, 'Sign out');
  await page.getByRole('dialog').getByRole('button', { name: 'Stay signed in' }).waitFor();
};

/** Another program has opened a link. */
const link = (name: string, payload: object, more: Parameters<typeof at>[1] = {}): ShownScene =>
  at(name, more, async (page) => {
    await page.locator('.lookup').first().waitFor();
    await emit(page, 'link:opened', payload);
    await page.getByRole('dialog').locator('.form-actions button').first().waitFor();
  });

export const shellScenes: readonly ShownScene[] = [
  at('copying', { catalogue: copying }, shows('.finder-input')),
  at(
    'notices',
    {
      notices: [
        { id: 1, kind: 'queueSetAside', detail: 'queue.db.damaged-2026-03-10' },
        { id: 2, kind: 'vaultUnavailable', detail: '' },
        { id: 3, kind: 'storageFull', detail: '' },
      ],
      session: { ...ready.session, keptIn: 'memory' },
    },
    shows('.finder-input'),
  ),
  at(
    'keychain-locked',
    { ...keychainLocked, queue: { ...ready.queue, pending: 3, heldBy: 'signIn' } },
    shows('.finder-input'),
  ),
  at(
    'sign-out-dialog-offline',
    { queue: { ...ready.queue, pending: 2, heldBy: 'offline' }, connection: offline },
    signOut,
  ),
  at(
    'gone',
    {},
    async (page) => {
      const field = page.locator('.finder-input');
      await field.fill(coffee);
      await page.getByRole('option').first().waitFor();
      // No search asks once it has gone: the question of the field alone goes unanswered.
      await goAway(page, true);
      await field.press('Enter');
      await page.getByRole('alertdialog').waitFor();
    },
    { answers: { 'lookup:search': value(hits) }, isOpenedAnew: true },
  ),
  at(
    'error-boundary',
    {},
    async (page) => {
      await page.locator('.finder-input').waitFor();
      await page.evaluate(() => {
        Object.defineProperty(Intl.NumberFormat.prototype, 'format', {
          value: () => {
            throw new Error('a mistake on purpose');
          },
        });
        window.location.hash = '#queue';
      });
      await page.getByRole('alertdialog').waitFor();
    },
    { isOpenedAnew: true, mayComplain: true },
  ),
  at('scan-waits', {}, async (page) => {
    await signOut(page);
    await scan(page, coffee);
    await page.locator('.waiting-scan').waitFor();
  }),
  link(
    'link-coupon-locked',
    { kind: 'coupon', product: coffee, isEnabled: false },
    { lock: { ...ready.lock, hasPin: true } },
  ),
];
