import { spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const run = (parameters: string, cwd?: string): number | null =>
  spawnSync('openssl', parameters.split(' '), { stdio: 'ignore', cwd }).status;

/** Whether there is an openssl; on Windows Git brings one, which is not always on the path. */
export const hasOpenssl = run('version') === 0;

/** Runs openssl in this folder, with parameters between spaces. Throws when it fails. */
export function openssl(cwd: string, parameters: string): void {
  if (run(parameters, cwd) !== 0) {
    throw new Error(`openssl ${parameters} failed`);
  }
}

/** Makes a certificate of its own, `name`.crt and `name`.key in this folder, for this host; answers its fingerprint. */
export function makeCertificate(folder: string, name = 'server', host = 'IP:127.0.0.1'): string {
  const kind = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1';
  openssl(folder, `${kind} -subj /CN=${name} -addext subjectAltName=${host} -keyout ${name}.key -out ${name}.crt`);
  const { fingerprint256 } = new X509Certificate(readFileSync(join(folder, `${name}.crt`)));
  return fingerprint256.replaceAll(':', '').toLowerCase();
}
