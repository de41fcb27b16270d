import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { createNodeClock } from '../../app/hosts/node/node-ports.ts';
import { createKeytarVault, vaultDeadlineMs } from '../../app/session/keytar-vault.ts';

type Call = readonly ['read' | 'remove', string] | readonly ['write', string, string];

/** How long after the deadline an answer is late. */
const slackMs = 1500;

const vault = createKeytarVault({ clock: createNodeClock(), dataDirectory: process.argv[2] ?? '' });

function make(call: Call): Promise<unknown> {
  switch (call[0]) {
    case 'read':
      return vault.read(call[1]);
    case 'write':
      return vault.write(call[1], call[2]);
    case 'remove':
      return vault.remove(call[1]);
  }
}

async function answer(calls: readonly Call[]): Promise<void> {
  // A timer rather than a clock: a busy machine makes both it and the vault's own late, and their order stays.
  let isLate = false;
  const lateness = setTimeout(() => {
    isLate = true;
  }, vaultDeadlineMs + slackMs);
  const fileMs: number[] = [];
  const over = new AbortController();
  const reading = (async () => {
    while (!over.signal.aborted) {
      const readMs = performance.now();
      await readFile(import.meta.filename);
      fileMs.push(performance.now() - readMs);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  })();
  const answers = await Promise.all(calls.map(async (call) => ({ result: await make(call), isLate })));
  clearTimeout(lateness);
  over.abort();
  await reading;
  const sorted = fileMs.toSorted((left, right) => left - right);
  console.log(
    JSON.stringify({ answers, fileReads: sorted.length, medianFileMs: sorted[Math.floor(sorted.length / 2)] ?? 0 }),
  );
}

// The library that speaks to the bus ends the process in order when the bus goes away, as at the end of a desktop's
// session. Here it goes on, to be asked.
process.on('SIGTERM', () => undefined);
// The cost of loading the native library is no affair of the keychain's.
await import('keytar');
createInterface({ input: process.stdin }).on('line', (line) => {
  void answer(JSON.parse(line) as readonly Call[]);
});
console.log('ready');
