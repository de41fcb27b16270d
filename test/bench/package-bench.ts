import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { startChild } from '../support/child.ts';
import { findElectron } from '../support/electron.ts';
import { drivablePackage, listening, packageDirectory, readAsar, seePage } from '../support/packaged.ts';
import { layBareApp, windowTitle } from './bare-app.ts';
import { median } from './statistics.ts';
import type { Figure } from './table.ts';

const megabyte = 1_000_000;

const bytesOf = (path: string): number => {
  const status = statSync(path);
  return status.isDirectory()
    ? readdirSync(path).reduce((sum, name) => sum + bytesOf(join(path, name)), 0)
    : status.size;
};

/** From the start of the process to the first picture with something on it, in milliseconds. */
async function startOnce(program: string, parameters: readonly string[]): Promise<number> {
  const isRoot = process.getuid?.() === 0;
  const startedAt = Date.now();
  const child = startChild(program, [...parameters, ...(isRoot ? ['--no-sandbox'] : []), '--remote-debugging-port=0']);
  try {
    const [, address = '', port = ''] = await child.waitForErrorLine(listening);
    await seePage(Number(port), windowTitle);
    const browser = await chromium.connectOverCDP(address);
    const page = browser.contexts()[0]?.pages()[0];
    const paintedAt = await page?.evaluate(async () => {
      for (;;) {
        const [paint] = performance.getEntriesByName('first-contentful-paint');
        if (paint !== undefined) {
          return performance.timeOrigin + paint.startTime;
        }
        await new Promise((resolve) => {
          requestAnimationFrame(resolve);
        });
      }
    });
    return (paintedAt ?? Number.NaN) - startedAt;
  } finally {
    await child.stop('SIGKILL');
  }
}

/** Measures the package in dist/package; needs a display. */
export async function measurePackage(directory: string, rounds: number): Promise<readonly Figure[]> {
  const asar = join(packageDirectory, 'resources', 'app.asar');
  const files = readAsar(asar);
  const sizeOf = (pattern: RegExp): number =>
    files.filter(({ path }) => pattern.test(path)).reduce((sum, file) => sum + Buffer.byteLength(file.text()), 0) /
    megabyte;
  const whole = bytesOf(packageDirectory) / megabyte;
  const sizes: Figure[] = [
    {
      name: 'the packaged folder',
      unit: 'MB',
      value: whole,
      peers: [
        { name: "of it Electron's runtime", value: whole - bytesOf(join(packageDirectory, 'resources')) / megabyte },
      ],
    },
    {
      name: 'the archive with the app',
      unit: 'MB',
      value: bytesOf(asar) / megabyte,
      peers: [
        { name: 'of it the renderer', value: sizeOf(/^dist\/renderer\//) },
        { name: 'of it the main process', value: sizeOf(/^dist\/main\.js$/) },
      ],
    },
  ];
  const electron = findElectron();
  if ('missing' in electron) {
    return sizes;
  }
  const bare = layBareApp(join(directory, 'bare'));
  const data = join(directory, 'data');
  // The first start makes the practice store; those that count find it.
  await startOnce(join(drivablePackage(), 'tillside'), ['--data-dir', data, '--training']);
  const starts: { ours: number; bare: number }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    starts.push({
      ours: await startOnce(join(drivablePackage(), 'tillside'), ['--data-dir', data]),
      bare: await startOnce(electron.executablePath, [bare]),
    });
  }
  return [
    ...sizes,
    {
      name: 'from the start to the first picture',
      unit: 'ms',
      value: median(starts.map(({ ours }) => ours)),
      peers: [{ name: 'a bare window of the same runtime', value: median(starts.map((start) => start.bare)) }],
    },
  ];
}
