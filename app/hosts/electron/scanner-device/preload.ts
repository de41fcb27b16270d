import { ipcRenderer } from 'electron';
import type { DeviceApis, ReaderTime } from './device-apis.ts';
import { openHidReader } from './hid-reader.ts';
import { scanLayouts, scannerUsagePage } from './hid-report.ts';
import { answerChannel, askChannel, type DeviceAnswer, type DeviceAsk, type OpenOutcome } from './messages.ts';
import { openSerialReader, type ReaderListener } from './serial-reader.ts';

// Read at each use: a test puts devices of its own in their place.
const apis = (): DeviceApis => navigator as unknown as DeviceApis;

const send = (answer: DeviceAnswer): void => ipcRenderer.send(answerChannel, answer);

const time: ReaderTime = {
  now: () => performance.now(),
  later: (delayMs, callback) => {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
};

const listener: ReaderListener = {
  onReading: (reading) => send({ is: 'reading', ...reading }),
  onClosed: () => send({ is: 'closed' }),
};

async function openSerial(baudRate: number | null): Promise<OpenOutcome> {
  // It rejects with NotFoundError when no port is let through.
  const port = await apis()
    .serial.requestPort()
    .catch(() => null);
  if (port === null || baudRate === null) {
    return 'absent';
  }
  await openSerialReader(port, baudRate, time, listener);
  return 'opened';
}

async function openHid(isOpening: boolean): Promise<OpenOutcome> {
  const { hid } = apis();
  // Some systems split one device into several, of which one brings the scans.
  const devices = await hid.requestDevice({ filters: [{ usagePage: scannerUsagePage }] }).catch(() => []);
  const device = devices.find(({ collections }) => scanLayouts(collections).length > 0) ?? devices[0];
  if (device === undefined || !isOpening) {
    return 'absent';
  }
  return (await openHidReader(hid, device, listener)) ? 'opened' : 'unsuited';
}

ipcRenderer.on(askChannel, (_event, ask: DeviceAsk) => {
  const opening = ask.kind === 'hid' ? openHid(ask.to === 'open') : openSerial(ask.to === 'open' ? ask.baudRate : null);
  void opening.then(
    (outcome) => send({ is: 'outcome', id: ask.id, outcome, reason: '' }),
    (error: unknown) => send({ is: 'outcome', id: ask.id, outcome: 'refused', reason: String(error).slice(0, 300) }),
  );
});
