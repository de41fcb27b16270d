import type { Page } from 'playwright-core';
import type { TerminalState } from '../../app/contract/terminal-state.ts';
import type { Scene } from './fake-bridge.ts';
import { readyState } from './ready-state.ts';
import type { Stage } from './stage.ts';

export const signedOut = {
  phase: 'signIn',
  session: { state: 'signedOut', email: null, keptIn: null, failure: null },
  connection: { state: 'signIn', since: null, failure: null },
} as const satisfies Partial<TerminalState>;

export const firstRun = {
  ...signedOut,
  phase: 'firstRun',
  mode: null,
  profile: null,
  profileId: null,
  profiles: [],
} as const satisfies Partial<TerminalState>;

/** A session that the platform ended. */
export const ended: Partial<TerminalState> = {
  connection: { state: 'signIn', since: null, failure: { kind: 'credentialsRejected', status: 401 } },
  session: {
    state: 'ended',
    email: 'ana@example.com',
    keptIn: null,
    failure: { kind: 'credentialsRejected', status: 401, code: 'invalid_grant' },
  },
};

/** A keychain that is locked, so that nothing can be sent or asked. */
export const keychainLocked: Partial<TerminalState> = {
  connection: { state: 'signIn', since: null, failure: { kind: 'vaultLocked' } },
  session: { state: 'signedIn', email: 'ana@example.com', keptIn: 'keychain', failure: { kind: 'vaultLocked' } },
};

export const trialSteps = ['address', 'tls', 'client', 'user', 'company', 'stock'] as const;
interface TrialStep {
  readonly outcome: 'passed' | 'failed' | 'skipped';
  readonly detail?: string | null;
  readonly failure?: unknown;
}

/** The answer of a trial of the connection whose steps came to this. */
export function trialOf(outcomeOf: (step: (typeof trialSteps)[number], place: number) => TrialStep): unknown {
  const steps = trialSteps.map((step, place) => ({ step, detail: null, failure: null, ...outcomeOf(step, place) }));
  return { ok: true, value: { passed: steps.every(({ outcome }) => outcome !== 'failed'), steps } };
}

/** A trial that fails at the address, and goes no further. */
export function failsAtAddress(failure: unknown): unknown {
  return trialOf((step) => (step === 'address' ? { outcome: 'failed', failure } : { outcome: 'skipped' }));
}

const connection = {
  'Platform address': 'https://shop.example.com',
  'Client ID': 'till',
  'Client secret': 'secret',
  'Company ID': '1',
  'Stock IDs': '2',
};

/** Fills the fields of the form for a connection; answers what stands in them by their names. */
export async function fillConnection(page: Page, changes: Partial<typeof connection> = {}): Promise<typeof connection> {
  const filled = { ...connection, ...changes };
  for (const [name, text] of Object.entries(filled)) {
    await page.getByLabel(name, { exact: true }).fill(text);
  }
  return filled;
}

/** Goes to a screen or a section by its address, as a link does. */
export function showAt(page: Page, hash: string): Promise<void> {
  return page.evaluate((at) => {
    window.location.hash = at;
  }, hash);
}

/** Opens a page of 1024 × 768 on a terminal that is ready but for this of its state, once it is drawn. */
export async function openSmall(
  stage: Stage,
  nowMs: number,
  state: Partial<TerminalState>,
  more: Partial<Scene>,
): Promise<Page> {
  const size = { width: 1024, height: 768 };
  const { page } = await stage.open({ state: readyState(nowMs, state), nowMs, ...more }, size);
  await page.getByRole('main').waitFor();
  return page;
}

/** What has the focus: its element's name and its words. */
export const focusedOn = (page: Page): Promise<string> =>
  page.evaluate(() => document.activeElement?.tagName + ' ' + (document.activeElement?.textContent ?? ''));
