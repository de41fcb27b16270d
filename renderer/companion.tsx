// Owns the start of the companion bar's page: finds the bridge, opens the stores and draws. Never holds anything after that.
import './trusted-types.ts';
import './no-eval.ts';
import './style-sheets.ts';
import { createRoot } from 'react-dom/client';
import { useStore } from 'zustand';
import { Frame } from './frame.tsx';
import { createWords, firstLanguage } from './i18n.ts';
import { later } from './now.ts';
import { Companion } from './screens/companion.tsx';
import { openStores, type Stores } from './stores/stores.ts';

const askEveryMs = 5_000;

/** Nothing is drawn before the terminal has been heard once: nobody sees the bar before. */
function WhenRead({ stores }: { readonly stores: Stores }) {
  const isRead = useStore(stores.terminal, (mirror) => mirror.state !== null);
  return isRead && <Companion />;
}

const root = document.getElementById('root');
const bridge = window.tillside;
const words = await createWords(firstLanguage(navigator.languages));

if (root !== null) {
  if (bridge === undefined) {
    root.textContent = words.t('gone.noBridge');
  } else {
    // The bar begins anew with every call, and has one screen.
    const stores = openStores(bridge, { fragment: '', show: () => undefined }, { read: () => null, write: () => undefined });
    createRoot(root).render(
      <Frame stores={stores} words={words}>
        <WhenRead stores={stores} />
      </Frame>,
    );
    const ask = (): void => {
      void stores.readTerminal().then(() => later(askEveryMs, ask));
    };
    ask();
  }
}
