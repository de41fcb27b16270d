import { EventEmitter } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { installByMacOs, runInstaller, startProgram } from '../../../../app/hosts/updates/begin-install.ts';
import { createManualClock } from '../../../support/manual-clock.ts';
import { temporaryDirectory } from '../../../support/temporary.ts';

describe.skipIf(process.platform === 'win32')('an installer for Windows', () => {
  function installer(mode: number): { readonly path: string; readonly started: string } {
    const folder = temporaryDirectory();
    const [path, started] = [join(folder, 'setup.exe'), join(folder, 'started')];
    writeFileSync(path, `#!/bin/sh\necho "$@" > '${started}.new' && mv '${started}.new' '${started}'\n`, { mode });
    return { path, started };
  }

  it('is started in silence, and the app ends', async () => {
    const { path, started } = installer(0o755);
    const quit = vi.fn();
    await runInstaller(path, quit);
    expect(quit).toHaveBeenCalledOnce();
    await expect.poll(() => existsSync(started)).toBe(true);
    expect(readFileSync(started, 'utf8')).toBe('--updated /S --force-run\n');
  });

  it('that the system does not let start leaves the app open and asks for no administrator (U7)', async () => {
    const { path, started } = installer(0o644);
    const quit = vi.fn();
    await expect(runInstaller(path, quit)).rejects.toThrow('EACCES');
    expect([quit.mock.calls, existsSync(started)]).toEqual([[], false]);
  });
});

describe.skipIf(process.platform === 'win32')('a program', () => {
  function program(lines: string, mode = 0o755): string {
    const path = join(temporaryDirectory(), 'program');
    writeFileSync(path, `#!/bin/sh\n${lines}\n`, { mode });
    return path;
  }

  it.each([
    ['ends in order', 'exit 0', true],
    ['ends otherwise', 'exit 3', false],
    ['is ended', 'kill -9 $$', false],
  ])('that %s says so', async (_words, lines, isInOrder) => {
    expect(await startProgram(program(lines), [])).toBe(isInOrder);
  });

  it('that the system does not start, now or at once, has not ended in order (U10)', async () => {
    expect(await startProgram(program('exit 0', 0o644), [])).toBe(false);
    expect(await startProgram(program('exit 0'), ['a'.repeat(5_000_000)])).toBe(false);
  });
});

describe('an update by macOS', () => {
  function open() {
    const clock = createManualClock();
    const system = new EventEmitter();
    const asked = vi.fn();
    const ended = vi.fn();
    const updater = Object.assign(new EventEmitter(), {
      quitAndInstall: () => {
        asked();
        system.on('update-downloaded', ended);
      },
    });
    return { clock, system, asked, ended, updater, installing: installByMacOs(updater, system, clock) };
  }

  it('that macOS refuses leaves the app open', async () => {
    const { updater, asked, installing } = open();
    updater.emit('error', new Error('not signed'));
    await expect(installing).rejects.toThrow('not signed');
    expect(asked).toHaveBeenCalledOnce();
  });

  it('that has not begun after two minutes leaves the app open, and ends it no later (U2)', async () => {
    const { clock, system, ended, installing } = open();
    const reason = installing.catch(String);
    await clock.advance(119_000);
    expect(system.listenerCount('update-downloaded')).toBe(1);
    await clock.advance(2_000);
    expect(await reason).toContain('macOS has not begun to install');
    system.emit('update-downloaded');
    expect(ended).not.toHaveBeenCalled();
  });
});
