// Out of an AppImage the app runs in a folder that goes with it, and whose name anybody may then make anew below /tmp. Its
// AppRun puts folders of that in front of the lists in which programs and libraries are looked for; whatever the app
// starts inherits them, and may outlive it: a browser, and the new version after an update.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { launchElectronForTest, whyNoElectron } from '../../support/electron.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { invoke } from '../story.ts';

describe.skipIf(whyNoElectron() !== null || process.platform !== 'linux')('an AppImage', () => {
  it('hands no folder of its own, or of another that started it, to what it starts', async () => {
    const folder = temporaryDirectory();
    const [own, gone, system] = ['own', '.mount_TillsiAbCdEf', 'system'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    [own, gone, system].forEach((made) => mkdirSync(made));
    const heard = join(folder, 'heard');
    const put = (place: string, whose: string): void =>
      writeFileSync(
        join(place, 'xdg-open'),
        `#!/bin/sh\n{ echo ${whose}; env; } > '${heard}.new'\nmv '${heard}.new' '${heard}'\n`,
        { mode: 0o755 },
      );
    put(system, 'ours');
    const behind = (list: string): string => `${own}${list}:${gone}${list}`;
    const session = await launchElectronForTest(['--training'], {
      environment: {
        APPDIR: own,
        PATH: `${own}:${own}/usr/sbin:${gone}:${gone}/usr/sbin:${system}:${process.env['PATH'] ?? ''}`,
        LD_LIBRARY_PATH: behind('/usr/lib'),
        XDG_DATA_DIRS: `${behind('/usr/share/')}:/usr/local/share/:/usr/share/`,
        GSETTINGS_SCHEMA_DIR: behind('/usr/share/glib-2.0/schemas'),
      },
    });
    await session.page.getByRole('main', { name: 'Lookup' }).waitFor();
    // What another user of the machine makes once that program has ended.
    put(gone, 'theirs');
    expect(await invoke(session.page, 'practice:openPanel')).toMatchObject({ ok: true });
    await expect.poll(() => readFileSync(heard, { encoding: 'utf8', flag: 'a+' }), { timeout: 20_000 }).toMatch(/=/);
    const [whose, ...inherited] = readFileSync(heard, 'utf8').split('\n');
    expect(whose).toBe('ours');
    expect(inherited.filter((variable) => !variable.startsWith('APPDIR=') && /own|\.mount_/.test(variable))).toEqual(
      [],
    );
    expect(inherited).toContain('XDG_DATA_DIRS=/usr/local/share/:/usr/share/');
  });
});
