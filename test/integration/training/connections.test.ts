import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { startTrainingPlatform } from '../../../app/training/server.ts';

test('of many connections two hundred are held, and there is room again once some go', async () => {
  const platform = await startTrainingPlatform({ directory: null, port: 0, productCount: 1 });
  onTestFinished(() => platform.close());
  const port = Number(new URL(platform.platformUrl).port);
  const many: Socket[] = [];
  let hungUp = 0;
  for (let opened = 0; opened < 210; opened += 1) {
    many.push(
      connect(port, '127.0.0.1')
        .on('error', () => undefined)
        .on('close', () => (hungUp += 1)),
    );
  }
  await expect.poll(() => hungUp).toBe(10);
  expect(many.filter(({ closed }) => !closed)).toHaveLength(200);
  many.forEach((socket) => socket.destroy());
  const status = async (): Promise<number> =>
    fetch(`${platform.platformUrl}/openapi.json`).then(
      (answer) => answer.status,
      () => 0,
    );
  await expect.poll(status).toBe(200);
});

test('who asks again before the last answer is taken is hung up on', async () => {
  const platform = await startTrainingPlatform({ directory: null, port: 0, productCount: 1 });
  onTestFinished(() => platform.close());
  const { host, port } = new URL(platform.platformUrl);
  const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined);
  let answered = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => (answered += chunk));
  socket.write(`GET /openapi.json HTTP/1.1\r\nHost: ${host}\r\n\r\n`.repeat(1000));
  await once(socket, 'close');
  expect(answered.length).toBe(0);
});
