import type { ScannerReading } from '../../../domain/scanner-device.ts';
import type { ReaderTime, SerialPortLike } from './device-apis.ts';
import { createSerialFraming } from './serial-framing.ts';

export interface ReaderListener {
  readonly onReading: (reading: ScannerReading) => void;
  /** The device is gone. */
  readonly onClosed: () => void;
}

async function readAll(port: SerialPortLike, time: ReaderTime, { onReading, onClosed }: ReaderListener): Promise<void> {
  const framing = createSerialFraming(time, onReading);
  // Errors that the port survives end one stream, and the port has another (Web Serial §4.5).
  for (let stream = port.readable; stream !== null; stream = port.readable) {
    const reader = stream.getReader();
    try {
      for (let read = await reader.read(); !read.done; read = await reader.read()) {
        framing.take(read.value);
      }
      break;
    } catch {
      if (port.readable === null || port.readable === stream) {
        break;
      }
      framing.lose();
    } finally {
      reader.releaseLock();
    }
  }
  framing.close();
  onClosed();
}

/** Opens the port with 8 data bits, no parity, one stop bit, and reads it. Rejects when the system refuses. */
export async function openSerialReader(
  port: SerialPortLike,
  baudRate: number,
  time: ReaderTime,
  listener: ReaderListener,
): Promise<void> {
  await port.open({ baudRate, bufferSize: 4096 });
  // Many USB scanners send only to a port whose terminal is ready; a port without such lines refuses.
  await port.setSignals({ dataTerminalReady: true, requestToSend: true }).catch(() => undefined);
  void readAll(port, time, listener);
}
