import { fileURLToPath } from 'node:url';
import { startChild } from '../support/child.ts';
import { pick, type ProductData } from './fixtures.ts';
import { median } from './statistics.ts';
import { residentBytes, startHost } from './terminal-host.ts';

/** Enough for the caches of the database to be as full as they get. */
const lookupsBeforeWeighing = 500;
const searchesBeforeWeighing = 100;
const jsonMap = fileURLToPath(new URL('./json-map.ts', import.meta.url));

export interface StartUp {
  /** In milliseconds and bytes. */
  readonly startMs: number;
  readonly residentBytes: number;
}

/** The medians of both figures. */
export function medianOf(rounds: readonly StartUp[]): StartUp {
  return {
    startMs: median(rounds.map((round) => round.startMs)),
    residentBytes: median(rounds.map((round) => round.residentBytes)),
  };
}

/** Starts the host on this data once; `known` are the products that are looked up. */
export async function startHostOnce(
  dataDirectory: string,
  productData: ProductData,
  known: ProductData,
  round: number,
): Promise<StartUp> {
  const codes = pick(known, lookupsBeforeWeighing, round).map(({ code }) => code);
  const startedAt = performance.now();
  const host = await startHost(dataDirectory);
  const answer = (await host.invoke('lookup:find', { text: codes[0] ?? '', source: 'scan' })) as {
    readonly ok: boolean;
    readonly value: { readonly kind: string };
  };
  const startMs = performance.now() - startedAt;
  if (!answer.ok || (answer.value.kind !== 'found' && known === productData)) {
    throw new Error(`the first lookup was answered with ${JSON.stringify(answer).slice(0, 500)}`);
  }
  for (const text of codes.slice(1)) {
    await host.invoke('lookup:find', { text, source: 'scan' });
  }
  for (const { name } of pick(known, searchesBeforeWeighing, round)) {
    await host.invoke('lookup:search', { text: name.slice(0, 8), limit: 20 });
  }
  const weight = residentBytes(host.child);
  await host.stop();
  return { startMs, residentBytes: weight };
}

/** Starts the process with the Map on a file of cards once. */
export async function startJsonMapOnce(cardsPath: string, code: string): Promise<StartUp> {
  const startedAt = performance.now();
  const child = startChild(process.execPath, [jsonMap, cardsPath, code]);
  await child.waitForLine(/^(?:found|missing)$/);
  const startMs = performance.now() - startedAt;
  const weight = residentBytes(child);
  await child.stop('SIGKILL');
  return { startMs, residentBytes: weight };
}
