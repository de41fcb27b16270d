// From the start of the process to a window that answers a scan, beside a bare window of the same runtime. Both let a
// debugger in, which says when a page has painted; its own port weighs on both alike.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cardOf, seeCopyComplete, signIn } from '../e2e/story.ts';
import { startChild, type Child } from '../support/child.ts';
import { electronCommand } from '../support/electron.ts';
import { hasKeyring, startKeyring } from '../support/keyring.ts';
import { connect, drivablePackage, listening } from '../support/packaged.ts';
import { launchPlatform } from '../support/platform.ts';
import { scan, typeScan } from '../support/wedge.ts';
import { layBareApp } from './bare-app.ts';
import { catalogueOf, fillCatalogue, makeProductData, pick, type Scannable } from './fixtures.ts';
import { readTree } from './process-tree.ts';
import { median } from './statistics.ts';
import type { Figure } from './table.ts';
import { provision } from './terminal-host.ts';

const products = 100_000;
const lookEveryMs = 10;
const patienceMs = 60_000;
/** The work that a start leaves is over by then: compiled code is kept. */
const settleMs = 8_000;

/** How much longer than a bare window Tillside may take, until it answers. */
const maxTimes = 1.3;

interface Program {
  readonly path: string;
  readonly parameters: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

interface Started {
  /** From the start of the process, in milliseconds. */
  readonly paintedMs: number;
  readonly answeredMs: number;
  /** Of all its processes until then. */
  readonly processorMs: number;
}

type Send = (method: string, parameters: unknown) => Promise<unknown>;

/** Speaks with one page, in as few words as can be. */
async function attach(address: string): Promise<{ readonly send: Send; close(): void }> {
  const socket = new WebSocket(address);
  const waiting = new Map<number, (result: unknown) => void>();
  const lost = Promise.withResolvers<never>();
  for (const end of ['close', 'error']) {
    socket.addEventListener(end, () => {
      lost.reject(new Error('the page is gone'));
    });
  }
  // Whoever waits hears of it; nobody may be waiting.
  lost.promise.catch(() => undefined);
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(String(data)) as { readonly id?: number; readonly result?: unknown };
    waiting.get(id ?? 0)?.(result);
  });
  await Promise.race([
    lost.promise,
    new Promise((resolve) => {
      socket.addEventListener('open', resolve, { once: true });
    }),
  ]);
  let last = 0;
  return {
    send: (method, parameters) => {
      last += 1;
      const id = last;
      socket.send(JSON.stringify({ id, method, params: parameters }));
      return Promise.race([lost.promise, new Promise((resolve) => waiting.set(id, resolve))]);
    },
    close: () => {
      socket.close();
    },
  };
}

async function findPage(port: string): Promise<string> {
  for (const giveUpAt = Date.now() + patienceMs; Date.now() < giveUpAt;) {
    const targets = (await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()) as readonly {
      readonly url: string;
      readonly webSocketDebuggerUrl: string;
    }[];
    const page = targets.find(({ url }) => url === 'app://tillside/' || url.endsWith('/page.html'));
    if (page !== undefined) {
      return page.webSocketDebuggerUrl;
    }
    await sleep(lookEveryMs);
  }
  throw new Error('no window');
}

/** The answer of this promise of the page; asked again when the page was only just coming. */
async function ask(send: Send, expression: string): Promise<number> {
  for (const giveUpAt = Date.now() + patienceMs; Date.now() < giveUpAt;) {
    const answer = (await send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true })) as
      | { readonly result: { readonly value: number } }
      | undefined;
    if (answer !== undefined) {
      return answer.result.value;
    }
    await sleep(lookEveryMs);
  }
  throw new Error('the page does not answer');
}

/** Within the page: when this is first true of its document, on the clock that everybody shares. */
function momentOf(send: Send, condition: string): Promise<number> {
  const expression = `new Promise((resolve) => {
    const look = () => {
      if (${condition}) {
        watch.disconnect();
        requestAnimationFrame(() => setTimeout(() => resolve(performance.timeOrigin + performance.now()), 0));
      }
    };
    const watch = new MutationObserver(look);
    watch.observe(document, { subtree: true, childList: true, characterData: true });
    look();
  })`;
  return ask(send, expression);
}

const painted = `new Promise((resolve) => {
  new PerformanceObserver((list) => {
    const [paint] = list.getEntriesByName('first-contentful-paint');
    if (paint !== undefined) {
      resolve(performance.timeOrigin + paint.startTime);
    }
  }).observe({ type: 'paint', buffered: true });
})`;

