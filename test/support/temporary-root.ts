import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Has this process, and those that it starts, make temporary files in a folder of their own, which goes with this
 * process: on Windows nothing goes that a test still has open. What Node has compiled is kept there for the next
 * process, which would spend most of its start on compiling it again.
 */
export function ownTemporaryFiles(): void {
  const path = mkdtempSync(join(tmpdir(), 'till-'));
  // Servers that refuse to run as root have their folders in it.
  chmodSync(path, 0o711);
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) {
    process.env[name] = path;
  }
  process.env['NODE_COMPILE_CACHE'] ??= join(path, 'compiled');
  process.once('exit', () => {
    rmSync(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  });
}
