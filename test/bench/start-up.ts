// Owns the measurement of start-up and memory: from starting the browser host's process to its first answered lookup, and its
// resident set after some hundred more; beside a process that reads the same products from JSON into a Map. Never judges a figure.
import { fileURLToPath } from 'node:url';
import { startChild } from '../support/child.ts';
import { pick, type Goods } from './goods.ts';
import { median } from './statistics.ts';
import { residentBytes, startHost } from './terminal-host.ts';

/** Enough for the caches of the database to be as full as they get. */
const lookupsBeforeWeighing = 500;
const jsonMap = fileURLToPath(new URL('./json-map.ts', import.meta.url));

export interface StartUp {
  /** Medians of the rounds, in milliseconds and bytes. */
  readonly startMs: number;
  readonly residentBytes: number;
}

function medianOf(rounds: readonly StartUp[]): StartUp {
  return { startMs: median(rounds.map((round) => round.startMs)), residentBytes: median(rounds.map((round) => round.residentBytes)) };
}

async function startOnce(dataDirectory: string, goods: Goods, codes: readonly string[]): Promise<StartUp> {
  const startedAt = performance.now();
  const host = await startHost(dataDirectory);
  const answer = (await host.invoke('lookup:find', { text: codes[0] ?? '', source: 'scan' })) as { readonly ok: boolean; readonly value: { readonly kind: string } };
  const startMs = performance.now() - startedAt;
  if (!answer.ok || answer.value.kind !== (goods.count === 0 ? 'unknown' : 'found')) {
    throw new Error(`the first lookup was answered with ${JSON.stringify(answer).slice(0, 500)}`);
  }
  for (const text of codes.slice(1)) {
    await host.invoke('lookup:find', { text, source: 'scan' });
  }
  const weight = residentBytes(host.child);
  await host.stop();
  return { startMs, residentBytes: weight };
}

/** Starts the host `rounds` times on the same data; `known` are the products that are looked up. */
export async function measureHost(dataDirectory: string, goods: Goods, known: Goods, rounds: number): Promise<StartUp> {
  const measured: StartUp[] = [];
  for (let round = 0; round < rounds; round += 1) {
    measured.push(await startOnce(dataDirectory, goods, pick(known, lookupsBeforeWeighing, round).map(({ code }) => code)));
  }
  return medianOf(measured);
}

/** Starts the process with the Map `rounds` times on a file of cards. */
export async function measureJsonMap(cardsPath: string, code: string, rounds: number): Promise<StartUp> {
  const measured: StartUp[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const startedAt = performance.now();
    const child = startChild(process.execPath, [jsonMap, cardsPath, code]);
    await child.waitForLine(/^(?:found|missing)$/);
    const startMs = performance.now() - startedAt;
    measured.push({ startMs, residentBytes: residentBytes(child) });
    await child.stop('SIGKILL');
  }
  return medianOf(measured);
}
