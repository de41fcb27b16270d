// Owns the page's start: finds the bridge, opens the stores and draws. Never holds anything after that.
import './trusted-types.ts';
import './no-eval.ts';
import './style-sheets.ts';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { createWords, firstLanguage } from './i18n.ts';
import { later } from './now.ts';
import { tabStorage } from './tab-storage.ts';
import { openStores } from './stores/stores.ts';

// A main process that has ended sends no event that says so: it is asked now and then, and its silence is shown.
const askEveryMs = 5_000;

const root = document.getElementById('root');
const bridge = window.tillside;
const words = await createWords(firstLanguage(navigator.languages));

if (root !== null) {
  if (bridge === undefined) {
    root.textContent = words.t('gone.noBridge');
  } else {
    const stores = openStores(bridge, {
      fragment: window.location.hash,
      show: (fragment) => {
        window.location.hash = fragment;
      },
    }, tabStorage);
    window.addEventListener('hashchange', () => stores.navigation.getState().take(window.location.hash));
    createRoot(root).render(<App stores={stores} words={words} />);
    const ask = (): void => {
      void stores.readTerminal().then(() => later(askEveryMs, ask));
    };
    ask();
  }
}
