import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ScannerReading } from '../../../app/domain/scanner-device.ts';
import type { ReaderTime, SerialPortLike } from '../../../app/hosts/electron/scanner-device/device-apis.ts';
import { openSerialReader } from '../../../app/hosts/electron/scanner-device/serial-reader.ts';
import { openPty, whyNoPty, type Pty } from '../../support/pty.ts';

const missing = whyNoPty();
const ean = '7891000053508';
const time: ReaderTime = {
  now: () => performance.now(),
  later: (delayMs, callback) => {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
};
/** In which no silence is ever long enough: what a busy machine is late with stays one scan. */
const noTime: ReaderTime = { now: () => 0, later: () => () => undefined };

/** The port as the browser's Web Serial shows it, over the pseudo-terminal's file. */
function portOver({ path }: Pty): SerialPortLike & { readonly asked: unknown[] } {
  const asked: unknown[] = [];
  let readable: ReadableStream<Uint8Array> | null = null;
  return {
    asked,
    get readable() {
      return readable;
    },
    open: (options) => {
      asked.push(options);
      const file = createReadStream(path);
      file.once('close', () => (readable = null));
      readable = Readable.toWeb(file) as unknown as ReadableStream<Uint8Array>;
      return Promise.resolve();
    },
    // As a pseudo-terminal does, which has no such lines.
    setSignals: () => Promise.reject(new DOMException('Failed to set control signals.', 'NetworkError')),
  };
}

describe.skipIf(missing !== null)('a serial port', () => {
  async function open(readerTime = time) {
    const pty = await openPty();
    onTestFinished(() => pty.close());
    const readings: ScannerReading[] = [];
    let closings = 0;
    const port = portOver(pty);
    await openSerialReader(port, 19_200, readerTime, {
      onReading: (reading) => readings.push(reading),
      onClosed: () => (closings += 1),
    });
    return { pty, port, readings, closings: () => closings };
  }

  test('is opened at the chosen speed; each scan comes whole, and the end of the device is heard once', async () => {
    const { pty, port, readings, closings } = await open(noTime);
    expect(port.asked).toEqual([{ baudRate: 19_200, bufferSize: 4096 }]);
    pty.send(`]E0${ean}\r\n`);
    await expect.poll(() => readings).toEqual([{ text: ean, symbology: ']E0' }]);
    for (const character of `${ean}\r`) {
      pty.send(character);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await expect.poll(() => readings).toHaveLength(2);
    expect(readings[1]).toEqual({ text: ean, symbology: null });
    await pty.close();
    await expect.poll(closings).toBe(1);
  });

  test('a scan without a terminator is answered after a silence; noise and joined scans are told apart', async () => {
    const { pty, readings } = await open();
    pty.send(ean);
    await expect.poll(() => readings).toEqual([{ text: ean, symbology: null }]);
    pty.send(Uint8Array.from([0, 0x82, 0x91, 0x0d]));
    pty.send(`${ean}\r96385074\r`);
    await expect.poll(() => readings.map(({ text }) => text)).toEqual([ean, '\u0082\u0091', ean, '96385074']);
  });
});

test('an error that the port survives loses the scan and not the port', async () => {
  const controllers: ReadableStreamDefaultController<Uint8Array>[] = [];
  const streamNow = (): ReadableStream<Uint8Array> =>
    new ReadableStream({ start: (controller) => void controllers.push(controller) });
  let readable: ReadableStream<Uint8Array> | null = streamNow();
  const readings: string[] = [];
  let isClosed = false;
  const port: SerialPortLike = {
    get readable() {
      return readable;
    },
    open: () => Promise.resolve(),
    setSignals: () => Promise.resolve(),
  };
  await openSerialReader(port, 9600, noTime, {
    onReading: ({ text }) => readings.push(text),
    onClosed: () => (isClosed = true),
  });
  const send = (text: string): void => controllers.at(-1)?.enqueue(new TextEncoder().encode(text));
  send('789100');
  await expect.poll(() => readings).toEqual([]);
  await new Promise((resolve) => setTimeout(resolve, 20));
  readable = streamNow();
  controllers[0]?.error(new DOMException('', 'BufferOverrunError'));
  send(`0053508\r${ean}\r`);
  await expect.poll(() => readings).toEqual(['789100\u0080', ean]);
  readable = null;
  controllers[1]?.error(new DOMException('', 'NetworkError'));
  await expect.poll(() => isClosed).toBe(true);
});
