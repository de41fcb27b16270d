import type { Page } from 'playwright-core';
import type { TerminalState } from '../../app/contract/terminal-state.ts';
import type { Fake } from './fake-bridge.ts';

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

/** Changes the terminal's state, as the main process would. */
export function changeState(page: Page, part: Partial<TerminalState>): Promise<void> {
  return page.evaluate((given) => (window as unknown as { fake: Fake }).fake.change(given), part);
}

/** Emits an event of the main process. */
export function emit(page: Page, name: string, payload: unknown): Promise<void> {
  return page.evaluate(([event, given]) => (window as unknown as { fake: Fake }).fake.emit(event, given), [
    name,
    payload,
  ] as const);
}

/** The main process answers no more, or again. */
export function goAway(page: Page, isGone: boolean): Promise<void> {
  return page.evaluate((given) => (window as unknown as { fake: Fake }).fake.goAway(given), isGone);
}

/** From now on the main process answers this channel so. */
export function setAnswer(page: Page, channel: string, answer: unknown): Promise<void> {
  return page.evaluate(
    ([name, given]) => {
      (window as unknown as { fake: Fake }).fake.answers[name] = given;
    },
    [channel, answer] as const,
  );
}
