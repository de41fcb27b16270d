// Who holds the connections of a server, in whatever state, keeps nobody out.
import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { makeRoom, oneAtATime } from '../../../app/domain/loopback-server.ts';
import { listenLocally } from '../../support/listen.ts';

/** More than the system takes for a client that does not read. */
const large = Buffer.alloc(32 * 1024 * 1024);

test('who asks and does not take the answers keeps nobody out, and what is being answered stays', async () => {
  const waiting: ServerResponse[] = [];
  let largeAnswers = 0;
  const { listener, isBusy } = oneAtATime((request: IncomingMessage, response: ServerResponse) => {
    if (request.url === '/large') {
      largeAnswers += 1;
      response.end(large);
    } else if (request.url === '/slow') {
      waiting.push(response);
    } else {
      response.end('small');
    }
  });
  const server = createServer(listener);
  makeRoom(server, 4, isBusy);
  const port = await listenLocally(server);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = `http://127.0.0.1:${port}`;
  const slow = fetch(`${address}/slow`);
  await expect.poll(() => waiting.length).toBe(1);
  for (let place = 0; place < 3; place += 1) {
    const socket = connect(port, '127.0.0.1', () => socket.write('GET /large HTTP/1.1\r\nHost: x\r\n\r\n'));
    socket.pause().on('error', () => undefined);
    onTestFinished(() => void socket.destroy());
  }
  await expect.poll(() => largeAnswers).toBe(3);
  // Whose request comes a piece at a time stays beside new ones, for the held ones are older.
  const piecewise = connect(port, '127.0.0.1', () => piecewise.write('GET / HTTP/1.1\r\n'));
  let answered = '';
  piecewise.on('data', (chunk) => (answered += chunk.toString())).on('error', () => undefined);
  await once(piecewise, 'connect');
  const newcomer = connect(port, '127.0.0.1').on('error', () => undefined);
  await once(newcomer, 'connect');
  piecewise.write('Host: x\r\n\r\n');
  await expect.poll(() => answered).toContain('small');
  onTestFinished(() => {
    piecewise.destroy();
    newcomer.destroy();
  });
  for (let turn = 0; turn < 5; turn += 1) {
    const answer = await fetch(address, { headers: { connection: 'close' } });
    expect(await answer.text()).toBe('small');
  }
  waiting[0]?.end('at last');
  expect(await (await slow).text()).toBe('at last');
});

test('the many addresses of this machine are one: who comes by all of them turns out nobody who came later', () => {
  const server = new EventEmitter();
  makeRoom(server, 4, () => false);
  const left: string[] = [];
  const come = (remoteAddress: string, name = remoteAddress, localAddress = '192.0.2.1'): void => {
    const ends = { remoteAddress, localAddress };
    const socket = Object.assign(new EventEmitter(), { ...ends, destroy: () => left.push(name) });
    server.emit('connection', socket);
  };
  come('127.0.0.2');
  come('192.0.2.7', 'its network address', '127.0.0.1');
  come('::ffff:127.4.0.4');
  come('127.0.0.1', 'page');
  come('127.0.0.1', 'page again');
  for (const address of ['127.0.0.5', '::1']) come(address);
  expect(left).toEqual(['127.0.0.2', 'its network address', '::ffff:127.4.0.4']);
});
