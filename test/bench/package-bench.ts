import { join } from 'node:path';
import { bytesOf, packageDirectory, readAsar } from '../support/packaged.ts';
import type { Figure } from './table.ts';

const megabyte = 1_000_000;

/** Weighs the package in dist/package. */
export function measurePackage(): readonly Figure[] {
  const asar = join(packageDirectory, 'resources', 'app.asar');
  const files = readAsar(asar);
  const sizeOf = (pattern: RegExp): number =>
    files.filter(({ path }) => pattern.test(path)).reduce((sum, file) => sum + Buffer.byteLength(file.text()), 0) /
    megabyte;
  const whole = bytesOf(packageDirectory) / megabyte;
  return [
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
        { name: 'of it the main process', value: sizeOf(/^dist\/main[^/]*\.js$/) },
      ],
    },
  ];
}
