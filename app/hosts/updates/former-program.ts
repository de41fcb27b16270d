// The program that an update takes the place of stays beside it as `….former`, until the new one has answered.
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Clock, Timer } from '../../ports.ts';
import { freshName } from '../../storage/names-beside.ts';

const lookEveryMs = 500;
/** Two minutes: a slow terminal at its first start of the day. */
const maxLooks = 240;

/** Where the former program lies. */
export function formerOf(place: string): string {
  return `${place}.former`;
}

function flush(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function keepBeside(place: string): void {
  const former = formerOf(place);
  // One that lies there has answered once; what is in its place now has not yet.
  if (existsSync(former)) {
    return;
  }
  try {
    linkSync(place, former);
  } catch {
    // Some file systems have no second name for a file. A copy has its name only when it is whole.
    const copy = freshName(join(dirname(place), `.${basename(place)}.copy`));
    try {
      copyFileSync(place, copy);
      flush(copy);
      renameSync(copy, former);
    } finally {
      rmSync(copy, { force: true });
    }
  }
}

/**
 * Puts the new file in the program's place in one step, and keeps the former program beside it. Throws when it cannot;
 * the program is then as it was.
 */
export function replaceProgram(newFile: string, place: string): void {
  const beside = freshName(join(dirname(place), `.${basename(place)}.new`));
  try {
    copyFileSync(newFile, beside);
    chmodSync(beside, 0o755);
    flush(beside);
    keepBeside(place);
    renameSync(beside, place);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
  flush(dirname(place));
}

/** Removes the former program, for the one in its place has answered; answers whether there was one. */
export function forgetFormer(place: string): boolean {
  const former = formerOf(place);
  if (!existsSync(former)) {
    return false;
  }
  rmSync(former);
  return true;
}

/** Puts the former program back in its place in one step. Throws when it cannot. */
export function bringBackFormer(place: string): void {
  renameSync(formerOf(place), place);
  flush(dirname(place));
}

/**
 * Waits until the new program has answered, by removing the former one, or has ended. `failed`: it ended otherwise than
 * in order before it had answered. `left`: it ended in order, or has not answered for two minutes, and may be slow.
 */
export function watchNewProgram(
  place: string,
  isInOrder: Promise<boolean>,
  clock: Pick<Clock, 'after'>,
): Promise<'answered' | 'failed' | 'left'> {
  const hasAnswered = (): boolean => !existsSync(formerOf(place));
  return new Promise((resolve) => {
    let looks = 0;
    let timer: Timer | null = null;
    const look = (): void => {
      if (hasAnswered()) {
        resolve('answered');
      } else if (looks === maxLooks) {
        resolve('left');
      } else {
        looks += 1;
        timer = clock.after(lookEveryMs, look);
      }
    };
    look();
    void isInOrder.then((isSo) => {
      timer?.cancel();
      if (hasAnswered()) {
        resolve('answered');
      } else {
        resolve(isSo ? 'left' : 'failed');
      }
    });
  });
}
