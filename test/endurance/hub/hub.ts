import { parseArgs } from 'node:util';
import { buildStale } from '../../../build/launch.ts';
import { ownTemporaryFiles } from '../../support/temporary-root.ts';
import { makeTemporaryDirectory } from '../../support/temporary.ts';
import { buildHost } from '../build-host.ts';
import { runHub } from './run.ts';
import { summarizeHub } from './summary.ts';

const text = { type: 'string' } as const;
const { values } = parseArgs({ options: { minutes: text, seed: text, tills: text } });
ownTemporaryFiles();
await buildStale(['renderer']);
const folder = makeTemporaryDirectory();
const startMs = performance.now();
const minutes = Number(values.minutes ?? 10);
const report = await runHub({
  seed: values.seed ?? '1',
  seconds: minutes * 60,
  tills: Number(values.tills ?? 6),
  losesData: true,
  folder: folder.path,
  script: await buildHost(folder.path),
  note: (line) => {
    console.log(`${((performance.now() - startMs) / 1_000).toFixed(0)} s ${line}`);
  },
});
folder.remove();
console.log(summarizeHub(report));
process.exitCode = report.violations.length === 0 ? 0 : 1;
