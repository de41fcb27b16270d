// Owns where the files of simulated runs, and of tests that open hundreds of stores, go. Never makes or removes any.
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';

/** A memory file system where there is one: what is simulated is the process's death, not the disk's. */
export const temporaryRoot = readdirSync('/').includes('dev') && readdirSync('/dev').includes('shm') ? '/dev/shm' : tmpdir();
