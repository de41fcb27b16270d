// The proof, in real Electron, that a start which cannot go on says why in the language of the person, in words that
// are true, and with the exit code that scripts look at.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startChild } from '../../support/child.ts';
import { electronCommand, whyNoElectron } from '../../support/electron.ts';
import { shopFile } from '../../support/shop-file.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const missing = whyNoElectron();
const brazilian = { LANGUAGE: 'pt_BR' };

/** Starts it, and ends it as soon as it has said this; answers all that it said. */
async function refused(
  flags: readonly string[],
  said: RegExp,
  exitCode: number,
  environment: Readonly<Record<string, string>> = brazilian,
): Promise<string> {
  const { path, parameters } = electronCommand(flags);
  const child = startChild(path, parameters, { environment });
  await child.waitForErrorLine(said, 20_000);
  expect(child.process.exitCode, 'it is said in a dialog as well').toBeNull();
  expect(await child.stop('SIGTERM')).toEqual({ code: exitCode, signal: null });
  return child.errorLines.join('\n');
}

test.skipIf(missing !== null)('a folder that Chromium cannot use is not called in use by somebody else', async () => {
  const directory = temporaryDirectory();
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'electron'), '');
  const said = await refused(['--data-dir', directory], /não consegue ler ou gravar/, 1);
  expect(said).toContain(`O Tillside não consegue ler ou gravar a pasta de dados ${join(directory, 'electron')}.`);
  expect(said).not.toContain('em execução');
});

test.skipIf(missing !== null || process.platform === 'win32').each(['file', 'folder'])(
  'a %s in the place of the link by which Chromium knows that it runs is told by its name',
  async (kind) => {
    const lock = join(temporaryDirectory(), 'electron', 'SingletonLock');
    mkdirSync(join(lock, '..'), { recursive: true });
    if (kind === 'file') {
      writeFileSync(lock, '');
    } else {
      mkdirSync(lock);
    }
    const said = await refused(['--data-dir', join(lock, '..', '..')], /não consegue ler ou gravar/, 1);
    expect(said).toContain(`${lock} is no link`);
  },
);

test.skipIf(missing !== null || process.platform === 'win32')(
  'a folder for temporary files that takes none is told by its name, and not that another Tillside runs',
  async () => {
    const folder = join(temporaryDirectory(), 'a-file');
    writeFileSync(folder, '');
    const environment = { ...brazilian, TMPDIR: folder };
    const said = await refused(['--data-dir', temporaryDirectory()], /arquivos temporários/, 1, environment);
    expect(said).toContain(folder);
    expect(said).not.toContain('em execução');
  },
);

test.skipIf(missing !== null)('a folder that cannot be made is told by its name', async () => {
  const file = join(temporaryDirectory(), 'file');
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, '');
  expect(await refused(['--data-dir', join(file, 'below'), '--lang', 'es'], /no puede leer o escribir/, 1)).toContain(
    join(file, 'below'),
  );
});

test.skipIf(missing !== null)(
  'a provisioning file that is refused is said in the language of the system, with exit code 2',
  async () => {
    expect(
      await refused(['--data-dir', temporaryDirectory(), '--provision', '/nowhere/till.json'], /não existe/, 2),
    ).toContain('/nowhere/till.json não pode ser usado:');
  },
);

test.skipIf(missing !== null)('so is a flag that is refused; one that is misspelt is named', async () => {
  const said = await refused(['--data-dir', temporaryDirectory(), '--lang', 'fr'], /--lang/, 2);
  expect(said).toContain('--lang deve ser en, pt-BR ou es');
  expect(
    await refused(
      [
        '--data-dir',
        temporaryDirectory(),
        '--provison',
        '/nowhere/till.json',
        '--training',
        '--provision',
        '/nowhere/till.json',
      ],
      /--training/,
      2,
    ),
  ).toContain('não podem ser usados juntos');
});

test.skipIf(missing !== null)(
  'a command that is refused ends by itself, for nobody may be there to close a dialog',
  async () => {
    const { path, parameters } = electronCommand(['--data-dir', temporaryDirectory(), '--json', '--lookup']);
    const child = startChild(path, parameters, { environment: brazilian });
    expect((await child.ended).code).toBe(2);
    expect(child.errorLines.join('\n')).toContain('--lookup precisa de um valor');
  },
);

test.skipIf(missing !== null)(
  'what a provisioning file would change is printed without a window, and nothing is written',
  async () => {
    const folder = temporaryDirectory();
    const file = join(folder, 'shop.json');
    writeFileSync(file, JSON.stringify({ ...shopFile, kiosk: true }));
    const data = join(folder, 'data');
    const { path, parameters } = electronCommand(['--data-dir', data, '--check-provision', file, '--lang', 'en']);
    const child = startChild(path, parameters, { environment: brazilian });
    expect((await child.ended).code).toBe(1);
    expect(child.lines).toEqual(expect.arrayContaining(['  clientId: none → till', '  kiosk: none → true']));
    expect(existsSync(data)).toBe(false);
  },
);
