import { startPage } from './shell/start-page.tsx';
import { App } from './shell/app.tsx';
import { openStores } from './stores/stores.ts';
import { tabStorage } from './stores/tab-storage.ts';

await startPage(
  (bridge) => {
    const stores = openStores(
      bridge,
      {
        fragment: window.location.hash,
        show: (fragment) => {
          window.location.hash = fragment;
        },
      },
      tabStorage,
    );
    window.addEventListener('hashchange', () => stores.navigation.getState().take(window.location.hash));
    return stores;
  },
  (stores, words) => <App stores={stores} words={words} />,
);
