// The proof that what a later start asks for while Tillside opens, or while its page is away, is done once it can be.
import { EventEmitter } from 'node:events';
import type { App, WebContents } from 'electron';
import { expect, test } from 'vitest';
import { holdStarts } from '../../../../app/hosts/electron/link.ts';
import { createPageLinks } from '../../../../app/hosts/electron/page-links.ts';

test('starts that come before there is a terminal are answered by it, the newest ten of them', async () => {
  const app = Object.assign(new EventEmitter(), { whenReady: () => Promise.resolve() });
  const meant = (number: number): object => ({ companion: false, link: `tillside://lookup?code=${number}` });
  const launching = { preventDefault: () => undefined };
  app.emit('open-url', launching, 'tillside://lookup?code=0');
  const starts = holdStarts(app as unknown as App);
  for (let number = 1; number <= 11; number += 1) {
    app.emit('second-instance', {}, [], '', meant(number));
  }
  await app.whenReady();
  app.emit('open-url', launching, 'tillside://lookup?code=12');
  const answered: unknown[] = [];
  starts.answerWith((one) => answered.push(one));
  expect(answered).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 12].map(meant));
  app.emit('second-instance', {}, [], '', meant(13));
  expect(answered.at(-1)).toEqual(meant(13));
  expect(answered).toHaveLength(11);
});

function openLinks() {
  const sent: unknown[] = [];
  const page = Object.assign(new EventEmitter(), {
    isDestroyed: () => false,
    send: (_channel: string, _name: string, link: unknown) => sent.push(link),
  });
  let noteAnswer: (sender: WebContents, channel: string) => void = () => undefined;
  const station = { isOn: false };
  const open = createPageLinks({
    page: page as unknown as WebContents,
    calls: {
      onAnswer: (note) => {
        noteAnswer = note;
      },
    },
    mayOpen: () => !station.isOn,
    log: () => undefined,
  });
  return {
    sent,
    page,
    station,
    open,
    answer: (channel: string, sender: unknown = page) => noteAnswer(sender as WebContents, channel),
  };
}

const lookup = (code: string) => ({ kind: 'lookup', code }) as const;

test.each(['render-process-gone', 'did-navigate'])(
  'a link waits until its page has read who is there, again after %s, and is handed over once',
  (event) => {
    const { sent, page, open, answer } = openLinks();
    open(lookup('1'));
    open(lookup('2'));
    answer('terminal:read', {});
    answer('queue:list');
    expect(sent).toEqual([]);
    answer('terminal:read');
    answer('terminal:read');
    expect(sent).toEqual([lookup('2')]);
    page.emit(event);
    open(null);
    expect(sent).toHaveLength(1);
    answer('terminal:read');
    expect(sent).toEqual([lookup('2'), { kind: 'refused' }]);
    open(lookup('3'));
    expect(sent.at(-1)).toEqual(lookup('3'));
  },
);

test('a link that has waited chooses nothing at a check station, nor after it', () => {
  const { sent, station, open, answer } = openLinks();
  open(lookup('1'));
  station.isOn = true;
  answer('terminal:read');
  station.isOn = false;
  answer('terminal:read');
  expect(sent).toEqual([]);
});
