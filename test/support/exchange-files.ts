import { renameSync } from 'node:fs';
import { onTestFinished } from 'vitest';

/** Has two files of a folder take each other's place until the test is over, hundreds of times a turn of this process. */
export function exchangeFiles(one: string, other: string): void {
  const aside = `${one}.aside`;
  const exchanging = setInterval(() => {
    for (let times = 0; times < 100; times += 1) {
      renameSync(one, aside);
      renameSync(other, one);
      renameSync(aside, other);
    }
  }, 1);
  onTestFinished(() => clearInterval(exchanging));
}
