import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { OpenFile } from '../../platform/http-file.ts';
import type { FeedFile } from './feed.ts';

/** A shop's line may be slow. */
const longestMs = 2 * 60 * 60_000;

export interface FileToFetch extends Pick<FeedFile, 'size' | 'sha512'> {
  readonly url: string;
  /** Nothing lies there. */
  readonly path: string;
  readonly open: OpenFile;
  /** Two hours unless told. */
  readonly deadlineMs?: number;
}

/**
 * Downloads a file of a signed feed. Follows no redirect, and takes no byte more than the feed says. Rejects when it is
 * not whole and right within the deadline: the connection is then closed, and nothing more is written.
 */
export async function fetchFile(file: FileToFetch): Promise<void> {
  const { url, path, size, sha512, open, deadlineMs = longestMs } = file;
  const ending = new AbortController();
  const signal = AbortSignal.any([ending.signal, AbortSignal.timeout(deadlineMs)]);
  try {
    const { status, body } = await open(url, signal);
    if (status !== 200) {
      throw new Error(`the server answers ${status}`);
    }
    const digest = createHash('sha512');
    let bytes = 0;
    const counted = async function* (): AsyncGenerator<Uint8Array> {
      for await (const chunk of body) {
        bytes += chunk.length;
        if (bytes > size) {
          throw new Error('the file is larger than its feed says');
        }
        digest.update(chunk);
        yield chunk;
      }
    };
    const target = createWriteStream(path, { flags: 'wx', mode: 0o600 });
    // Else the pipeline waits for what the server sends next.
    target.once('error', () => ending.abort());
    await pipeline(counted, target, { signal });
    if (bytes !== size || digest.digest('base64') !== sha512) {
      throw new Error('the file is not the one that its feed names');
    }
  } finally {
    ending.abort();
  }
}
