import { spawnSync } from 'node:child_process';

/** Whether what makes the MSI, and looks into it, is installed. */
export function hasWixl(): boolean {
  return ['wixl', 'msibuild', 'msiinfo'].every((tool) => spawnSync(tool, ['--help']).error === undefined);
}
