// Judges a platform of which each listing, balance and batch carries more than is asked for, and says what came of it.
import { parentPort, workerData } from 'node:worker_threads';
import { openJudgedPlatform } from '../support/judged-platform.ts';

/** What stands behind the fields of each answer. */
export type Harm = 'objects' | 'names';

const count = 30_000;
const harms: Readonly<Record<Harm, (place: number) => string>> = {
  objects: (place) => `"more":[${'{},'.repeat(count)}${place}]`,
  names: (place) => Array.from({ length: count }, (_unused, at) => `"${place}x${at}":0`).join(),
};

let answers = 0;
const platform = await openJudgedPlatform();
const report = await platform.judge({ maySwitch: null }, async (request, next) => {
  const answer = await next(request);
  if (typeof answer === 'string' || answer.status !== 200 || !/\/products[?/]/.test(request.url)) return answer;
  answers += 1;
  return { ...answer, text: `${answer.text.slice(0, -1)},${harms[workerData as Harm](answers)}}` };
});
parentPort?.postMessage({ answers, outcome: report.outcome });
