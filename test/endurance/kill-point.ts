import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import sqlite from 'node:sqlite';

const killAt = Number(process.env['TILLSIDE_TEST_KILL_AT'] ?? 0);
let steps = 0;

function step(): void {
  steps += 1;
  if (steps === killAt) {
    process.kill(process.pid, 'SIGKILL');
    // The signal may take a moment; nothing happens meanwhile.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10_000);
  }
}

/** Puts a step before each of these methods. */
function watch(target: object, names: readonly string[]): void {
  for (const name of names) {
    const original = Reflect.get(target, name) as (...parameters: unknown[]) => unknown;
    Reflect.set(target, name, function stepped(this: unknown, ...parameters: unknown[]): unknown {
      step();
      return Reflect.apply(original, this, parameters);
    });
  }
}

watch(sqlite.DatabaseSync.prototype, ['exec', 'close']);
watch(sqlite.StatementSync.prototype, ['run']);
watch(sqlite, ['backup']);
watch(fs, [
  'writeFileSync',
  'appendFileSync',
  'renameSync',
  'rmSync',
  'unlinkSync',
  'mkdirSync',
  'truncateSync',
  'fsyncSync',
]);
syncBuiltinESMExports();

process.once('exit', () => {
  process.stderr.write(`STEPS ${String(steps)}\n`);
});
