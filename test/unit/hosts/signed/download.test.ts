import { expect, test } from 'vitest';
import { fail, succeed } from '../../../../app/domain/result.ts';
import { downloadSigned } from '../../../../app/hosts/signed/download.ts';
import type { Http, HttpRequest } from '../../../../app/ports.ts';

type Answer = Awaited<ReturnType<Http['send']>>;
const body = (text: string, headers: Readonly<Record<string, string>> = {}): Answer =>
  succeed({ status: 200, headers, body: text });
const unchanged: Answer = succeed({ status: 304, headers: {}, body: '' });

async function download(
  answer: (request: HttpRequest) => Answer,
  etag: string | null = null,
): ReturnType<typeof downloadSigned> {
  return downloadSigned(
    {
      http: { send: (request) => Promise.resolve(answer(request)) },
      warn: () => undefined,
      address: 'https://a.example.com/f.yml',
    },
    etag,
  );
}

test('a text comes with the signature beside it', async () => {
  expect(await download(({ url }) => body(url.slice(-4)))).toEqual(
    succeed({ text: '.yml', signature: '.sig', etag: null, servedAt: null }),
  );
  expect(await download(({ url }) => (url.endsWith('.sig') ? fail({ kind: 'unreachable' }) : body('')))).toEqual(
    fail('failed'),
  );
});

test('an unchanged text with the known tag is not sent again; without a tag the whole text comes', async () => {
  const server = ({ url, headers }: HttpRequest): Answer =>
    headers['if-none-match'] === '"1"' && !url.endsWith('.sig') ? unchanged : body('new', { etag: '"1"' });
  expect(await download(server)).toEqual(succeed({ text: 'new', signature: 'new', etag: '"1"', servedAt: null }));
  expect(await download(server, '"1"')).toEqual(succeed({ text: null, servedAt: null }));
  expect(await download(server, '"0"')).toMatchObject(succeed({ text: 'new' }));
  expect(await download(() => unchanged)).toEqual(fail('failed'));
  expect(await download(() => body('new', { etag: `"${'x'.repeat(500)}"` }))).toMatchObject(succeed({ etag: null }));
});

test("the server's clock is told with the text, and with word that it is the same", async () => {
  const date = 'Sun, 01 Jun 2025 12:00:00 GMT';
  expect(await download(() => body('new', { date }))).toMatchObject(succeed({ servedAt: Date.parse(date) }));
  expect(await download(() => body('new', { date: 'noon' }))).toMatchObject(succeed({ servedAt: null }));
  const same = succeed({ status: 304, headers: { date }, body: '' });
  expect(await download(() => same, '"1"')).toEqual(succeed({ text: null, servedAt: Date.parse(date) }));
});

test.each([
  ['certificate is not yet valid', 'date'],
  ['certificate has expired', 'date'],
  ['self-signed certificate', 'failed'],
])('a certificate that is refused with "%s" makes it %s', async (message, failure) => {
  expect(await download(() => fail({ kind: 'tlsRejected', message }))).toEqual(fail(failure));
});
