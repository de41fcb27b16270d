import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';

/** A memory file system where there is one: what is simulated is the process's death, not the disk's. */
export const temporaryRoot =
  readdirSync('/').includes('dev') && readdirSync('/dev').includes('shm') ? '/dev/shm' : tmpdir();
