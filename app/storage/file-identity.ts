import { statSync } from 'node:fs';

/** Another one where another file lies at the path; "" where none does, or where this process may not look. */
export function identityOf(path: string): string {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return '';
  }
}

/** Another one where another program has written to the file. */
export function stampOf(path: string): string {
  const { size, mtimeMs } = statSync(path);
  return `${size} ${mtimeMs}`;
}
