import { expect, it, onTestFinished } from 'vitest';
import { fromAccount } from '../../support/account.ts';
import { launchPlatformForTest } from '../../support/platform.ts';
import { openRelay } from '../../support/relay.ts';
import { hasKeychain, surfaces, type Running } from '../../support/surface.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { scan } from '../../support/wedge.ts';
import { cardOf, connect, lookAtPlatform, seeConnection, seeCopyComplete, signIn } from '../story.ts';

const [surface] = surfaces;
if (surface === undefined) {
  throw new Error('no surface');
}

/** Scans at the sign-in, reads the answer, and goes back. */
async function expectAnswered(
  { page }: Running,
  product: { readonly name: string; readonly barcode: string },
): Promise<void> {
  const email = page.getByRole('textbox', { name: 'E-mail' });
  await email.waitFor();
  await scan(page, product.barcode);
  const card = cardOf(page, product.name);
  await card.waitFor();
  await page.getByText(/^Not signed in: figures of .*\d\d:\d\d/).waitFor();
  expect(await card.getByRole('switch').count()).toBe(0);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect.poll(() => email.inputValue()).not.toContain(product.barcode);
}

it.skipIf(surface.missing !== null && !surface.isRequired)(
  'answers after a sign-out, and after a restart without a sign-in and without a network',
  async () => {
    const platform = await launchPlatformForTest(['--products', '120']);
    const relay = await openRelay(platform.url);
    onTestFinished(() => relay.close());
    const { product } = await lookAtPlatform(platform);
    const folder = temporaryDirectory();
    const first = await surface.start(folder);
    onTestFinished(first.kill);
    await connect(first.page, platform, relay.url);
    await signIn(first.page, platform);
    await seeCopyComplete(first.page);

    await fromAccount(first.page, 'Sign out');
    const dialog = first.page.getByRole('dialog');
    await dialog.getByText('Looking up goes on without a sign-in', { exact: false }).waitFor();
    await dialog.getByRole('button', { name: 'Sign out', exact: true }).click();
    await first.page.getByRole('button', { name: 'Look up without signing in' }).waitFor();
    const sent = relay.exchanges.length;
    await expectAnswered(first, product);
    expect(relay.exchanges.slice(sent)).toEqual([]);
    expect(first.complaints).toEqual([]);

    if (!hasKeychain) {
      // Signed in again, and then the app ends.
      await signIn(first.page, platform);
      await seeConnection(first.page, 'Online');
    }
    await first.close();
    relay.setMode('unplugged');
    const after = await surface.start(folder);
    onTestFinished(after.kill);
    const before = relay.exchanges.length;
    await expectAnswered(after, product);
    expect(relay.exchanges.slice(before)).toEqual([]);
    expect(after.complaints).toEqual([]);
  },
);
