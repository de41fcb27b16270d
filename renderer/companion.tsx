import { startPage } from './shell/start-page.tsx';
import { useStore } from 'zustand';
import { Frame } from './shell/providers.tsx';
import { Companion } from './companion/companion-bar.tsx';
import { openStores, type Stores } from './stores/stores.ts';

/** Nothing is drawn before the terminal has been heard once: nobody sees the bar before. */
function WhenRead({ stores }: { readonly stores: Stores }) {
  const isRead = useStore(stores.terminal, (store) => store.state !== null);
  return isRead && <Companion />;
}

await startPage(
  (bridge) => openStores(bridge, { fragment: '', show: () => undefined }, { read: () => null, write: () => undefined }),
  (stores, words) => (
    <Frame stores={stores} words={words}>
      <WhenRead stores={stores} />
    </Frame>
  ),
);
