import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

/** The lines that are not empty. */
export async function* linesOf(path: string): AsyncGenerator<string> {
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line !== '') {
      yield line;
    }
  }
}
