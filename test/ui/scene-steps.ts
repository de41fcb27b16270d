import type { Locator, Page } from 'playwright-core';
import type { TerminalState } from '../../app/contract/terminal-state.ts';
import { scan } from '../support/wedge.ts';
import type { Scene } from './fake-bridge.ts';
import { readyState } from './ready-state.ts';
import { sceneNowMs as nowMs } from './scene-fixtures.ts';

/** One screen in one state. */
export interface ShownScene {
  /** In kebab case; a picture's file bears it. */
  readonly name: string;
  readonly scene: Scene;
  /** Leads there in English, and waits until it is there. */
  readonly steps?: (page: Page) => Promise<void>;
  /**
   * True where the page has to be opened anew for each language, for what is on the screen does not follow a change of
   * it.
   */
  readonly isOpenedAnew?: boolean;
  /** The page's own, where it is not the window's. */
  readonly path?: string;
  /** Of the page, where it is not the window's two. */
  readonly sizes?: readonly { readonly width: number; readonly height: number }[];
  /** True where the scene is a mistake, of which the page tells its console. */
  readonly mayComplain?: boolean;
}

export type More = Omit<Partial<Scene>, 'state'>;

/**
 * So much is in use that nothing is asked for by itself: what is on the screen stays as it is, however long it is
 * looked at.
 */
const busy: TerminalState['rateLimit'] = { limit: 60, used: 40, pausedUntil: null };

export const at = (
  name: string,
  state: Partial<TerminalState>,
  steps: ShownScene['steps'] | null = null,
  more: More & Pick<ShownScene, 'isOpenedAnew' | 'mayComplain' | 'path' | 'sizes'> = {},
): ShownScene => {
  const { isOpenedAnew = false, mayComplain = false, path, sizes, ...scene } = more;
  return {
    name,
    scene: { state: readyState(nowMs, { rateLimit: busy, ...state }), nowMs, ...scene },
    ...(steps === null ? {} : { steps }),
    isOpenedAnew,
    mayComplain,
    ...(path === undefined ? {} : { path }),
    ...(sizes === undefined ? {} : { sizes }),
  };
};

export const value = (given: unknown): unknown => ({ ok: true, value: given });
export const failing = (failure: unknown): unknown => ({ ok: false, failure });

/** Goes to a screen by its address, and waits for its heading. */
export const to = async (page: Page, fragment: string): Promise<void> => {
  await page.evaluate((next) => {
    window.location.hash = next;
  }, fragment);
  await page.locator('main h1').first().waitFor();
};

/** Types a text and asks; that a scan leads to the same is another test's. */
export const ask = async (field: Locator, text: string): Promise<void> => {
  await field.fill(text);
  await field.press('Enter');
};

export const answered = async (page: Page, text: string, selector: string): Promise<void> => {
  await ask(page.locator('.finder-input'), text);
  await page.locator(selector).first().waitFor();
};

/** Before anybody has signed in there is no field to type into. */
export const scanned = async (page: Page, code: string, selector: string): Promise<void> => {
  await page.getByRole('textbox', { name: 'E-mail' }).waitFor();
  await scan(page, code);
  await page.locator(selector).first().waitFor();
};

export const fillIn = async (page: Page, fields: readonly (readonly [string, string])[]): Promise<void> => {
  for (const [name, text] of fields) {
    await page.getByLabel(name, { exact: true }).fill(text);
  }
};

/** Steps that wait for this on the screen that is open, or on the one that is named. */
export const shows =
  (selector: string, hash?: string): NonNullable<ShownScene['steps']> =>
  async (page) => {
    if (hash !== undefined) {
      await to(page, hash);
    }
    await page.locator(selector).first().waitFor();
  };

/** On the first screen. */
export async function openWrongFile(page: Page): Promise<void> {
  const file = { name: 'loja-centro.json', mimeType: 'application/json', buffer: Buffer.from('{}') };
  await page.locator('input[type="file"]').setInputFiles(file);
  await page.getByRole('alert').waitFor();
}
