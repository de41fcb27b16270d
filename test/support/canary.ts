import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Secrets by what they are. */
export type Secrets = Readonly<Record<string, string>>;

function base64Forms(secret: string): string[] {
  const bytes = Buffer.from(secret, 'utf8');
  return [0, 1, 2].flatMap((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift), bytes])
      .toString('base64')
      .replaceAll('=', '');
    // Characters that also depend on what stands before or behind are left out.
    const core = text.slice(shift === 0 ? 0 : shift + 1, (bytes.length + shift) % 3 === 0 ? undefined : -1);
    return [core, core.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

function formsOf(secret: string): { readonly form: string; readonly bytes: Buffer }[] {
  return [
    { form: 'utf8', bytes: Buffer.from(secret, 'utf8') },
    { form: 'utf16le', bytes: Buffer.from(secret, 'utf16le') },
    ...[...new Set(base64Forms(secret))].map((text) => ({ form: 'base64', bytes: Buffer.from(text, 'latin1') })),
  ];
}

/** Which secrets are in these bytes, each as "name in form". */
export function findSecrets(content: Buffer | string, secrets: Secrets): string[] {
  const bytes = typeof content === 'string' ? Buffer.from(content, 'utf8') : content;
  const found = Object.entries(secrets).flatMap(([name, secret]) =>
    formsOf(secret).flatMap(({ form, bytes: wanted }) => (bytes.includes(wanted) ? [`${name} in ${form}`] : [])),
  );
  return [...new Set(found)];
}

/** The same of every file below a folder, each as "path: name in form". */
export function findSecretsIn(directory: string, secrets: Secrets): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .flatMap((entry) => {
      const path = join(entry.parentPath, entry.name);
      try {
        return findSecrets(readFileSync(path), secrets).map((found) => `${path.slice(directory.length + 1)}: ${found}`);
      } catch (error) {
        // A file that a running program has just removed.
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
          return [];
        }
        throw error;
      }
    });
}
