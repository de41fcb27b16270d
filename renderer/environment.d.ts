// Owns what the compiler must know about the page: imported style sheets, the bridge that the host puts there, and the
// names of all sentences. Never holds code.
/// <reference types="vite/client" />
import type { Bridge } from '../app/contract/wall.ts';
import type english from './locales/en.json';

declare global {
  interface Window {
    readonly tillside?: Bridge;
  }
}

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { translation: typeof english };
    returnNull: false;
  }
}
