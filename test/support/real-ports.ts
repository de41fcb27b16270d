import { createNodeClock, createNodeRandom } from '../../app/hosts/node/node-ports.ts';
import { createAxiosHttp } from '../../app/platform/http-axios.ts';
import type { Ports } from '../../app/ports.ts';
import { makeSettingsFile, makeVault } from './ports.ts';

/** The ports of a terminal on this machine, with these in the place of the usual ones: HTTP, and a disk in memory. */
export function makePorts(own: Partial<Ports> & Pick<Ports, 'shell'>): Ports {
  return {
    clock: createNodeClock(),
    random: createNodeRandom(),
    http: createAxiosHttp({ userAgent: 'Tillside/test' }),
    vault: makeVault(),
    settingsFile: makeSettingsFile(),
    ...own,
  };
}
