// Item 1 of Electron's security checklist, where no policy of a page reaches: WebRTC, WebTransport and hints. The rest is
// in security.test.ts.
import { createSocket } from 'node:dgram';
import { readFileSync } from 'node:fs';
import { createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { launchElectronForTest, whyNoElectron } from '../../support/electron.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const missing = whyNoElectron();

/** A port of this machine that counts what reaches it, by UDP and by TCP. */
async function openListener() {
  const reached: string[] = [];
  const udp = createSocket('udp4', () => reached.push('udp'));
  await new Promise<void>((resolve) => udp.bind(0, '127.0.0.1', resolve));
  const { port } = udp.address();
  const tcp = createTcpServer((socket) => {
    reached.push('tcp');
    socket.on('error', () => undefined).destroy();
  });
  await new Promise<void>((resolve) => tcp.listen(port, '127.0.0.1', resolve));
  onTestFinished(() => {
    udp.close();
    tcp.close();
  });
  return { port, reached };
}

/** What a script in a page can try without fetching anything; resolves when all of it has come to its end. */
const leavings = `async (port) => {
  const name = 'leaving.example.com';
  for (const rel of ['dns-prefetch', 'preconnect', 'prefetch', 'prerender', 'modulepreload', 'manifest', 'icon', 'preload'])
    for (const host of ['127.0.0.1', rel + '.' + name])
      document.head.append(Object.assign(document.createElement('link'), { rel, as: 'image', href: 'http://' + host + ':' + port + '/' + rel }));
  document.head.append(Object.assign(document.createElement('a'), { ping: 'http://127.0.0.1:' + port + '/ping', href: '#' }));
  try { navigator.sendBeacon('http://127.0.0.1:' + port + '/beacon', 'x'); } catch {}
  const gathered = [];
  for (const host of ['127.0.0.1', 'localhost']) {
    try {
      const transport = new WebTransport('https://' + host + ':' + port + '/');
      gathered.push(transport.ready.then(() => 'open', () => 'refused'));
    } catch {}
    for (const isFramed of [false, true]) {
      const frame = document.createElement('iframe');
      document.body.append(frame);
      const Connection = (isFramed ? frame.contentWindow : window).RTCPeerConnection;
      let connection;
      try {
        connection = new Connection({ iceServers: [{ urls: 'stun:' + host + ':' + port }, {
          urls: ['turn:' + host + ':' + port + '?transport=udp', 'turn:' + host + ':' + port + '?transport=tcp'], username: 'leaving', credential: 'x',
        }] });
      } catch { continue; }
      connection.createDataChannel('x');
      await connection.setLocalDescription(await connection.createOffer()).catch(() => undefined);
      gathered.push(new Promise((resolve) => {
        const look = () => { if (connection.iceGatheringState === 'complete') { connection.close(); resolve('gathered'); } };
        connection.addEventListener('icegatheringstatechange', look);
        look();
      }));
    }
  }
  return Promise.all(gathered);
}`;

test.skipIf(missing !== null)(
  '1 neither WebRTC, WebTransport nor a hint sends a packet, and one hint alone looks up a name',
  async () => {
    const session = await launchElectronForTest();
    const { port, reached } = await openListener();
    const log = join(temporaryDirectory(), 'net-log.json');
    await session.application.evaluate(
      async ({ BrowserWindow, app, netLog }, { script, to, logPath }) => {
        await netLog.startLogging(logPath, { captureMode: 'everything' });
        for (const address of ['app://tillside/', 'app://tillside/companion.html']) {
          const window = new BrowserWindow({
            show: false,
            webPreferences: { preload: `${app.getAppPath()}/dist/preload.cjs`, sandbox: true },
          });
          await window.loadURL(address);
          await window.webContents.executeJavaScript(`(${script})(${String(to)})`, true);
          window.destroy();
        }
        await netLog.stopLogging();
      },
      { script: leavings, to: port, logPath: log },
    );
    expect(reached).toEqual([]);
    // Nobody listens for these names: Chromium's own log says which it has asked the resolver for.
    const asked = readFileSync(log, 'utf8').match(/[a-z-]+\.leaving\.example\.com/g) ?? [];
    expect(new Set(asked)).toEqual(new Set(['dns-prefetch.leaving.example.com']));
  },
);

test.skipIf(missing !== null)(
  "1 the pages have a proxy that leads nowhere and no UDP, and the system's proxy is still asked",
  async () => {
    const session = await launchElectronForTest();
    const ways = await session.application.evaluate(async ({ BrowserWindow, session: sessions }) => ({
      pages: await sessions.defaultSession.resolveProxy('https://example.com/'),
      loopback: await sessions.defaultSession.resolveProxy('http://127.0.0.1:9/'),
      system: await sessions.fromPartition('system-proxy').resolveProxy('https://example.com/'),
      policies: BrowserWindow.getAllWindows().map(({ webContents }) => webContents.getWebRTCIPHandlingPolicy()),
    }));
    expect(ways).toMatchObject({
      pages: 'PROXY 255.255.255.255:1',
      loopback: 'PROXY 255.255.255.255:1',
      system: 'DIRECT',
    });
    expect(new Set(ways.policies)).toEqual(new Set(['disable_non_proxied_udp']));
  },
);
