import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Failure, FailureKind } from '../../domain/failure.ts';
import type { PrinterPlace } from '../../domain/labels/printer.ts';
import { fail, succeed, type Result } from '../../domain/result.ts';
import type { CommandPrinters } from '../../ports.ts';

/** For how long a connection may not come about, and a printer may take nothing, as one without paper does. */
export interface Patience {
  readonly connectMs: number;
  readonly idleMs: number;
}

const usualPatience: Patience = { connectMs: 5_000, idleMs: 30_000 };
const serialRetryMs = 20;
/** Each part that the system takes shows that the printer goes on. */
const bytesAtOnce = 16_384;
/**
 * What the system has taken last may lie with it. A printer that ends the connection while it can read that, at 100 kB a
 * second, has not read all.
 */
const readingMs = (bytes: Uint8Array): number => 250 + bytes.length / 100;

type Place<Kind extends PrinterPlace['kind']> = Extract<PrinterPlace, { kind: Kind }>;

const run = promisify(execFile);

function failure(kind: FailureKind, error?: unknown): Result<never, Failure> {
  return fail(error instanceof Error ? { kind, message: error.message.slice(0, 500) } : { kind });
}

/**
 * Succeeds when the printer ends the connection after it was asked to, which it does when it has read all of it: what the
 * system alone has taken may never arrive.
 */
function sendByNetwork(
  { host, port }: Place<'network'>,
  bytes: Uint8Array,
  signal: AbortSignal,
  { connectMs, idleMs }: Patience,
): Promise<Result<void, Failure>> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, allowHalfOpen: true });
    let isConnected = false;
    let isAsked = false;
    const settle = (result: Result<void, Failure>): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      if (!result.ok) {
        // The rest that the system still holds of it is thrown away, lest it be printed later.
        socket.resetAndDestroy();
      }
      resolve(result);
    };
    const abort = (): void => settle(failure('cancelled'));
    const refuse = (error?: unknown): void =>
      settle(failure(isConnected ? 'printerFailed' : 'printerUnreachable', error));
    signal.addEventListener('abort', abort);
    let timer = setTimeout(refuse, connectMs);
    socket.on('error', refuse);
    socket.on('end', () => (isAsked ? undefined : refuse()));
    socket.on('close', () => settle(isAsked ? succeed(undefined) : failure('printerFailed')));
    // A printer's own messages are read, so that it is not held up by them. They are no sign that it takes anything: a
    // device that talks without end, as a scale may, is left all the same.
    socket.resume();
    const write = (at: number): void => {
      clearTimeout(timer);
      if (at < bytes.length) {
        timer = setTimeout(refuse, idleMs);
        socket.write(bytes.subarray(at, at + bytesAtOnce), (error) => error ?? write(at + bytesAtOnce));
      } else {
        timer = setTimeout(() => {
          isAsked = true;
          timer = setTimeout(refuse, idleMs);
          socket.end();
        }, readingMs(bytes));
      }
    };
    socket.on('connect', () => {
      isConnected = true;
      write(0);
    });
  });
}

/** The device behind a path; anything else there is not written to. Throws what the system says. */
async function openDevice(
  { path, baudRate }: Place<'serial'>,
  signal: AbortSignal,
  timeout: number,
): Promise<FileHandle> {
  // A device that has gone may hold up what sets its pace.
  const limits = { signal, timeout };
  if (process.platform === 'win32') {
    await run('mode', [`${path}:`, `BAUD=${baudRate}`, 'PARITY=n', 'DATA=8', 'STOP=1'], limits);
    return open(`\\\\.\\${path}`, 'r+');
  }
  const file = await open(path, constants.O_WRONLY | constants.O_NOCTTY | constants.O_NONBLOCK);
  if (!(await file.stat()).isCharacterDevice()) {
    await file.close();
    throw new Error(`${path} is no device`);
  }
  // A parallel or USB printer has no pace.
  const flag = process.platform === 'darwin' ? '-f' : '-F';
  await run('stty', [flag, path, String(baudRate), 'raw', '-echo'], limits).catch(() => undefined);
  return file;
}

/** Where the device takes nothing just now it is asked again, so that one that stalls can be left. */
async function writeAll(
  file: FileHandle,
  bytes: Uint8Array,
  signal: AbortSignal,
  idleMs: number,
): Promise<Result<void, Failure>> {
  let idleForMs = 0;
  for (let at = 0; at < bytes.length;) {
    if (signal.aborted) {
      return failure('cancelled');
    }
    let taken = 0;
    try {
      taken = (await file.write(bytes, at)).bytesWritten;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) {
        return failure('printerFailed', error);
      }
    }
    at += taken;
    idleForMs = taken > 0 ? 0 : idleForMs + serialRetryMs;
    if (idleForMs >= idleMs) {
      return failure('printerFailed');
    }
    if (taken === 0) {
      await sleep(serialRetryMs);
    }
  }
  return succeed(undefined);
}

async function sendBySerial(
  place: Place<'serial'>,
  bytes: Uint8Array,
  signal: AbortSignal,
  { idleMs }: Patience,
): Promise<Result<void, Failure>> {
  let file: FileHandle;
  try {
    file = await openDevice(place, signal, idleMs);
  } catch (error) {
    return signal.aborted ? failure('cancelled') : failure('printerUnreachable', error);
  }
  try {
    return await writeAll(file, bytes, signal, idleMs);
  } finally {
    await file.close();
  }
}

/** Reaches label printers by network and by serial port. */
export function createCommandPrinters(patience: Patience = usualPatience): CommandPrinters {
  return {
    send: (place, bytes, signal) =>
      place.kind === 'network'
        ? sendByNetwork(place, bytes, signal, patience)
        : sendBySerial(place, bytes, signal, patience),
  };
}
