// Proves over real sockets what a request takes of the server's memory, before anybody knows whose it is.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { readRequest } from '../../../app/service/http.ts';
import { listenLocally } from '../../support/listen.ts';

test('a request takes memory by its bytes, however small the parts are that it comes in', async () => {
  const lengths: unknown[] = [];
  const server = createServer((incoming, outgoing) => {
    void readRequest(incoming).then(({ body }) => {
      lengths.push(body?.length);
      outgoing.end();
    });
  });
  const port = await listenLocally(server);
  onTestFinished(async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  });
  const before = process.memoryUsage.rss();
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, 20);
  const parts = '1\r\nx\r\n'.repeat(10_000);
  const sending = Array.from({ length: 2 }, async () => {
    const socket = connect(port, '127.0.0.1');
    socket.write('POST / HTTP/1.1\r\nHost: shop\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n');
    const writeOn = (left: number): void => {
      socket.write(left === 0 ? '0\r\n\r\n' : parts, () => left > 0 && writeOn(left - 1));
    };
    writeOn(25);
    socket.resume();
    await once(socket, 'close');
  });
  await Promise.all(sending);
  clearInterval(watch);
  expect(lengths).toEqual(Array.from({ length: 2 }, () => 250_000));
  expect((most - before) / 1_000_000).toBeLessThan(120);
});
