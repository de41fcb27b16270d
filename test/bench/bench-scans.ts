import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { endings, paths, playBursts, type Figures } from '../support/paused-scans.ts';

const { values } = parseArgs({
  options: {
    bursts: { type: 'string', default: '20000' },
    seed: { type: 'string', default: '12' },
    'in-chromium': { type: 'string', default: '600' },
  },
});

const bursts = Number(values.bursts);
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const share = (count: number): string => `${((100 * count) / bursts).toFixed(3)} %`;

say(`${bursts} bursts a row, seed ${values.seed}; a stall's probability is for each gap between two keys`);
say('| path | terminator | whole | scan again, or nothing | another code | another product |');
say('|---|---|---|---|---|---|');
for (const path of paths) {
  for (const ending of endings) {
    const figures: Figures = playBursts(path, ending, bursts, Number(values.seed)).figures;
    say(
      `| ${path.name} | ${ending} | ${share(figures.whole)} | ${figures.again} | ${figures.otherCode} | ${figures.otherProduct} |`,
    );
  }
}
if (Number(values['in-chromium']) > 0) {
  say('| path, in Chromium | terminator | bursts | whole | another product |');
  const { status } = spawnSync('npx', ['vitest', 'run', '--project', 'ui', 'test/ui/scan-pauses.test.ts'], {
    stdio: 'inherit',
    env: { ...process.env, TILLSIDE_SCAN_BURSTS: values['in-chromium'] },
  });
  process.exitCode = status ?? 1;
}
