import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { accessLevels, accessRows, lockOf, milderRows, whoOf, type Call } from '../app/contract/access.ts';
import type { Channel } from '../app/contract/contract.ts';
import { alwaysHeld, lockKinds } from '../app/contract/limits/lock.ts';

const securityPath = resolve(import.meta.dirname, '../SECURITY.md');
const table = /\| Who \| Held by the PIN \| Calls \|\n(?:\|.*\n)+/;

const channelsOf = (rows: object): readonly Channel[] => Object.keys(rows) as readonly Channel[];
const calls: readonly Call[] = [
  ...channelsOf(accessRows).map((channel) => ({ channel, isMild: false })),
  ...channelsOf(milderRows).map((channel) => ({ channel, isMild: true })),
];

function nameOf({ channel, isMild }: Call): string {
  const mark = 'station' in accessRows[channel] ? '†' : '';
  return isMild ? `\`${channel} (less)\`` : `\`${channel}\`${mark}`;
}

/** Who may call what: a row for each access level and kind of the lock, the least first. */
export function drawAccess(): string {
  const rows = accessLevels.flatMap((who) =>
    (['none', ...lockKinds, ...alwaysHeld] as const).flatMap((lock) => {
      const listed = calls.filter((call) => whoOf(call) === who && lockOf(call) === lock);
      return listed.length === 0 ? [] : [`| \`${who}\` | \`${lock}\` | ${listed.map(nameOf).join(', ')} |`];
    }),
  );
  return ['| Who | Held by the PIN | Calls |', '|---|---|---|', ...rows, ''].join('\n');
}

/** Whether SECURITY.md shows who may call what. */
export function isAccessDrawn(): boolean {
  return readFileSync(securityPath, 'utf8').match(table)?.[0] === drawAccess();
}

/** Has SECURITY.md show it. */
export function writeAccess(): void {
  writeFileSync(securityPath, readFileSync(securityPath, 'utf8').replace(table, drawAccess));
}
