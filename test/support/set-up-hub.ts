import { readHubAddress, type HubAddress, type HubServer } from '../../app/hub/address.ts';
import { runHubCommand } from '../../app/hosts/hub/set-up.ts';

/** The address of a hub's owner, as its commands take it. */
export const ownerAddressOf = ({ user, password, host, port, database }: HubServer): string =>
  `postgres://${user}:${password}@${host}:${port}/${database}`;

/** The address that a command has printed for the technician, as a terminal reads it. */
export function addressIn({ lines }: { readonly lines: readonly string[] }): HubAddress {
  const read = readHubAddress(lines.at(-1) ?? '');
  if (!read.ok) throw new Error(lines.join('\n'));
  return read.value;
}

/** Makes this owner's database a hub. */
export async function setUpHub(owner: HubServer) {
  const outcome = await runHubCommand(
    { action: 'setUp', ownerAddress: ownerAddressOf(owner), isConfirmed: false },
    { language: 'en', environment: {} },
  );
  return { printed: outcome.lines.at(-1) ?? '', address: addressIn(outcome) };
}
