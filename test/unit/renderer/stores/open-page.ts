import type { HostBridge } from '../../../../app/contract/bridge.ts';
import { openStores } from '../../../../renderer/stores/stores.ts';
import { readyState } from '../../../ui/ready-state.ts';
import { failed } from './held-bridge.ts';

/** What changes when Bea signs in. */
export const bea = { session: { ...readyState(0).session, email: 'bea@example.com' } };

/** A page signed in as Ana, whose calls fail unless `invoke` answers them; `come` changes the terminal's state. */
export function openPage(invoke: HostBridge['invoke'] = () => Promise.resolve(failed('notReady'))) {
  const stores = openStores(
    { invoke, subscribe: () => () => undefined },
    { fragment: '', show: () => undefined },
    { read: () => null, write: () => undefined },
  );
  let revision = 1;
  const come = (more: object): void => {
    revision += 1;
    stores.terminal.getState().take({ ...readyState(0), revision, ...more });
  };
  come({});
  return { stores, come };
}
