// The proof that what takes the page back lets a slow machine load it.
import { EventEmitter } from 'node:events';
import type { WebContents } from 'electron';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keepPage } from '../../../../app/hosts/electron/page-keeper.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test.each([100, 900, 1_500, 10_000])('R5: a page whose loading takes %i ms is taken back', async (loadingMs) => {
  let shown = 'app://tillside/';
  let loading: NodeJS.Timeout | undefined;
  const contents = Object.assign(new EventEmitter(), {
    isDestroyed: () => false,
    getURL: () => shown,
    // As in Chromium, another one ends the first.
    loadURL: (address: string) => {
      clearTimeout(loading);
      loading = setTimeout(() => {
        shown = address;
        contents.emit('did-navigate', {}, address);
      }, loadingMs);
      return Promise.resolve();
    },
  });
  keepPage({
    contents: contents as unknown as WebContents,
    log: () => undefined,
    language: () => 'en',
    lastCallMs: () => null,
    quit: () => Promise.resolve(true),
    isHeld: () => false,
    onLost: () => undefined,
  });
  await vi.advanceTimersByTimeAsync(60_000);
  shown = 'about:blank';
  contents.emit('did-navigate', {}, shown);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(shown).toBe('app://tillside/');
  expect(vi.getTimerCount()).toBe(0);
});
