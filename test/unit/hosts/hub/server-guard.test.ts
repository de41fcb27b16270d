import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createServerGuard } from '../../../../app/hosts/hub/server-guard.ts';

const message = (type: string, body: string): Buffer => {
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeUInt32BE(Buffer.byteLength(body) + 4, 1);
  return Buffer.concat([head, Buffer.from(body)]);
};
const signedIn = message('R', '\0\0\0\0');

test('whatever the pieces in which they come, messages are handed on whole and unchanged', () => {
  const text = fc.string({ unit: 'grapheme' }).map((chars) => chars.replaceAll('\0', ''));
  fc.assert(
    fc.property(
      fc.array(text.map((name) => message('C', `${name}\0`))),
      fc.array(fc.nat({ max: 40 })),
      (messages, lengths) => {
        const guard = createServerGuard(false);
        const handed: Buffer[] = [];
        let rest = Buffer.concat([signedIn, ...messages]);
        for (const length of lengths) {
          guard.take(rest.subarray(0, length), (whole) => handed.push(whole));
          rest = rest.subarray(length);
        }
        guard.take(rest, (whole) => handed.push(whole));
        expect(handed).toEqual([signedIn, ...messages]);
      },
    ),
  );
});

test('a server may say as much again each time it is asked, and no more unasked', () => {
  const guard = createServerGuard(false);
  const say = (): void => {
    guard.take(message('A', '\0\0\0\0tillside_hub\0news 1\0'), () => undefined);
  };
  guard.take(signedIn, () => undefined);
  for (let asked = 0; asked < 3; asked += 1) {
    guard.expectAnswer();
    for (let said = 0; said < 10_000; said += 1) say();
  }
  expect(say).toThrow(expect.objectContaining({ failure: { kind: 'failed', detail: 'tooLong' } }));
});

test('of one message 800 kB are taken, and 3.2 MB until the server is asked again', () => {
  const tooLong = expect.objectContaining({ failure: { kind: 'failed', detail: 'tooLong' } }) as unknown;
  const guard = createServerGuard(false);
  const say = (bytes: number) => (): void => {
    guard.take(message('A', `\0\0\0\0news\0${'x'.repeat(bytes - 15)}\0`), () => undefined);
  };
  guard.take(signedIn, () => undefined);
  guard.expectAnswer();
  for (let said = 0; said < 4; said += 1) say(799_990)();
  expect(say(100)).toThrow(tooLong);
  const other = createServerGuard(false);
  other.take(signedIn, () => undefined);
  other.expectAnswer();
  expect(() => {
    other.take(message('A', 'x'.repeat(800_010)).subarray(0, 100), () => undefined);
  }).toThrow(tooLong);
});

test('a row has the columns that were described: pg makes it of all of them, whatever it has', () => {
  const guard = createServerGuard(false);
  const say = (type: string, count: string, one: string): void => {
    guard.take(message(type, `${count}${one.repeat(2)}`), () => undefined);
  };
  guard.take(signedIn, () => undefined);
  guard.expectAnswer();
  say('T', '\0\u{2}', '\0'.repeat(19));
  say('D', '\0\u{2}', '\0'.repeat(4));
  const unreadable = expect.objectContaining({ failure: { kind: 'failed', detail: 'unreadable' } }) as unknown;
  expect(() => {
    say('D', '\0\0', '');
  }).toThrow(unreadable);
});
