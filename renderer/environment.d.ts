// Owns what the compiler must know about the page: imported style sheets, and the bridge that the host puts
// there. Never holds code. The names of sentences are not types: with plurals and composed names the compiler takes minutes over
// them; a test holds every name that is used, in every language.
/// <reference types="vite/client" />
import type { Bridge } from '../app/contract/bridge.ts';

declare global {
  interface Window {
    readonly tillside?: Bridge;
  }
}
