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

/** Room for so many connections, whose names begin with "busy" while they are being answered; those that left, in order. */
function openRoom(most = 4) {
  const server = new EventEmitter();
  const left: string[] = [];
  const names = new Map<unknown, string>();
  makeRoom(server, most, (connection) => names.get(connection)?.startsWith('busy') === true);
  const come = (remoteAddress: string, name = remoteAddress, localAddress = '192.0.2.1'): void => {
    const ends = { remoteAddress, localAddress };
    const socket = Object.assign(new EventEmitter(), { ...ends, destroy: () => left.push(name) });
    names.set(socket, name);
    server.emit('connection', socket);
  };
  return { come, left };
}

test('who has every connection answered at once makes way to an address with fewer, and turns out nobody', () => {
  const { come, left } = openRoom();
  const [stranger, till] = ['192.0.2.66', '192.0.2.7'];
  for (const place of [1, 2, 3, 4]) come(stranger, `busy ${place}`);
  come(till, 'till');
  come(stranger, 'busy 5');
  expect(left).toEqual(['busy 1', 'busy 5']);
  come(stranger, 'idle');
  expect(left.slice(2)).toEqual(['idle']);
  come(till, 'busy at the till');
  // As many as each other: of the stranger's and the till's nothing that is being answered goes.
  come(till, 'once more');
  expect(left.slice(3)).toEqual(['busy 2', 'till']);
});

test('of those at rest the oldest of the address that has the most makes way', () => {
  const { come, left } = openRoom(5);
  for (const place of [1, 2]) come('192.0.2.7', `of two ${place}`);
  for (const place of [1, 2, 3]) come('192.0.2.66', `of three ${place}`);
  come('192.0.2.8');
  expect(left).toEqual(['of three 1']);
  come('192.0.2.9');
  expect(left.slice(1)).toEqual(['of two 1']);
});

test('what is being answered makes way only where no address with more has a connection at rest', () => {
  const { come, left } = openRoom();
  const [one, other, third] = ['192.0.2.6', '192.0.2.7', '192.0.2.8'];
  for (const place of [1, 2]) come(one, `busy ${place}`);
  for (const place of [1, 2]) come(other, `at rest ${place}`);
  come(third, 'busy at the third');
  expect(left).toEqual(['at rest 1']);
  // It would have as many then as the other has now.
  come(third, 'busy once more');
  expect(left.slice(1)).toEqual(['at rest 2']);
  come(other, 'busy again');
  come(other, 'busy too many');
  expect(left.slice(2)).toEqual(['busy 1', 'busy too many']);
});

test.for([
  ['192.0.2.7', 'an address of IPv4'],
  ['::ffff:192.0.2.7', 'an address of IPv4 in one of IPv6'],
  ['2001:db8:0:1::7', 'another network'],
] as const)('who comes by ever new addresses of an IPv6 network turns out nobody of %s', ([till]) => {
  const { come, left } = openRoom(6);
  come(till, 'busy at the till');
  let addresses = 0;
  const comeAnew = (): void => come(`2001:db8::2:${(addresses += 1).toString(16)}:1`, `stranger ${addresses}`);
  for (let place = 0; place < 6; place += 1) comeAnew();
  come(till, 'at rest at the till');
  for (let place = 0; place < 6; place += 1) comeAnew();
  expect(left).toEqual(Array.from({ length: 8 }, (_, place) => `stranger ${place + 1}`));
});

test('of two machines of one network the one that has the most makes way', () => {
  const { come, left } = openRoom();
  come('2001:db8::7', 'till');
  for (const place of [1, 2, 3, 4]) come('2001:db8::66', `stranger ${place}`);
  come('2001:db8::8', 'another till');
  expect(left).toEqual(['stranger 1', 'stranger 2']);
});

test('the many addresses of this machine are one: who comes by all of them turns out nobody who came later', () => {
  const { come, left } = openRoom();
  come('127.0.0.2');
  come('192.0.2.7', 'its network address', '127.0.0.1');
  come('::ffff:127.4.0.4');
  come('127.0.0.1', 'page');
  come('127.0.0.1', 'page again');
  for (const address of ['127.0.0.5', '::1']) come(address);
  expect(left).toEqual(['127.0.0.2', 'its network address', '::ffff:127.4.0.4']);
});
