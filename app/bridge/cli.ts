import { parseArgs } from 'node:util';
import { startBridge } from './bridge.ts';
import { ConfigError, readConfig, type Config } from './config.ts';
import { createLog } from './health.ts';
import { openSharedLedger } from './ledger/shared-ledger.ts';
import { openSource } from './sources/open-source.ts';

const help = `Usage: npm run bridge -- --config shop.json [--check]

Serves API v3 over a shop's own database until it is interrupted.

  --config PATH  the configuration, see app/bridge/README.md
  --check        reads the configuration and asks ledger and source once, says what is wrong, and ends
  --help         this text
`;

/** What stands in the shop's database moves no cursor and hides no line. */
const printable = (text: string): string => text.replaceAll(/[^\P{C}\n]|[\p{Zl}\p{Zp}]/gu, '�');
const say = (text: string): void => void process.stdout.write(printable(text));
const complain = (text: string): void => void process.stderr.write(printable(text));
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Asks ledger and source for everything once; says how much there is. */
async function check(config: Config): Promise<void> {
  const { source, stocks } = config;
  if (config.ledger !== undefined) {
    const ledger = openSharedLedger(config.ledger);
    say(`the ledger answers; coupons that wait for the source: ${await ledger.countPending().finally(ledger.close)}\n`);
  }
  const asked = openSource(source, config);
  try {
    let products = 0;
    let barcodes = 0;
    const named = new Map<string, number>();
    for await (const found of asked.read()) {
      const { products: some = [], barcodes: more = [], amounts = [] } = found;
      products += some.length;
      barcodes += some.reduce((sum, product) => sum + product.barcodes.length, more.length);
      for (const { stock } of amounts) {
        named.set(stock, (named.get(stock) ?? 0) + 1);
      }
    }
    say(`${products} products, ${barcodes} barcodes\n`);
    for (const stock of stocks) {
      say(`stock ${stock.id} (${stock.name}): ${named.get(stock.source) ?? 0} amounts\n`);
    }
    const others = [...named.keys()].filter((one) => !stocks.some((stock) => stock.source === one));
    if (others.length > 0) {
      say(
        `not served: ${others
          .slice(0, 20)
          .map((one) => JSON.stringify(one))
          .join(', ')}\n`,
      );
    }
  } finally {
    await asked.close();
  }
}

/** Runs the bridge with the flags of this process until a signal. */
export async function runBridge(): Promise<void> {
  let values: {
    readonly config?: string | undefined;
    readonly check?: boolean | undefined;
    readonly help?: boolean | undefined;
  };
  try {
    ({ values } = parseArgs({
      options: { config: { type: 'string' }, check: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
    }));
  } catch (error) {
    complain(`${messageOf(error)}\n\n${help}`);
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
      await check(config);
      return;
    }
    const bridge = await startBridge(config, createLog(say, Date.now));
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => void bridge.close());
    }
  } catch (error) {
    complain(`The bridge could not start:\n${messageOf(error)}\n`);
    process.exitCode = error instanceof ConfigError ? 2 : 1;
  }
}
