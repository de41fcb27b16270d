// A window of Electron, of the built app or of another, that can be driven.
import type { Page } from 'playwright-core';
import { startChild, type Child } from '../support/child.ts';
import { electronCommand } from '../support/electron.ts';
import { connect, listening, seePage } from '../support/packaged.ts';

export interface RunningWindow {
  readonly child: Child;
  /** Its page, driven until its browser is closed: what watches a page wakes it. */
  openPage(): Promise<Page>;
}

/** Starts the app, the built one by default, and waits for its window. */
export async function startWindow(
  flags: readonly string[],
  app?: string,
  before: readonly string[] = [],
): Promise<RunningWindow> {
  const { path, parameters } = electronCommand(flags, app);
  const child = startChild(path, [...before, ...parameters, '--remote-debugging-port=0']);
  try {
    const said = await child.waitForErrorLine(listening);
    await seePage(Number(said[2]));
    return { child, openPage: () => connect(said) };
  } catch (error) {
    await child.stop('SIGKILL');
    throw error;
  }
}
