import { runInSittings } from './long-run.ts';
import { cutReportSchema, cutsPerTerminal, runPowerCuts, summarizePowerCuts, type CutReport } from './power-cut-run.ts';
import { whyNoRecording } from './recording.ts';
import { stop } from '../../build/project.ts';

const controlCuts = 60;

/** The negative control: a terminal that does not wait for the disk must lose what it acknowledged. */
async function conclude(cuts: number, seed: number): Promise<boolean> {
  const reports: CutReport[] = [];
  await runPowerCuts(
    [{ seed, count: Math.min(controlCuts, cuts) }],
    ({ report }) => {
      reports.push(...(report === null ? [] : [report]));
    },
    { synchronous: 'NORMAL' },
  );
  const losses = reports.flatMap((report) => report.losses);
  const lostBy = (rule: string): number => losses.filter((loss) => loss.rule === rule).length;
  const acknowledgedLost = lostBy('P2');
  console.log(
    `Control with synchronous=NORMAL: ${acknowledgedLost} acknowledged changes, ${lostBy('P3')} requests and ${lostBy('P4')} times slots lost in ${Math.min(controlCuts, cuts)} cuts` +
      (acknowledgedLost > 0 ? '' : ': FAILED, the test is blind'),
  );
  return acknowledgedLost > 0;
}

const missing = whyNoRecording();
if (missing !== null) {
  stop(missing, 3);
}
process.exitCode = await runInSittings({
  program: 'power-cut',
  unit: 'cuts',
  byDefault: 60,
  maxPerPart: cutsPerTerminal,
  report: cutReportSchema,
  run: (terminals, { onPart }) => runPowerCuts(terminals, onPart),
  summarize: summarizePowerCuts,
  conclude,
});
