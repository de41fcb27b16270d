import { parseArgs } from 'node:util';
import { runPowerCuts, tellPowerCuts } from './power-cut-run.ts';
import { whyNoRecording } from './recording.ts';

const usage = 'power-cut [--cuts N] [--seed S]';
const controlCuts = 60;

function readOptions(): { readonly cuts: number; readonly seed: number } | null {
  try {
    const { values } = parseArgs({ options: { cuts: { type: 'string' }, seed: { type: 'string' } } });
    const [cuts, seed] = [Number(values.cuts ?? 60), Number(values.seed ?? 1)];
    return Number.isSafeInteger(cuts) && cuts > 0 && Number.isSafeInteger(seed) && seed >= 0 ? { cuts, seed } : null;
  } catch {
    return null;
  }
}

async function main(): Promise<number> {
  const options = readOptions();
  if (options === null) {
    console.error(usage);
    return 2;
  }
  const missing = whyNoRecording();
  if (missing !== null) {
    console.error(missing);
    return 3;
  }
  const run = await runPowerCuts(options);
  console.log(tellPowerCuts(run));
  const control = await runPowerCuts({
    cuts: Math.min(controlCuts, options.cuts),
    seed: options.seed,
    synchronous: 'NORMAL',
  });
  const lostBy = (rule: string): number => control.losses.filter((loss) => loss.rule === rule).length;
  const acknowledgedLost = lostBy('P2');
  console.log(
    `Control with synchronous=NORMAL: something lost in ${control.losing} of ${control.cuts} cuts: ${acknowledgedLost} acknowledged changes, ${lostBy('P3')} requests, ${lostBy('P4')} times slots` +
      (acknowledgedLost > 0 ? '' : ': FAILED, the test is blind'),
  );
  return run.losing === 0 && acknowledgedLost > 0 ? 0 : 1;
}

process.exitCode = await main();
