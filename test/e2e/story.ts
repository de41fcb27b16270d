import type { Locator, Page } from 'playwright-core';
import type { Platform as RunningPlatform } from '../support/platform.ts';

/** The facts that a person has to know of it. */
type Platform = Omit<RunningPlatform, 'child'>;

/** Calls the terminal as the page does, as soon as the page is there. */
export async function invoke(page: Page, channel: string, input: object = {}): Promise<unknown> {
  // Its window may be there first, empty; and hidden, it draws no frames that could be waited for.
  const bridge = await page.waitForFunction(() => window.tillside, undefined, { polling: 50 });
  return bridge.evaluate((tillside, [name, given]) => tillside?.invoke(name, given), [channel, input] as const);
}

/** The region of a found product. */
export function cardOf(page: Page, productName: string): Locator {
  return page.getByRole('region', { name: productName, exact: true });
}

/** Waits until the sign of the connection says this. */
export async function seeConnection(page: Page, words: 'Online' | 'Offline'): Promise<void> {
  await page.getByRole('status', { name: 'Connection' }).filter({ hasText: words }).waitFor();
}

export async function goTo(
  page: Page,
  screen: 'Lookup' | 'Stock' | 'Count' | 'Coupons' | 'Queue' | 'Users' | 'Settings',
): Promise<void> {
  if (screen === 'Users') {
    await page.getByRole('link', { name: 'Settings', exact: true }).click();
    await page.getByRole('link', { name: 'Support', exact: true }).click();
  }
  const words = screen === 'Users' ? 'Restore a user' : screen;
  await page.getByRole('link', { name: words, exact: true }).click();
  await page.getByRole('main', { name: screen, exact: true }).waitFor();
}

/** Types a part of a name, opens the first product, and answers its name and a barcode of it. */
export async function findBarcode(
  page: Page,
  part: string,
): Promise<{ readonly name: string; readonly barcode: string }> {
  await page.getByRole('textbox', { name: 'Barcode, code or name' }).pressSequentially(part, { delay: 100 });
  await page.getByRole('option').first().click();
  const card = page.getByRole('region').filter({ has: page.getByRole('switch', { name: 'Consumption coupon' }) });
  const name = (await card.getByRole('heading', { level: 2 }).textContent()) ?? '';
  const barcode = (
    (await card
      .getByText(/^Barcode \d+$/)
      .first()
      .textContent()) ?? ''
  ).replace('Barcode ', '');
  return { name, barcode };
}

/** Opens the settings at one of their sections, from any screen. */
export async function openSettings(
  page: Page,
  section: 'You' | 'This till' | 'Scanner' | 'Connection' | 'Stock copy' | 'Support',
): Promise<void> {
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await page.getByRole('link', { name: section, exact: true }).click();
  await page.getByRole('heading', { name: 'Settings' }).waitFor();
}

/** Types digits into the field that has the keyboard, once it has it, slower than any scanner. */
export async function typeDigits(page: Page, field: Locator, digits: string): Promise<void> {
  await field.and(page.locator(':focus')).waitFor();
  await page.keyboard.type(digits, { delay: 130 });
}

/** Types a PIN into the open dialog. */
export async function typePin(page: Page, pin: string): Promise<void> {
  await typeDigits(page, page.getByRole('dialog').getByRole('textbox'), pin);
  await page.keyboard.press('Enter');
}

/** Sets the manager's PIN where there is none, in the settings. */
export async function setManagersPin(page: Page, pin: string): Promise<void> {
  await goTo(page, 'Settings');
  await page.getByRole('link', { name: 'People and locks' }).click();
  await page.getByRole('button', { name: 'Set a PIN' }).click();
  await typePin(page, pin);
  await page.getByText('New PIN once more').waitFor();
  await typePin(page, pin);
  await page.getByText('The PIN is set.').waitFor();
}

/** From the first screen to the sign-in; the address may be another than the platform's own. */
export async function connect(page: Page, platform: Platform, platformUrl = platform.url): Promise<void> {
  await page.getByRole('button', { name: 'Connect to a platform', exact: true }).click();
  await page.getByRole('textbox', { name: 'Platform address' }).fill(platformUrl);
  await page.getByRole('textbox', { name: 'Client ID' }).fill(platform.clientId);
  await page.getByLabel('Client secret', { exact: true }).fill(platform.clientSecret);
  await page.getByRole('textbox', { name: 'Company ID' }).fill(platform.companyId);
  await page.getByRole('textbox', { name: 'Stock IDs' }).fill(platform.stockIds);
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
}

/** Types what the sign-in asks for; the client secret only where no keychain has kept it over a restart. */
export async function signIn(
  page: Page,
  platform: Platform,
  { password = platform.password, withSecret = false } = {},
): Promise<void> {
  await page.getByRole('textbox', { name: 'E-mail' }).fill(platform.email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  if (withSecret) {
    await page.getByLabel('Client secret', { exact: true }).fill(platform.clientSecret);
  }
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** Waits until some of the catalogue is on this terminal, or all of it. */
export async function seeSomeProducts(page: Page): Promise<void> {
  const words = /^What is here can be looked up already\.$|^(\d[\d,]* p|P)roducts on this terminal/;
  await page.getByText(words).first().waitFor({ timeout: 20_000 });
}

/** Waits until the whole catalogue is on this terminal. */
export async function seeCopyComplete(page: Page): Promise<void> {
  await page.getByText(/^(\d[\d,]* p|P)roducts on this terminal.* up to date/).waitFor();
}

/** One product of the platform as an integrator would read it (API v3 §4.3), and its coupon setting (§4.6). */
interface PlatformView {
  readonly product: { readonly id: string; readonly name: string; readonly barcode: string };
  isCouponEnabled(productId: string): Promise<boolean>;
}

interface Listed {
  readonly product: { readonly id: number; readonly name: string; readonly barcode: string | null };
}

/** Signs in at the platform beside the terminal and picks the first product that has a barcode. */
export async function lookAtPlatform(platform: Platform): Promise<PlatformView> {
  const read = async (path: string, headers: Readonly<Record<string, string>>, body?: unknown): Promise<unknown> => {
    const answer = await fetch(new URL(path, platform.url), {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) {
      throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    }
    return answer.json();
  };
  const { clientId, clientSecret, email, password } = platform;
  const grant = {
    grant_type: 'password',
    client_id: clientId,
    client_secret: clientSecret,
    username: email,
    password,
    scope: '*',
  };
  const { access_token: token } = (await read('/oauth/token', {}, grant)) as { access_token: string };
  const headers = { Authorization: `Bearer ${token}`, 'Service-Company-Id': platform.companyId };
  const [stockId = ''] = platform.stockIds.split(',');
  const page = (await read(`/api/v3/stocks/${stockId.trim()}/products?per_page=100`, headers)) as {
    data: { stock_products: Listed[] };
  };
  const products = page.data.stock_products.map(({ product }) => product);
  const [product] = products.flatMap(({ id, name, barcode }) =>
    barcode !== null && Number.isSafeInteger(id) ? [{ id: String(id), name, barcode }] : [],
  );
  if (product === undefined) {
    throw new Error('no product of the first page has a barcode');
  }
  return {
    product,
    isCouponEnabled: async (productId) => {
      const { items } = (await read(`/api/v3/products/consumption-coupons?product_id=${productId}`, headers)) as {
        items: { is_enabled: boolean }[];
      };
      return items[0]?.is_enabled ?? false;
    },
  };
}
