import { resolve } from 'node:path';
import { openJsonFile } from '../../app/hosts/node/settings-file.ts';
import { createLoopback } from '../../app/hosts/programs/loopback.ts';
import type { StartOptions } from '../../app/hosts/start.ts';

/** The start of a terminal that nobody asks for anything else; what it has to be told is its folder and its set-up. */
export const plainStart: Omit<StartOptions, 'dataDirectory' | 'setUp'> = {
  openLocalApi: createLoopback,
  host: 'browser',
  version: '0.0.0',
  systemLanguage: 'en',
  statusPath: null,
  forgetPin: false,
  trainingOf: null,
  training: false,
  isSafeMode: false,
  rendererDirectory: '',
  checkpointWorkerPath: resolve('app/storage/checkpoint-worker.ts'),
  openJsonFile,
};
