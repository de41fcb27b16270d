import type { Page } from 'playwright-core';
import type { Channel, EventName } from '../../app/contract/contract.ts';
import type { TerminalState } from '../../app/contract/terminal-state.ts';
import type { Fake } from './fake-bridge.ts';
import type { SceneHost } from './scene-host.ts';

/** The calls of these channels, of all when none is named, that the page has made until now. */
export function callsOf(page: Page, ...channels: readonly string[]): Promise<Fake['calls']> {
  return page.evaluate(
    (wanted) =>
      (window as unknown as { fake: Fake }).fake.calls.filter(
        ({ channel }) => wanted.length === 0 || wanted.includes(channel),
      ),
    channels,
  );
}

/** The inputs that the page has given with its calls of this channel. */
export async function inputsOf(page: Page, channel: string): Promise<Record<string, unknown>[]> {
  return (await callsOf(page, channel)).map(({ input }) => input);
}

/** The main process that a page asks. */
export const hostOf = new WeakMap<Page, SceneHost>();

/** The main process that this page asks. Throws when none was opened for it. */
export function theHostOf(page: Page): SceneHost {
  const host = hostOf.get(page);
  if (host === undefined) {
    throw new Error('no scene was opened on this page');
  }
  return host;
}

/** Changes the terminal's state, as the main process would. */
export async function changeState(page: Page, part: Partial<TerminalState>): Promise<void> {
  await theHostOf(page).change(part);
}

/** Emits an event of the main process. */
export async function emit(page: Page, name: EventName, payload: unknown): Promise<void> {
  await theHostOf(page).emit(name, payload);
}

/** The main process answers the calls that take without end. */
export function letAnswer(page: Page): void {
  theHostOf(page).letAnswer();
}

/** The main process answers no more, or again. */
export function goAway(page: Page, isGone: boolean): Promise<void> {
  theHostOf(page).goAway(isGone);
  return Promise.resolve();
}

/** The call of this channel that `act` makes is done, and its answer lost; then the page reaches the host again. */
export async function loseAnswer(page: Page, channel: Channel, act: () => Promise<unknown>): Promise<void> {
  theHostOf(page).loseAnswers(channel);
  await act();
  const gone = page.getByRole('alertdialog', { name: 'Tillside has stopped answering' });
  await gone.waitFor();
  theHostOf(page).loseAnswers(null);
  await gone.getByRole('button', { name: 'Try again' }).click();
  await gone.waitFor({ state: 'detached' });
}

/** From now on the main process answers this channel so; undefined: as before. */
export function setAnswer(page: Page, channel: Channel, answer: unknown): Promise<void> {
  theHostOf(page).answers[channel] = answer;
  return Promise.resolve();
}
