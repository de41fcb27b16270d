// Printers that take commands, played by real sockets on loopback and by a pseudo-terminal.
import { mkdtempSync, writeFileSync, readFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { PrinterPlace } from '../../../app/domain/labels/printer.ts';
import { fail } from '../../../app/domain/result.ts';
import { createCommandPrinters } from '../../../app/hosts/node/command-printers.ts';
import { openPty, whyNoPty, type Pty } from '../../support/pty.ts';
import { listenLocally } from '../../support/listen.ts';

const servers = new Set<Server>();
const sockets = new Set<Socket>();
const ptys = new Set<Pty>();
afterEach(async () => {
  vi.unstubAllEnvs();
  sockets.forEach((socket) => socket.destroy());
  sockets.clear();
  await Promise.all([...servers].map((server) => new Promise((closed) => server.close(closed))));
  servers.clear();
  await Promise.all([...ptys].map((pty) => pty.close()));
  ptys.clear();
});

async function listen(play: (socket: Socket) => void): Promise<PrinterPlace> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    play(socket);
  });
  servers.add(server);
  const port = await listenLocally(server);
  return { kind: 'network', host: '127.0.0.1', port };
}

/** Reads all of it, so many bytes at a time with a rest between, and ends when the sender has. */
function reads(into: Buffer[], atOnce: number): (socket: Socket) => void {
  return (socket) => {
    const take = (): void => {
      const part = socket.read(Math.min(atOnce, socket.readableLength)) as Buffer | null;
      if (part !== null && part.length > 0) {
        into.push(part);
      }
      setImmediate(take);
    };
    socket.pause();
    socket.once('readable', take);
    socket.on('end', () => socket.end());
  };
}

const printers = (idleMs = 10_000) => createCommandPrinters({ connectMs: 2_000, idleMs });
const label = new TextEncoder().encode(`^XA^FD${'x'.repeat(3_000)}^FS^XZ\n`);
const many = new Uint8Array(Array.from({ length: 40 }, () => [...label]).flat());
const still = (): AbortSignal => new AbortController().signal;

describe('a printer on the network', () => {
  it('that accepts slowly gets all of it, in its order', async () => {
    const heard: Buffer[] = [];
    const place = await listen(reads(heard, 700));
    expect(await printers().send(place, many, still())).toEqual({ ok: true, value: undefined });
    expect(Buffer.concat(heard).equals(many)).toBe(true);
  });

  it('that refuses was sent nothing, and it is said so', async () => {
    const place = await listen(() => undefined);
    await Promise.all([...servers].map((server) => new Promise((closed) => server.close(closed))));
    servers.clear();
    expect(await printers().send(place, label, still())).toMatchObject(fail({ kind: 'printerUnreachable' }));
  });

  it('that breaks off after some of it does not count as having taken it', async () => {
    const place = await listen((socket) => {
      let read = 0;
      socket.on('data', (part: Buffer) => {
        read += part.length;
        if (read > 1_000) {
          socket.resetAndDestroy();
        }
      });
    });
    expect(await printers().send(place, many, still())).toMatchObject(fail({ kind: 'printerFailed' }));
  });

  it.each(['ends', 'ends, and resets later'])(
    'that %s in the midst does not count as having taken all',
    async (how) => {
      const place = await listen((socket) => {
        let read = 0;
        socket.on('data', (part: Buffer) => {
          read += part.length;
          if (read > 100_000 && !socket.isPaused()) {
            socket.pause();
            socket.end();
            setTimeout(() => how !== 'ends' && socket.resetAndDestroy(), 50);
          }
        });
      });
      const jobs = [many, new Uint8Array(500_000)];
      expect(await Promise.all(jobs.map((job) => printers(2_000).send(place, job, still())))).toMatchObject(
        jobs.map(() => ({ ok: false, failure: { kind: 'printerFailed' } })),
      );
    },
  );

  it('that takes nothing more, as without paper, is left after a while', async () => {
    const place = await listen((socket) => socket.pause());
    expect(await printers(200).send(place, label, still())).toMatchObject(fail({ kind: 'printerFailed' }));
    const waits = vi.spyOn(globalThis, 'setTimeout');
    const controller = new AbortController();
    const sending = createCommandPrinters().send(place, new Uint8Array(16_000_000), controller.signal);
    await expect.poll(() => waits.mock.calls.map(([, ms]) => ms)).toContain(30_000);
    controller.abort();
    await sending;
    waits.mockRestore();
  });

  it('that talks without end is left as one that is silent', async () => {
    const place = await listen((socket) => {
      socket.resume();
      const talk = (): unknown => !socket.destroyed && socket.write('12.345 kg\r\n', () => setImmediate(talk));
      talk();
    });
    expect(await printers(1_000).send(place, label, still())).toMatchObject(fail({ kind: 'printerFailed' }));
  }, 8_000);

  it('is left at once when somebody stops, and what it had not read never arrives', async () => {
    // More than the system keeps on its way.
    const more = new Uint8Array(16_000_000);
    const controller = new AbortController();
    const near: Socket[] = [];
    const place = await listen((socket) => {
      near.push(socket.pause());
      controller.abort();
    });
    expect(await printers().send(place, more, controller.signal)).toEqual(fail({ kind: 'cancelled' }));
    const [socket] = near;
    if (socket === undefined) {
      throw new Error('no connection');
    }
    socket.resume();
    await expect.poll(() => socket.closed).toBe(true);
    expect(socket.bytesRead).toBeLessThan(more.length);
  });
});

