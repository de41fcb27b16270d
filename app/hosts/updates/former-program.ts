// The program that an update takes the place of stays beside it as `….former`, until the new one has answered.
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Clock, Timer } from '../../ports.ts';
import { freshName } from '../../storage/names-beside.ts';

const lookEveryMs = 500;
/** Two minutes: a slow terminal at its first start of the day. */
const maxLooks = 240;

/** Everybody may start it, its owner may replace it. */
const programMode = 0o755;

const stickyBit = 0o1000;
const ownerMayWrite = 0o200;

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

/**
 * Has the disk take what was renamed. A file system that cannot say so of a folder has renamed it all the same: whoever
 * is told that it failed takes the old program for the one in place.
 */
function flushRenamed(place: string): void {
  try {
    flush(dirname(place));
  } catch {
    // After a power cut one of both lies there, whole.
  }
}

const chunkBytes = 1_000_000;

function copyBytes(from: string, target: number): void {
  const source = openSync(from, 'r');
  try {
    const chunk = Buffer.alloc(chunkBytes);
    for (let count = readSync(source, chunk); count > 0; count = readSync(source, chunk)) {
      writeFileSync(target, chunk.subarray(0, count));
    }
  } finally {
    closeSync(source);
  }
}

/**
 * Copies to a name under which nothing lies, and fails where somebody has put something there meanwhile: a link is not
 * followed. Whoever copies owns the copy: copyFileSync would leave an administrator's to the owner of the file. What
 * cannot be copied whole leaves nothing.
 */
function copyNew(from: string, to: string): void {
  const target = openSync(to, 'wx', programMode);
  try {
    copyBytes(from, target);
    fchmodSync(target, programMode);
    fsyncSync(target);
  } catch (error) {
    rmSync(to, { force: true });
    throw error;
  } finally {
    closeSync(target);
  }
}

/** Whether a process of this number runs, whoever's it is. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/**
 * A name beside the program that no other process takes: with a data folder of its own, one may replace the program at
 * the same time, and what it has written by half must not come into the place of the program.
 */
function ownName(place: string, kind: 'new' | 'copy'): string {
  return join(dirname(place), `.${basename(place)}.${kind}-${process.pid}`);
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // It may be one that cannot be listed.
    return [];
  }
}

/** The files beside the program that processes which were ended have left. */
function leftovers(place: string): readonly string[] {
  const start = `.${basename(place)}.`;
  return namesIn(dirname(place)).filter((name) => {
    const found = name.startsWith(start)
      ? /^(?:new|copy)(?:-(?<pid>\d+))?(?:-\d+)?$/.exec(name.slice(start.length))
      : null;
    // Earlier versions gave no number.
    const pid = found?.groups?.['pid'];
    return found !== null && (pid === undefined || !isRunning(Number(pid)));
  });
}

function removeLeftovers(place: string): void {
  for (const name of leftovers(place)) {
    try {
      rmSync(join(dirname(place), name));
    } catch {
      // What is not ours stays.
    }
  }
}

/** The room on the program's disk, in bytes, without what processes that were ended have left beside the program. */
export function freeBytesBeside(place: string): number {
  removeLeftovers(place);
  const { bavail, bsize } = statfsSync(dirname(place));
  return bavail * bsize;
}

/**
 * Whether this user may put another file in the program's place: the folder decides, for what a member of its group has
 * put there no other may write. Nobody may where its own user has made it read-only.
 */
export function mayReplace(place: string): boolean {
  const user = process.geteuid?.();
  try {
    const [program, folder] = [statSync(place), statSync(dirname(place))];
    accessSync(dirname(place), constants.W_OK);
    // In a sticky folder, where all may write, none but these may move a file away.
    const mayMove = (folder.mode & stickyBit) === 0 || [0, folder.uid, program.uid].includes(user ?? 0);
    return mayMove && (program.mode & ownerMayWrite) !== 0;
  } catch {
    return false;
  }
}

/** Whether this is a program that was kept: no link, and of the same owner as the one in its place. */
function isKept(former: string, place: string): boolean {
  const there = lstatSync(former, { throwIfNoEntry: false });
  return there?.isFile() === true && there.uid === statSync(place).uid;
}

/** Gives the file a second name, and answers whether it has it: some file systems have none. */
function hasLinked(file: string, name: string): boolean {
  try {
    linkSync(file, name);
    return true;
  } catch {
    return false;
  }
}

/** `newFile` is what comes into the program's place: its owner is who keeps the former one. */
function keepBeside(place: string, newFile: string, nameBeside: typeof freshName): void {
  const former = formerOf(place);
  const isOurs = statSync(place).uid === statSync(newFile).uid;
  const isThere = isKept(former, place);
  // One that lies there has answered once; what is in its place now has not yet.
  if (isThere && isOurs) {
    return;
  }
  if (!isThere) {
    // Throws for a folder, and for what another user has put there and nobody else may remove: it would come into the
    // program's place.
    rmSync(former, { force: true });
  }
  // A second name of another user's file would still be that user's.
  if (isOurs && hasLinked(place, former)) {
    return;
  }
  const copy = nameBeside(ownName(place, 'copy'));
  copyNew(isThere ? former : place, copy);
  try {
    // A copy has its name only when it is whole.
    renameSync(copy, former);
  } catch (error) {
    rmSync(copy, { force: true });
    throw error;
  }
}

/**
 * Puts the new file in the program's place in one step, and keeps the former program beside it. Throws when it cannot;
 * the program is then as it was. `nameBeside` finds a name under which nothing lies.
 */
export function replaceProgram(newFile: string, place: string, nameBeside = freshName): void {
  removeLeftovers(place);
  const beside = nameBeside(ownName(place, 'new'));
  copyNew(newFile, beside);
  try {
    keepBeside(place, beside, nameBeside);
    renameSync(beside, place);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
  flushRenamed(place);
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

/** Puts the former program back in its place in one step. Throws when it cannot, and when what lies there is not ours. */
export function bringBackFormer(place: string): void {
  const former = formerOf(place);
  if (!isKept(former, place)) {
    throw new Error('there is no former program of ours');
  }
  renameSync(former, place);
  flushRenamed(place);
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
