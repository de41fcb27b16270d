import { expect, onTestFinished } from 'vitest';
import type { JoinedHub } from '../../app/contract/hub.ts';
import { succeed } from '../../app/domain/result.ts';
import { printHubAddress, readHubAddress, type HubAddress } from '../../app/hub/address.ts';
import type { HubSettings } from '../../app/hub/file-address.ts';
import { createHubMembership, hubAddressName } from '../../app/hub/membership.ts';
import { createSealedDocument } from '../../app/hub/sealed-document.ts';
import { createNodeClock, createNodeRandom } from '../../app/hosts/node/node-ports.ts';
import { createPgLink } from '../../app/hosts/hub/pg-link.ts';
import { documentOf } from './hub-document.ts';
import { vaultOf } from './ports.ts';

/** A till's part in a real hub: it starts with this address, or with what these secrets keep. */
export function startTill(address: HubAddress, name = 'Till 1', secrets = new Map<string, string>()) {
  if (!secrets.has(hubAddressName)) secrets.set(hubAddressName, printHubAddress(address));
  const { host, port, database } = address;
  const hub: JoinedHub | null = { terminalId: name, terminalName: name, host, port, database };
  let settings: ReturnType<HubSettings['get']> = { hub, hubInFile: null };
  const faults = { isVaultLocked: false };
  const change: HubSettings['change'] = (part) => {
    settings = { ...settings, ...part };
    return succeed(undefined);
  };
  const membership = createHubMembership({
    ports: {
      clock: createNodeClock(),
      random: createNodeRandom(),
      vault: vaultOf(secrets, () => faults.isVaultLocked),
    },
    version: '1.0.0',
    settings: { get: () => settings, change, changeForGood: change },
    openHub: createPgLink,
  });
  /** Takes part as a shop that is opened now. */
  const open = () => {
    const { link, key } = membership.target() ?? expect.fail('no hub');
    onTestFinished(() => link.close());
    const sealed = createSealedDocument({ random: createNodeRandom(), link, account: 'a', key });
    return {
      read: async () => {
        const found = await sealed.read();
        return found.ok ? found.value.document : found.failure;
      },
      write: async (members: Parameters<typeof documentOf>[0]): Promise<unknown> => {
        const found = await sealed.read();
        return found.ok ? sealed.write(found.value.reading, documentOf(members)) : found;
      },
    };
  };
  const kept = (): HubAddress => {
    const read = readHubAddress(secrets.get(hubAddressName) ?? '');
    return read.ok ? read.value : expect.fail(read.failure);
  };
  return { ...open(), open, membership, secrets, faults, kept };
}

export type Till = ReturnType<typeof startTill>;
