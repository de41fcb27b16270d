import { parseArgs } from 'node:util';
import { onOneLine } from '../domain/one-line.ts';
import { startBridge } from './bridge.ts';
import { checkSource } from './check.ts';
import { ConfigError, readConfig } from './config.ts';
import { createLog } from './health.ts';
import { reasonOf } from './reason.ts';

const help = `Usage: npm run bridge -- --config shop.json [--check]

Serves API v3 over a shop's own database until it is interrupted.

  --config PATH  the configuration, see app/bridge/README.md
  --check        reads the configuration, asks ledger and source for everything once, says what is wrong, and ends
  --help         this text
`;

/** What has been answered is on the disk by then; who still waits for an answer asks again. */
const closingDeadlineMs = 8000;

/** What stands in the shop's database moves no cursor and hides no line. */
const printable = (text: string): string => text.split('\n').map(onOneLine).join('\n');
const say = (text: string): void => void process.stdout.write(printable(text));
const complain = (text: string): void => void process.stderr.write(printable(text));

/** The flags of this process. Throws for one that there is not. */
const readFlags = () =>
  parseArgs({
    options: { config: { type: 'string' }, check: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
  }).values;

/** Runs the bridge with the flags of this process until a signal. */
export async function runBridge(): Promise<void> {
  let values: ReturnType<typeof readFlags>;
  try {
    values = readFlags();
  } catch (error) {
    complain(`${reasonOf(error)}\n\n${help}`);
    process.exitCode = 2;
    return;
  }
  if (values.help === true || values.config === undefined) {
    say(help);
    process.exitCode = values.help === true ? 0 : 2;
    return;
  }
  try {
    const config = readConfig(values.config, process.env);
    if (values.check === true) {
      const { lines, faults } = await checkSource(config);
      say(lines.map((line) => `${line}\n`).join(''));
      if (faults.length > 0) {
        complain(`The bridge could not serve this:\n${faults.join('\n')}\n`);
        process.exitCode = 1;
      }
      return;
    }
    const bridge = await startBridge(config, createLog(say, Date.now));
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => {
        void bridge.close();
        // SQLite that reads a shop's file without end is ended by nothing else, and Node waits for it.
        setTimeout(() => process.kill(process.pid, signal), closingDeadlineMs).unref();
      });
    }
  } catch (error) {
    complain(`The bridge could not start:\n${reasonOf(error)}\n`);
    process.exitCode = error instanceof ConfigError ? 2 : 1;
  }
}
