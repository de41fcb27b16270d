// The proof of who may call the main process: the main frame of a page of ours, at our own address, and nobody else.
import type { WebFrameMain } from 'electron';
import { expect, test } from 'vitest';
import { isOurPage } from '../../../../app/hosts/electron/own-pages.ts';

const frameAt = (origin: string): WebFrameMain => ({ origin }) as WebFrameMain;
const mainFrame = frameAt('app://tillside');
const pages = [{ mainFrame: frameAt('app://tillside') }, { mainFrame }];

test('the main frame of a page of ours may', () => {
  expect(isOurPage(mainFrame, pages)).toBe(true);
});

test('a frame within a page of ours may not, whatever its address', () => {
  expect(isOurPage(frameAt('app://tillside'), pages)).toBe(false);
});

test.each(['https://tillside', 'app://tillside.example', 'app://', 'null', ''])(
  'the main frame of a page of ours that was led to %j may not',
  (origin) => {
    const led = frameAt(origin);
    expect(isOurPage(led, [...pages, { mainFrame: led }])).toBe(false);
  },
);

test('a frame that has gone may not, and nobody may where no page is', () => {
  expect(isOurPage(null, pages)).toBe(false);
  expect(isOurPage(mainFrame, [])).toBe(false);
});
