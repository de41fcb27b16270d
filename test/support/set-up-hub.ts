import { readHubAddress, type HubAddress } from '../../app/hub/address.ts';
import { runHubCommand } from '../../app/hosts/hub/set-up.ts';
import type { Postgres } from './postgres.ts';

/** Makes the server a hub; answers the address as it is printed for the technician, and as a terminal reads it. */
export async function setUpHub({
  owner,
}: Postgres): Promise<{ readonly printed: string; readonly address: HubAddress }> {
  const { user, password, host, port, database } = owner;
  const ownerAddress = `postgres://${user}:${password}@${host}:${port}/${database}`;
  const { lines } = await runHubCommand(
    { action: 'setUp', ownerAddress, isConfirmed: false },
    { language: 'en', environment: {} },
  );
  const printed = lines.at(-1) ?? '';
  const address = readHubAddress(printed);
  if (!address.ok) {
    throw new Error(lines.join('\n'));
  }
  return { printed, address: address.value };
}
