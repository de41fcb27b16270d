// The proof, in real Electron, of what is asked before the app ends with changes that wait (ending.ts, E1 to E4).
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { startChild } from '../../support/child.ts';
import { electronCommand, launchElectronForTest, whyNoElectron, type ElectronSession } from '../../support/electron.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { invoke, seeSomeProducts } from '../story.ts';

const patience = { timeout: 20_000 };

interface Asked {
  readonly session: ElectronSession;
  /** Every question so far: its message and its buttons. */
  asked(): Promise<readonly (readonly string[])[]>;
  /** Presses a button of the question that stands. */
  press(label: string): Promise<void>;
}

/** A practice store without its network, with one change that waits, and somebody who answers the system's dialogs. */
async function withOneWaiting(flags: readonly string[] = []): Promise<Asked> {
  const session = await launchElectronForTest(['--training', ...flags]);
  const { page, application } = session;
  await page.getByRole('main', { name: 'Lookup' }).waitFor(patience);
  await seeSomeProducts(page);
  const { value } = (await invoke(page, 'lookup:search', { text: 'caf', limit: 1 })) as {
    readonly value: readonly { readonly productId: string }[];
  };
  expect(await invoke(page, 'practice:setNetwork', { isDown: true })).toMatchObject({ ok: true });
  expect(await invoke(page, 'coupon:switch', { productId: value[0]?.productId, isEnabled: true })).toMatchObject({
    ok: true,
  });
  const dialogs = await application.evaluateHandle(({ dialog }) => {
    const open = { asked: [] as string[][], press: (_label: string): void => undefined };
    dialog.showMessageBox = ((...given: unknown[]) => {
      const { message, buttons, cancelId, signal } = given.at(-1) as Electron.MessageBoxOptions;
      open.asked.push([message, ...(buttons ?? [])]);
      return new Promise((resolve) => {
        const answer = (response: number | undefined): void => resolve({ response, checkboxChecked: false });
        open.press = (label) => answer(buttons?.indexOf(label));
        signal?.addEventListener('abort', () => answer(cancelId));
      });
    }) as unknown as typeof dialog.showMessageBox;
    return open;
  });
  return {
    session,
    asked: () => dialogs.evaluate(({ asked }) => asked),
    press: (label) => dialogs.evaluate((open, text) => void setImmediate(() => open.press(text)), label),
  };
}

const closeWindow = ({ application }: ElectronSession): Promise<void> =>
  application.evaluate(({ BrowserWindow }) => {
    BrowserWindow.getAllWindows().forEach((window) => setImmediate(() => window.close()));
  });

const isVisible = ({ application }: ElectronSession): Promise<boolean> =>
  application.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().some((window) => window.isVisible()));

const question = ['1 change not sent', 'End when all is sent', 'Stay', 'Quit Tillside'];

describe.skipIf(whyNoElectron() !== null)('the window is closed while a change waits', () => {
  it('asks once, stays when told to, and ends when told to (E3)', async () => {
    const { session, asked, press } = await withOneWaiting();
    await closeWindow(session);
    await expect.poll(asked, patience).toEqual([question]);
    await closeWindow(session);
    await press('Stay');
    await session.page.getByRole('main', { name: 'Lookup' }).waitFor(patience);
    expect(await isVisible(session)).toBe(true);
    await expect
      .poll(async () => {
        await closeWindow(session);
        return (await asked()).length;
      }, patience)
      .toBe(2);
    await press('Quit Tillside');
    expect(await session.ended).toBe(0);
  });

  it('goes on in the tray until all is sent, and then ends by itself (E4)', async () => {
    const { session, asked, press } = await withOneWaiting();
    await closeWindow(session);
    await expect.poll(asked, patience).toEqual([question]);
    await press('End when all is sent');
    await expect.poll(() => isVisible(session), patience).toBe(false);
    // The answer may be cut off by the end.
    void invoke(session.page, 'practice:setNetwork', { isDown: false }).catch(() => undefined);
    expect(await session.ended).toBe(0);
  });

  it('goes on for good when the window is opened again meanwhile', async () => {
    const { session, asked, press } = await withOneWaiting();
    await closeWindow(session);
    await expect.poll(asked, patience).toEqual([question]);
    await press('End when all is sent');
    await expect.poll(() => isVisible(session), patience).toBe(false);
    await session.application.evaluate(({ app }) => {
      setImmediate(() => app.emit('second-instance', {}, ['tillside'], '', { companion: false, link: null }));
    });
    await expect.poll(() => isVisible(session), patience).toBe(true);
    await invoke(session.page, 'practice:setNetwork', { isDown: false });
    await expect
      .poll(async () => {
        const state = (await invoke(session.page, 'terminal:read')) as { value: { queue: { delivered: number } } };
        return state.value.queue.delivered;
      }, patience)
      .toBe(1);
    expect(await isVisible(session)).toBe(true);
  });

  it('asks also over a page that has crashed (E1)', async () => {
    const { session, asked, press } = await withOneWaiting();
    await session.application.evaluate(({ BrowserWindow }) => {
      const [window] = BrowserWindow.getAllWindows();
      setImmediate(() => {
        window?.webContents.forcefullyCrashRenderer();
        window?.close();
      });
    });
    await expect.poll(asked, patience).toEqual([question]);
    await press('Quit Tillside');
    expect(await session.ended).toBe(0);
  });

  it('never holds up the end of the session: a signal ends it while it asks (E2)', async () => {
    const { session, asked } = await withOneWaiting();
    await closeWindow(session);
    await expect.poll(asked, patience).toEqual([question]);
    session.application.process().kill('SIGTERM');
    expect(await session.ended).toBe(0);
  });

  it('of a kiosk asks when it is ended in the settings, and there is no tray to go on in', async () => {
    const { session, asked, press } = await withOneWaiting(['--kiosk']);
    await closeWindow(session);
    expect(await invoke(session.page, 'device:quit')).toMatchObject({ ok: true });
    await expect.poll(asked, patience).toEqual([['1 change not sent', 'Stay', 'Quit Tillside']]);
    await press('Quit Tillside');
    expect(await session.ended).toBe(0);
  });
});

/** The app that is quit, once and again, as soon as it has a terminal, which `closeAtEnd` is the second to wait for. */
const quitWhileOpening = `
import { app, BrowserWindow } from 'electron';
const on = app.on.bind(app);
app.on = (name, listener) => {
  on(name, listener);
  if (name === 'will-quit' && app.listenerCount(name) === 2) {
    app.on = on;
    BrowserWindow.getAllWindows().forEach((window) => window.destroy());
    setImmediate(() => app.quit());
  }
  return app;
};
await import(${JSON.stringify(pathToFileURL(join(import.meta.dirname, '../../../dist/main.js')).href)});
`;

it.skipIf(whyNoElectron() !== null)(
  'the app that is quit while it opens says nothing and is closed in order',
  async () => {
    const folder = temporaryDirectory();
    const app = join(folder, 'app');
    mkdirSync(app);
    writeFileSync(join(app, 'package.json'), '{"name":"quit","type":"module","main":"main.mjs"}');
    writeFileSync(join(app, 'main.mjs'), quitWhileOpening);
    const data = join(folder, 'data');
    const { path, parameters } = electronCommand(['--data-dir', data, '--training'], app);
    const child = startChild(path, parameters);
    expect(await child.ended).toEqual({ code: 0, signal: null });
    expect(child.errorLines.join('\n')).not.toMatch(/destroyed|Error: /);
    expect(readFileSync(join(data, 'logs', 'tillside.log'), 'utf8').trimEnd()).toMatch(/ended.*$/);
  },
);
