import react from '@vitejs/plugin-react';
import { defineConfig, normalizePath, type Plugin } from 'vite';
import { join } from 'node:path';
import { helpPages } from './build/help-pages.ts';
import { pageChunks } from './build/page-chunks.ts';

/** The main process parses what crosses the bridge; the page ships no schema (decisions/0036). */
const refuseSchemas: Plugin = {
  name: 'refuse-schemas',
  resolveId: {
    filter: { id: /^zod$/ },
    handler(_id, importer) {
      this.error(
        `${importer ?? 'the page'} imports zod: import only types from it, or take constants from app/contract/limits/`,
      );
    },
  },
};

const moduleOf = (path: string): string => normalizePath(join(import.meta.dirname, 'renderer', path));

// Vite reads the default export.
export default defineConfig({
  root: 'renderer',
  base: './',
  plugins: [helpPages(), react(), refuseSchemas],
  build: {
    outDir: '../dist/renderer',
    emptyOutDir: true,
    // Electron's and Debian's Chromium are the only browsers.
    target: 'chrome140',
    // The window's page, the companion bar's and the practice store's control panel share what they have in common.
    rolldownOptions: {
      input: ['renderer/index.html', 'renderer/companion.html', 'renderer/panel.html'],
      output: {
        // See `oneByteLetters` of build/build.ts.
        charset: 'ascii',
        codeSplitting: {
          groups: [
            ...pageChunks(
              moduleOf('index.html'),
              [moduleOf('companion.html'), moduleOf('panel.html')],
              moduleOf('shell/other-screens.ts'),
            ),
          ],
        },
      },
    },
    modulePreload: { polyfill: false },
    // An inlined asset would need `data:` where the policy forbids it.
    assetsInlineLimit: 0,
    // It comes from this machine's disk, whole.
    chunkSizeWarningLimit: 1000,
  },
});
