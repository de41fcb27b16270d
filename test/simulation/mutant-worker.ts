// Plays seeds with a planted bug: one file is read as it would be with it, all others as they are.
import { registerHooks } from 'node:module';
import { workerData } from 'node:worker_threads';

/** What the worker is started with: the file, and its text with the bug in it. */
export interface PlantedFile {
  readonly url: string;
  readonly text: string;
}

const { url, text } = workerData as PlantedFile;
registerHooks({
  load: (read, context, next) =>
    read === url ? { format: 'module-typescript', source: text, shortCircuit: true } : next(read, context),
});
await import('./seed-worker.ts');
