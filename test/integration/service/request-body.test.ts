// Proves over real sockets what a request takes of the server's memory, before anybody knows whose it is.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { readRequest } from '../../../app/service/http.ts';
import { mostMemoryOf, writeBytes } from '../../support/byte-by-byte.ts';
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
  const send = async (): Promise<void> => {
    const socket = connect(port, '127.0.0.1');
    socket.write('POST / HTTP/1.1\r\nHost: shop\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n');
    writeBytes(socket, 50_000);
    socket.resume();
    await once(socket, 'close');
  };
  const most = await mostMemoryOf(() => Promise.all([send(), send()]));
  expect(lengths).toEqual(Array.from({ length: 2 }, () => 50_000));
  expect(most).toBeLessThan(10);
});
