import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:https';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startConnectProxy } from '../support/connect-proxy.ts';
import { findElectron } from '../support/electron.ts';
import { listenLocally } from '../support/listen.ts';
import { hasOpenssl, makeCertificate, openssl } from '../support/openssl.ts';
import { drivablePackage, launchPackaged, whyNoPackage } from '../support/packaged.ts';
import { launchPlatformForTest } from '../support/platform.ts';
import { appImageFor } from '../support/program-files.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { startUpdateServer } from '../support/update-server.ts';
import { invoke } from './story.ts';

const isAsked = !['', '0', 'false', undefined].includes(process.env['TILLSIDE_PACKAGED']);
const isMissing = 'missing' in findElectron() || whyNoPackage() !== null;
const name = 'updates.example.test';

/** An update server whose certificate is by a company's own authority. */
async function startCompanyServer(folder: string) {
  makeCertificate(folder, 'company');
  openssl(folder, `req -newkey rsa:2048 -nodes -keyout server.key -out server.csr -subj /CN=${name}`);
  writeFileSync(join(folder, 'names'), `subjectAltName=DNS:${name}`);
  const by = '-CA company.crt -CAkey company.key -CAcreateserial';
  openssl(folder, `x509 -req -in server.csr ${by} -days 1 -extfile names -out server.pem`);
  const server = await startUpdateServer();
  onTestFinished(() => server.close());
  const plain = new URL(server.source.url);
  const [key, cert] = ['server.key', 'server.pem'].map((file) => readFileSync(join(folder, file)));
  const secure = createServer({ key, cert }, (asked, answer) => {
    request({ host: plain.hostname, port: plain.port, path: asked.url }, (came) => {
      answer.writeHead(came.statusCode ?? 500, came.headers);
      came.pipe(answer);
    }).end();
  });
  const port = await listenLocally(secure);
  onTestFinished(() => {
    secure.close();
    secure.closeAllConnections();
  });
  return { server, port, updates: { url: `https://${name}/till`, publicKey: server.source.publicKey } };
}

describe.skipIf(!hasOpenssl || (!isAsked && isMissing))('the packaged app', () => {
  test.each([
    ['the environment', (place) => ({ HTTPS_PROXY: `http://till:word@${place}` })],
    [
      'the system',
      (place, config) => {
        const [host = '', port = ''] = place.split(':');
        writeFileSync(join(config, 'kioslaverc'), `[Proxy Settings]\nProxyType=1\nhttpsProxy=http://${host} ${port}\n`);
        // Chromium asks no other desktop by a file.
        return { HOME: dirname(config), XDG_CURRENT_DESKTOP: 'KDE', KDE_SESSION_VERSION: '6' };
      },
    ],
  ] satisfies readonly [who: string, namings: (place: string, config: string) => Readonly<Record<string, string>>][])(
    'fetches a new version by the way of its feed, the company’s, and asks nobody else, as %s says',
    async (who, naming) => {
      const folder = temporaryDirectory();
      const { server, port, updates } = await startCompanyServer(folder);
      server.offer({
        version: '99.0.0',
        fileName: 'Tillside-99.0.0-linux-x64.AppImage',
        file: appImageFor('x64', Buffer.alloc(3_000_000)),
      });
      const proxy = await startConnectProxy({ port });
      onTestFinished(() => proxy.close());
      const platform = await launchPlatformForTest();
      const { url: platformUrl, clientId, clientSecret, companyId, stockIds, email, password } = platform;
      const shop = { platformUrl, clientId, clientSecret, companyId, stockIds: stockIds.split(',').map(Number) };
      const [provision, appImage, config] = ['provision.json', 'Tillside.AppImage', '.config'].map((one) =>
        join(folder, one),
      ) as [string, string, string];
      writeFileSync(provision, JSON.stringify({ ...shop, updates }));
      writeFileSync(appImage, '#!/bin/sh\nexit 1\n', { mode: 0o755 });
      mkdirSync(config);
      const session = await launchPackaged(
        ['--data-dir', join(folder, 'data'), '--lang', 'en', '--provision', provision],
        {
          environment: {
            APPIMAGE: appImage,
            APPDIR: drivablePackage(),
            XDG_CONFIG_HOME: config,
            // The system's store.
            SSL_CERT_FILE: join(folder, 'company.crt'),
            ...naming(proxy.place, config),
          },
        },
      );
      onTestFinished(() => session.kill());
      expect(await invoke(session.page, 'session:signIn', { email, password, clientSecret })).toMatchObject({
        ok: true,
      });
      expect(await invoke(session.page, 'device:checkForUpdate')).toMatchObject({
        ok: true,
        value: { update: { state: 'ready', version: '99.0.0', lastCheck: 'good' } },
      });
      await session.close();
      const secret = `\r\nProxy-Authorization: Basic ${Buffer.from('till:word').toString('base64')}\r\n`;
      const isOurs = (head: string): boolean =>
        head.startsWith(`CONNECT ${name}:443 `) && head.includes(secret) === (who === 'the environment');
      expect(proxy.heads.filter((head) => !isOurs(head))).toEqual([]);
      expect(proxy.heads.length).toBeGreaterThan(1);
    },
  );
});
