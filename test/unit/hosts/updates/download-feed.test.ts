import { expect, test } from 'vitest';
import { fail, succeed } from '../../../../app/domain/result.ts';
import { downloadFeed } from '../../../../app/hosts/updates/download-feed.ts';
import type { Http } from '../../../../app/ports.ts';

type Answer = Awaited<ReturnType<Http['send']>>;
const body = (text: string): Answer => succeed({ status: 200, headers: {}, body: text });

async function download(answer: (url: string) => Answer): ReturnType<typeof downloadFeed> {
  return downloadFeed(
    { send: ({ url }) => Promise.resolve(answer(url)) },
    () => undefined,
    'https://a.example.com/f.yml',
  );
}

test('a feed comes with the signature beside it', async () => {
  expect(await download((url) => body(url.slice(-4)))).toEqual(succeed({ text: '.yml', signature: '.sig' }));
  expect(await download((url) => (url.endsWith('.sig') ? fail({ kind: 'unreachable' }) : body('')))).toEqual(
    fail('failed'),
  );
});

test.each([
  ['certificate is not yet valid', 'date'],
  ['certificate has expired', 'date'],
  ['self-signed certificate', 'failed'],
])('a certificate that is refused with "%s" makes it %s', async (message, failure) => {
  expect(await download(() => fail({ kind: 'tlsRejected', message }))).toEqual(fail(failure));
});
