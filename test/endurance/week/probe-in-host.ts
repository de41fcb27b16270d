// Loaded before the host: at SIGUSR2 it says on its standard output what the process holds.
import { readFiles, readHeld } from './probe.ts';
import type { Sample } from './series.ts';

const folder = process.env['TILLSIDE_TEST_FOLDER'] ?? '';
let number = 0;

process.on('SIGUSR2', () => {
  number += 1;
  const files = Object.fromEntries(readFiles(folder));
  process.stdout.write(`HELD ${number} ${JSON.stringify({ held: readHeld(), files } satisfies Sample)}\n`);
});
