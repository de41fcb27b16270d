import { describe, expect, test } from 'vitest';
import { comparePin, hashPin, isPinText, defaultCost } from '../../../app/lock/pin.ts';

const cheap = { logN: 4, blockSize: 8, parallelization: 1 };
const salt = '0f8fad5b-d9cb-469f-a165-70867728950e';

describe('a PIN', () => {
  test('fits its own text and no other does', async () => {
    const text = await hashPin('2580', salt, cheap);
    expect(await comparePin('2580', text, cheap)).toBe('right');
    for (const other of ['2581', '02580', '258', '', '25800']) {
      expect(await comparePin(other, text, cheap)).toBe('wrong');
    }
  });

  test('is not in its text, and the same PIN gives another text under another salt', async () => {
    const [one, two] = await Promise.all([
      hashPin('123456789012', salt, cheap),
      hashPin('123456789012', '7c9e6679-7425-40de-944b-e07fc1f90ae7', cheap),
    ]);
    expect(one).not.toContain('123456789012');
    expect(one).not.toBe(two);
    expect(one).toMatch(/^\$scrypt\$ln=4,r=8,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  });

  test('that was hashed at another cost fits, and says that it is stale', async () => {
    const text = await hashPin('2580', salt, cheap);
    expect(await comparePin('2580', text, { ...cheap, logN: 5 })).toBe('stale');
    expect(await comparePin('2581', text, { ...cheap, logN: 5 })).toBe('wrong');
  });

  test('hashed by another implementation of scrypt fits', async () => {
    // Python 3: hashlib.scrypt(b'2580', salt=bytes(range(16)), n=1024, r=8, p=1, dklen=32)
    const foreign = '$scrypt$ln=10,r=8,p=1$AAECAwQFBgcICQoLDA0ODw$SadmVQpZytfpVBGbeYC1ee6GQgxOvA5/D3dhrXq9bPw';
    expect(await comparePin('2580', foreign, cheap)).toBe('stale');
  });

  test('the usual cost is within what a small terminal bears', () => {
    expect(128 * 2 ** defaultCost.logN * defaultCost.blockSize).toBe(32 * 1024 * 1024);
  });
});

describe('a text', () => {
  test.each([
    '',
    '2580',
    '$scrypt$',
    '$scrypt$ln=18,r=8,p=1$AAECAwQFBgcICQoLDA0ODw$' + 'A'.repeat(43),
    '$scrypt$ln=4,r=9,p=1$AAECAwQFBgcICQoLDA0ODw$' + 'A'.repeat(43),
    '$scrypt$ln=4,r=8,p=5$AAECAwQFBgcICQoLDA0ODw$' + 'A'.repeat(43),
    '$scrypt$ln=0,r=8,p=1$AAECAwQFBgcICQoLDA0ODw$' + 'A'.repeat(43),
    '$argon2id$v=19$m=65536,t=3,p=4$AAECAwQFBgcICQoLDA0ODw$' + 'A'.repeat(43),
  ])('that is none, or asks for too much, is fitted by no PIN: %s', async (text) => {
    expect(isPinText(text)).toBe(false);
    expect(await comparePin('2580', text, cheap)).toBe('wrong');
  });

  test('a salt that is no UUID is refused', async () => {
    await expect(hashPin('2580', 'short', cheap)).rejects.toThrow('salt');
  });
});
