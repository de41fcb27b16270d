import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readScan } from '../../../../../app/domain/codes/scan.ts';
import { lossMark, maxReadingLength, type ScannerReading } from '../../../../../app/domain/scanner-device.ts';
import type { ReaderTime } from '../../../../../app/hosts/electron/scanner-device/device-apis.ts';
import {
  createSerialFraming,
  discardMs,
  silenceMs,
} from '../../../../../app/hosts/electron/scanner-device/serial-framing.ts';
import { createManualClock } from '../../../../support/manual-clock.ts';

const ean = '7891000053508';

function open() {
  const clock = createManualClock();
  const readings: ScannerReading[] = [];
  const time: ReaderTime = {
    now: () => clock.uptimeMs(),
    later: (delayMs, callback) => {
      const timer = clock.after(delayMs, callback);
      return () => timer.cancel();
    },
  };
  const framing = createSerialFraming(time, (reading) => readings.push(reading));
  const send = (text: string): void => framing.take(Uint8Array.from(text, (character) => character.charCodeAt(0)));
  return { clock, framing, send, readings, texts: () => readings.map(({ text }) => text) };
}

/** Whether the lookup would answer it with a product. */
const namesAProduct = (text: string): boolean => {
  const { code, meanings } = readScan(text, { year: 2026, layouts: [] });
  return code !== null || meanings.length > 0;
};

test.each([
  ['CR', '\r'],
  ['LF', '\n'],
  ['CR LF', '\r\n'],
  ['TAB', '\t'],
])('F1 %s ends a scan at once, however the bytes are cut into chunks', (_name, terminator) => {
  const { send, texts } = open();
  send(`${ean}${terminator}96385`);
  expect(texts()).toEqual([ean]);
  send('074');
  send(terminator);
  expect(texts()).toEqual([ean, '96385074']);
});

test('a scan without a terminator is answered after a silence; one pause within it is none', async () => {
  const { send, texts, clock } = open();
  send('789100');
  await clock.advance(600);
  send('0053508');
  await clock.advance(silenceMs - 1);
  expect(texts()).toEqual([]);
  await clock.advance(1);
  expect(texts()).toEqual([ean]);
});

test('F2 F3 a scan that lacks its scanner’s usual terminator is cut: it and its late rest name nothing', async () => {
  const { send, texts, clock } = open();
  send(`${ean}\r`);
  send('78910000');
  await clock.advance(silenceMs + 100);
  expect(texts()).toEqual([ean, `78910000${lossMark}`]);
  expect(namesAProduct(texts()[1] ?? '')).toBe(false);
  send('53508\r');
  expect(texts()).toHaveLength(2);
  send(`${ean}\r`);
  expect(texts().at(-1)).toBe(ean);
});

test('F3 when the rest never comes, the next scan is whole again after a while', async () => {
  const { send, texts, clock } = open();
  send(`${ean}\r7891`);
  await clock.advance(silenceMs + discardMs + 100);
  send(`${ean}\r`);
  expect(texts()).toEqual([ean, `7891${lossMark}`, ean]);
});

test('bytes lost by the port make the scan unreadable, once, wherever in it they were lost', () => {
  const { send, framing, texts } = open();
  send('789100');
  framing.lose();
  send('3508\r');
  expect(texts()).toEqual([`789100${lossMark}`]);
  framing.lose();
  send('53508\r\n');
  expect(texts()).toEqual([`789100${lossMark}`, lossMark]);
  send(`${ean}\r`);
  expect(texts().at(-1)).toBe(ean);
  expect(texts().slice(0, 2).map(namesAProduct)).toEqual([false, false]);
});

test('F4 a silence that the machine slept through ends nothing', async () => {
  const clock = createManualClock();
  const texts: string[] = [];
  let lateMs = 0;
  const framing = createSerialFraming(
    {
      now: () => clock.uptimeMs() + lateMs,
      later: (delayMs, callback) => {
        const timer = clock.after(delayMs, callback);
        return () => timer.cancel();
      },
    },
    ({ text }) => texts.push(text),
  );
  framing.take(Uint8Array.from([0x37, 0x38]));
  lateMs = 400;
  await clock.advance(silenceMs);
  expect(texts).toEqual([]);
  await clock.advance(silenceMs);
  expect(texts).toEqual(['78']);
});

test('a scan never grows beyond what a lookup takes, and its rest is no scan', () => {
  const { send, texts } = open();
  for (let chunk = 0; chunk < 20; chunk += 1) {
    send('9'.repeat(1000));
  }
  expect(texts()).toHaveLength(1);
  send(`\r${ean}\r`);
  expect(texts()).toHaveLength(2);
  expect(texts()[0]?.length).toBeLessThanOrEqual(maxReadingLength);
  expect(namesAProduct(texts()[0] ?? '')).toBe(false);
  expect(texts()[1]).toBe(ean);
});

test('the symbology identifier is named apart; GS stays, STX and ETX go, UTF-8 and Latin-1 are read', () => {
  const { send, framing, readings } = open();
  send(`]E0${ean}\r\n`);
  send(']C1010789100005350810A1\u001d21B2\r');
  send(`\u0002${ean}\u0003\r`);
  framing.take(new TextEncoder().encode('Açaí\r'));
  send('Aça\r');
  expect(readings).toEqual([
    { text: ean, symbology: ']E0' },
    { text: '010789100005350810A1\u001d21B2', symbology: ']C1' },
    { text: ean, symbology: null },
    { text: 'Açaí', symbology: null },
    { text: 'Aça', symbology: null },
  ]);
});

test('what stands when the port goes is no scan', async () => {
  const { send, framing, texts, clock } = open();
  send('7891000');
  framing.close();
  await clock.advance(10_000);
  expect(texts()).toEqual([]);
});

test('any bytes in any chunks: no throw, no overlong reading, and each terminated scan is answered', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 60 }), { maxLength: 20 }), (chunks) => {
      const { framing, send, texts } = open();
      chunks.forEach((chunk) => framing.take(chunk));
      send(`\r${ean}\r`);
      expect(texts().every((text) => text.length <= maxReadingLength)).toBe(true);
      expect(texts().at(-1)).toBe(ean);
    }),
  );
});
