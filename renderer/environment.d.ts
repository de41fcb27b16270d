// The names of sentences are not types: with plurals and composed names the compiler takes minutes over them. A test
// holds every name that is used, in every language.
/// <reference types="vite/client" />
import type { HostBridge } from '../app/contract/bridge.ts';

declare global {
  interface Window {
    readonly tillside?: HostBridge;
  }
}
