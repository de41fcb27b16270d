// Owns the start of the window's page: what its stores keep in the address bar and over a fall of the page. Never holds anything after that.
// First of all: what it brings along must be there before anything that draws.
import { startPage } from './shell/start-page.tsx';
import { App } from './shell/app.tsx';
import { openStores } from './stores/stores.ts';
import { tabStorage } from './stores/tab-storage.ts';

await startPage(
  (bridge) => {
    const stores = openStores(bridge, {
      fragment: window.location.hash,
      show: (fragment) => {
        window.location.hash = fragment;
      },
    }, tabStorage);
    window.addEventListener('hashchange', () => stores.navigation.getState().take(window.location.hash));
    return stores;
  },
  (stores, words) => <App stores={stores} words={words} />,
);
