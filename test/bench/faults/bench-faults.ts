import { createHash } from 'node:crypto';
import { parseArgs } from 'node:util';
import { drawFaultPlan } from './fault-plan.ts';
import { drainBoundMs } from './peer-run.ts';
import { policies, type Policy } from './policies.ts';
import { formatTable, total, type PolicyFigures } from './table.ts';

const usage = 'bench:faults [--seeds N] [--seed S] [--policy text]';
const defaultSeeds = 10;

interface Options {
  readonly first: number;
  readonly count: number;
  readonly chosen: readonly Policy[];
}

function readOptions(): Options | null {
  try {
    const { values } = parseArgs({
      options: { seeds: { type: 'string' }, seed: { type: 'string' }, policy: { type: 'string' } },
    });
    const count = Number(values.seeds ?? (values.seed === undefined ? defaultSeeds : 1));
    const first = Number(values.seed ?? 1);
    const chosen = policies.filter(({ name }) => name.toLowerCase().includes((values.policy ?? '').toLowerCase()));
    const isSound =
      Number.isSafeInteger(count) && count > 0 && Number.isSafeInteger(first) && first >= 0 && chosen.length > 0;
    return isSound ? { first, count, chosen } : null;
  } catch {
    return null;
  }
}

async function runAll({ first, count, chosen }: Options, hasCrashes: boolean): Promise<readonly PolicyFigures[]> {
  const all: PolicyFigures[] = [];
  for (const { name, isDurable, run } of chosen) {
    const runs = [];
    const startedAt = performance.now();
    for (let seed = first; seed < first + count; seed += 1) {
      runs.push(await run(drawFaultPlan(seed), hasCrashes));
    }
    // Apart from the tables, which are the same each time.
    console.error(
      `${name}, ${hasCrashes ? 'with' : 'without'} crashes: ${((performance.now() - startedAt) / 1000).toFixed(1)} s`,
    );
    all.push({ name: isDurable || !hasCrashes ? name : `${name} ¹`, runs });
  }
  return all;
}

async function main(): Promise<number> {
  const options = readOptions();
  if (options === null) {
    console.error(usage);
    return 2;
  }
  const { first, count, chosen } = options;
  const plans = Array.from({ length: count }, (_, place) => drawFaultPlan(first + place));
  const intents = plans.reduce((sum, plan) => sum + plan.intents.length, 0);
  const kills = plans.reduce((sum, plan) => sum + plan.kills.length, 0);
  const hours = plans.reduce((sum, plan) => sum + plan.healAtMs, 0) / 3_600_000;
  const withCrashes = await runAll(options, true);
  const withoutCrashes = await runAll(options, false);
  const hash = createHash('sha256');
  for (const { runs } of [...withCrashes, ...withoutCrashes]) {
    hash.update(runs.map(({ traceHash }) => traceHash).join(' '));
  }
  console.log(
    `\`npm run bench:faults -- --seed ${String(first)} --seeds ${String(count)}\`: ${String(intents)} switches in ${hours.toFixed(0)} simulated hours, each policy.`,
  );
  console.log(`\nWith ${String(kills)} crashes of the process:\n\n${formatTable(withCrashes)}`);
  console.log(`\nWithout crashes:\n\n${formatTable(withoutCrashes)}`);
  console.log('\n¹ It keeps its queue in memory, so a crash takes what waits.\n');
  console.log(
    [
      '- A plan holds, in any order: a calm, a burst, churn of one product, a backlog made without a network, a storm, an ailing platform, a captive portal, a failing proxy, and a rate limit shared with others; tokens end, the process dies.',
      '- The platform stores the first answer to a key and replays it. Whether it does so with 401 and 429, how it marks a replay, counts its limit and tells when to come back is drawn for each seed.',
      '- Lost: never took effect, nor did a later switch of the product, and nobody was told; a switch that the policy left out because a later one undid it is not lost when the product is as asked. Doubled: took effect again. Out of order: took effect after a later switch of the product. ' +
        `Stuck: still waiting ${String(drainBoundMs / 60_000)} minutes after all faults have ended. Given up: the person was told that it failed.`,
      '- One key a switch and a new key after an answer are the choice of whoever knows an answer by its status alone: the first meets the stored error again and gives up, the second may do twice what a 5xx had done.',
      '- The listing of settings holds those that are off, as its filter suggests. Where it does not, Tillside cannot prove an "off" that a 5xx answered, and sends it again; that changes nothing, and would be counted as doubled.',
      '- Requests: switches, readings of settings, and tokens. Faults are drawn exchange by exchange under the same conditions, so a policy that sends more meets more of them.',
      '- All other policies: a sign-in that renews itself and outlasts the process, 20 s for an answer, only the documented 204 counts as success, and a switch is given up after ten answers that are none.',
      ...chosen.map(({ name, setUp }) => `- ${name}: ${setUp}.`),
    ].join('\n'),
  );
  const accepted = [...withCrashes, ...withoutCrashes].map(({ runs }) => total(runs, 'accepted'));
  console.log(
    `\nAccepted ${String(Math.min(...accepted))} to ${String(Math.max(...accepted))} switches; traces ${hash.digest('hex').slice(0, 16)}.`,
  );
  return 0;
}

process.exitCode = await main();