describe.skipIf(whyNoPty() !== null)('a printer at a serial port', () => {
  const at = (path: string): PrinterPlace => ({ kind: 'serial', path, baudRate: 115_200 });

  it('gets every byte as it is', async () => {
    const pty = await openPty();
    ptys.add(pty);
    const bytes = Uint8Array.from({ length: 20_000 }, (_, place) => place & 0xff);
    expect(await printers().send(at(pty.path), bytes, still())).toEqual({ ok: true, value: undefined });
    await expect.poll(() => pty.received().length).toBe(bytes.length);
    expect(pty.received().equals(bytes)).toBe(true);
  });

  it.each([
    ['after a while', 'printerFailed', 200, 60_000],
    ['at once when somebody stops', 'cancelled', 60_000, 200],
  ] as const)('that takes nothing more is left %s', async (_when, kind, idleMs, stopMs) => {
    const pty = await openPty();
    ptys.add(pty);
    pty.stall();
    const sent = printers(idleMs).send(at(pty.path), many, AbortSignal.timeout(stopMs));
    expect(await sent).toMatchObject({ failure: { kind } });
  });

  it('whose pace cannot be set is left when somebody stops', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tillside-stty-'));
    writeFileSync(join(folder, 'stty'), '#!/bin/sh\nexec sleep 60\n', { mode: 0o755 });
    vi.stubEnv('PATH', `${folder}:${process.env['PATH'] ?? ''}`);
    const pty = await openPty();
    ptys.add(pty);
    const stop = new AbortController();
    const sent = printers().send(at(pty.path), label, stop.signal);
    stop.abort();
    expect(await sent).toMatchObject({ failure: { kind: 'cancelled' } });
    expect(pty.received()).toHaveLength(0);
  });

  it('that is not there was sent nothing', async () => {
    expect(await printers().send(at('/dev/no-such-printer'), label, still())).toMatchObject({
      failure: { kind: 'printerUnreachable' },
    });
  });

  it('is never a file, whatever the settings say', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'tillside-printer-')), 'a-file');
    writeFileSync(path, 'kept');
    expect(await printers().send(at(path), label, still())).toMatchObject({ failure: { kind: 'printerUnreachable' } });
    expect(readFileSync(path, 'utf8')).toBe('kept');
  });
});
