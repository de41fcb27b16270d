import { fail, succeed, type Result } from '../app/domain/result.ts';
import { updateSourceSchema, type UpdateSource } from '../app/hosts/node/device-choices.ts';

/**
 * Reads where a package looks for updates, and who may sign them: an address and public keys with commas or spaces
 * between them. Null when both are empty. Fails with one sentence.
 */
export function readUpdateSource(url: string, keys: string): Result<UpdateSource | null, string> {
  if ((url === '') !== (keys === '')) {
    return fail('TILLSIDE_UPDATE_URL and TILLSIDE_UPDATE_KEY are given together or not at all');
  }
  if (url === '') {
    return succeed(null);
  }
  const read = updateSourceSchema.safeParse({ url, publicKey: keys.split(/[\s,]+/).filter((key) => key !== '') });
  if (read.success) {
    return succeed(read.data);
  }
  const [issue] = read.error.issues;
  const variable = issue?.path[0] === 'url' ? 'TILLSIDE_UPDATE_URL' : 'TILLSIDE_UPDATE_KEY';
  return fail(`${variable} ${issue?.message ?? 'cannot be read'}`);
}