/** Starts it once; with a product, scans that. */
async function startOnce(program: Program, product: Scannable | null, afterwards = 0): Promise<Started> {
  const startedAt = Date.now();
  const child = startChild(program.path, [...program.parameters, '--remote-debugging-port=0'], program);
  try {
    const [, , port = ''] = await child.waitForErrorLine(listening);
    const { send, close } = await attach(await findPage(port));
    const paintedAt = await ask(send, painted);
    let answeredAt = paintedAt;
    if (product !== null) {
      await momentOf(send, "document.querySelector('main') !== null");
      await typeScan(send, product.code);
      answeredAt = await momentOf(
        send,
        `[...document.querySelectorAll('h2')].some((one) => one.textContent === ${JSON.stringify(product.name)})`,
      );
    }
    const { processorMs } = readTree(child.process.pid ?? 0);
    await sleep(afterwards);
    close();
    return { paintedMs: paintedAt - startedAt, answeredMs: answeredAt - startedAt, processorMs };
  } finally {
    await child.stop();
  }
}

/** Has the system read every file from the disk again. False where only an administrator may. */
function dropCaches(): boolean {
  try {
    execFileSync('sync');
    writeFileSync('/proc/sys/vm/drop_caches', '3');
    return true;
  } catch {
    return false;
  }
}

/** A terminal with a full copy; signed in where there is a keychain to keep that. */
async function prepare(
  ours: Program,
  child: Child,
  platform: Awaited<ReturnType<typeof launchPlatform>>,
  product: Scannable,
): Promise<void> {
  const page = await connect(await child.waitForErrorLine(listening));
  if ('XDG_DATA_HOME' in ours.environment) {
    await signIn(page, platform);
    await seeCopyComplete(page);
  }
  await scan(page, product.code);
  await cardOf(page, product.name).waitFor();
  await page.context().browser()?.close();
  await sleep(settleMs);
  await child.stop();
}

export interface StartRound {
  readonly ours: Started;
  readonly bare: Started;
}

/** Measures the package's start in dist/package; needs Linux, an Electron runtime and a display. */
export async function measureStart(directory: string, rounds: number): Promise<readonly Figure[]> {
  const data = join(directory, 'data');
  const platform = await launchPlatform(['--products', String(products)]);
  const keyring = hasKeyring() ? await startKeyring('open', join(directory, 'keyring')) : null;
  try {
    provision(data, platform);
    const productData = makeProductData(products);
    const { path, fingerprint } = catalogueOf(data, platform.url);
    await fillCatalogue(path, fingerprint, productData);
    const [product] = pick(productData, 1, 0);
    if (product === undefined) {
      throw new Error('no product');
    }
    const ours: Program = {
      path: join(drivablePackage(), 'tillside'),
      parameters: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), '--data-dir', data, '--lang', 'en'],
      environment: keyring?.environment ?? {},
    };
    const bare: Program = {
      ...electronCommand([], layBareApp(join(directory, 'bare'))),
      environment: ours.environment,
    };
    const first = startChild(
      ours.path,
      [...ours.parameters, '--remote-debugging-port=0', '--provision', join(data, 'provision.json')],
      ours,
    );
    await prepare(ours, first, platform, product);
    // The second start is the first that finds compiled code, and keeps more of it.
    await startOnce(ours, product, settleMs);
    await startOnce(bare, null, settleMs);
    const round = async (): Promise<StartRound> => ({
      ours: await startOnce(ours, product),
      bare: await startOnce(bare, null),
    });
    const warm: StartRound[] = [];
    for (let count = 0; count < rounds; count += 1) {
      warm.push(await round());
    }
    const cold: StartRound[] = [];
    for (let count = 0; count < rounds && dropCaches(); count += 1) {
      const theirs = await startOnce(bare, null);
      dropCaches();
      cold.push({ ours: await startOnce(ours, product), bare: theirs });
    }
    return [...figuresOf('warm', warm), ...(cold.length === 0 ? [] : figuresOf('cold', cold))];
  } finally {
    await keyring?.stop();
    await platform.child.stop('SIGKILL');
  }
}

function figuresOf(kind: 'warm' | 'cold', rounds: readonly StartRound[]): readonly Figure[] {
  const figure = (name: string, key: keyof Started, aim?: (bare: number) => number): Figure => {
    const [values, beside] = [rounds.map(({ ours }) => ours[key]), rounds.map(({ bare }) => bare[key])];
    return {
      name: `${kind}: ${name}`,
      unit: 'ms',
      value: median(values),
      spread: values,
      peers: [{ name: "a bare window's first picture", value: median(beside), spread: beside }],
      ...(aim === undefined ? {} : { aim: Math.round(aim(median(beside))) }),
    };
  };
  return [
    figure('from the start to the first picture', 'paintedMs'),
    figure('from the start to a scan answered', 'answeredMs', (bare) => maxTimes * bare),
    figure('processor until then', 'processorMs'),
  ];
}
