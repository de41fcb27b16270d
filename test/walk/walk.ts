import { parseArgs } from 'node:util';
import { buildStale } from '../../build/launch.ts';
import { launchChromium } from '../support/chromium.ts';
import { shorten, stepsOf, walk } from './run-walk.ts';

const usage = `walk [--seed N] [--minutes M] [--steps S] [--shorten T]
  Walks at random through a real terminal, from this seed on while the minutes last, and says what the screen told that
  was not so, with the shortest form of the walk that T further walks find.`;

async function main(): Promise<number> {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    options: { seed: text, minutes: text, steps: text, shorten: text, help: { type: 'boolean' } },
  });
  const [seed, minutes, steps, tries] = [
    values.seed ?? 1,
    values.minutes ?? 5,
    values.steps ?? 60,
    values.shorten ?? 40,
  ].map(Number) as [number, number, number, number];
  if (values.help === true || ![seed, steps, tries].every(Number.isSafeInteger) || !(minutes > 0)) {
    console.log(usage);
    return values.help === true ? 0 : 2;
  }
  await buildStale(['renderer']);
  const chromium = await launchChromium();
  const startedMs = performance.now();
  let [walks, done, found] = [0, 0, 0];
  // Without its browser a walk leaves its terminal behind.
  for (let one = seed; chromium.browser.isConnected() && performance.now() - startedMs < minutes * 60_000; one += 1) {
    const walked = await walk(chromium, one, stepsOf(one, steps)).catch((error: unknown) => String(error));
    const seconds = Math.round((performance.now() - startedMs) / 1000);
    if (typeof walked === 'string') {
      console.log(`seed ${one}, after ${seconds} s: could not be walked: ${walked}`);
      continue;
    }
    walks += 1;
    done += walked.steps;
    const words = walked.finding === null ? 'all was so' : `${walked.finding.rule}: ${walked.finding.words}`;
    console.log(`seed ${one}, ${walked.steps} steps, after ${seconds} s: ${words}`);
    if (walked.finding !== null) {
      found += 1;
      console.log(walked.lines.map((line) => `    ${line}`).join('\n'));
      const shortest = await shorten(chromium, one, walked, tries);
      console.log(`  the shortest form, ${shortest.trace.length} steps: ${shortest.finding?.words ?? ''}`);
      console.log(shortest.lines.map((line) => `    ${line}`).join('\n'));
    }
  }
  const wasCutShort = !chromium.browser.isConnected();
  await chromium.close();
  if (wasCutShort) {
    console.log('The browser has ended.');
  }
  console.log(`${walks} walks, ${done} steps, ${found} with something that was not so`);
  return found === 0 && walks > 0 && !wasCutShort ? 0 : 1;
}

process.exitCode = await main();
