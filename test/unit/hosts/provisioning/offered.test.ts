// The proof of P3 and P6 of published.ts: which of the files of a shop is newer, whatever the clocks say that signed
// them, that serve them and that judge them.
import { generateKeyPairSync, sign } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readOffered } from '../../../../app/hosts/provisioning/published.ts';

const dayMs = 24 * 3_600_000;
const right = Date.UTC(2026, 10, 23, 12);
const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const source = {
  url: 'https://shop.example.com/centro.json',
  shop: 'Centro',
  publicKey: [publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('base64')],
};

/** A file of this shop that was signed on this day, counted from today. */
function signedOn(day: number, name = `day ${day}`) {
  const at = right + day * dayMs;
  const text = JSON.stringify({
    platformUrl: 'https://platform.example.com',
    clientId: 'till',
    companyId: 1,
    stockIds: [1],
    name,
    source,
    signed: { at: new Date(at).toISOString(), until: new Date(at + 60 * dayMs).toISOString() },
  });
  return { text, signature: sign(null, Buffer.from(text), privateKey).toString('base64') };
}

type Signed = ReturnType<typeof signedOn>;

/** The files kept after these offers, each on its day by this machine's clock and by the server's. */
function offer(offers: readonly (readonly [offered: Signed, onDay: number, servedOnDay: number | null])[]) {
  let kept: NonNullable<Parameters<typeof readOffered>[2]> | null = null;
  const came = offers.map(([offered, onDay, servedOn]) => {
    const servedAt = servedOn === null ? null : right + servedOn * dayMs;
    const read = readOffered(offered, source, kept, right + onDay * dayMs, servedAt);
    kept = read.ok ? { ...read.value, ...offered } : kept;
    return read.ok ? 'good' : read.failure.reason;
  });
  return { came, kept: (kept as Signed | null)?.text ?? null };
}

test('P6: a file signed by a clock 300 days ahead is refused; right ones 1 to 299 days later are taken', () => {
  const ahead = signedOn(300);
  for (const served of [true, false]) {
    const days = [0, 1, 30, 299].map((day) => [signedOn(day), day, served ? day : null] as const);
    expect(offer([[ahead, 0, served ? 0 : null], ...days]).came).toEqual(['ahead', 'good', 'good', 'good', 'good']);
  }
});

test('P6: one that was taken all the same makes way, and does not come back', () => {
  const ahead = signedOn(300);
  const { came, kept } = offer([
    [ahead, 300, 300],
    [signedOn(1), 1, 1],
    [ahead, 1, 1],
    [signedOn(0), 1, 1],
  ]);
  expect(came).toEqual(['good', 'good', 'ahead', 'older']);
  expect(kept).toBe(signedOn(1).text);
});

test('P6: a terminal 60 days behind takes what its server’s clock supports, and nothing older', () => {
  expect(
    offer([
      [signedOn(0), -60, 0],
      [signedOn(1), -59, 1],
      [signedOn(0), -59, 1],
      [signedOn(2), -58, null],
      [signedOn(2), -58, -58],
    ]).came,
  ).toEqual(['good', 'good', 'older', 'ahead', 'ahead']);
});

test('P3, P6: whatever comes before, a file signed on the day by a right clock is good and the newest', () => {
  const day = fc.integer({ min: -300, max: 300 });
  fc.assert(
    fc.property(fc.array(fc.tuple(day, day, fc.option(day)), { maxLength: 6 }), (earlier) => {
      const before = earlier.map(([signed, on, served]) => [signedOn(signed), Math.min(on, 0), served] as const);
      // Nothing that was taken before can have been signed later than on the day before, by a clock that is right.
      const { came, kept } = offer([...before, [signedOn(1, 'right'), 1, 1], [signedOn(0, 'old'), 1, 1]]);
      const isBlocked = before.some(([{ text }]) => text.includes('"day 1"') || text.includes('"day 2"'));
      expect(isBlocked || came.at(-2) === 'good').toBe(true);
      expect(isBlocked || came.at(-1) === 'older').toBe(true);
      expect(isBlocked || kept === signedOn(1, 'right').text).toBe(true);
    }),
    { numRuns: 200, seed: 3 },
  );
});
