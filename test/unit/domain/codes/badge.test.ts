import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { isLikeBadge, newBadge, readBadge } from '../../../../app/domain/codes/badge.ts';

describe('the code of a badge', () => {
  it('is sixteen digits of chance behind its letters, each as likely as the others', () => {
    const codes = Array.from({ length: 2000 }, () => newBadge(randomUUID()));
    expect(codes.every((code) => /^TILL\d{16}$/.test(code))).toBe(true);
    expect(new Set(codes).size).toBe(codes.length);
    // 3,200 of each digit, give or take five times the deviation of 54.
    const digits = [...codes.map((code) => code.slice(4)).join('')];
    for (const digit of '0123456789') {
      expect(Math.abs(digits.filter((one) => one === digit).length - 3200)).toBeLessThan(270);
    }
  });

  it('comes of every figure of the UUID that chance chose, and of no other', () => {
    const uuid = '01234567-89ab-4cde-8123-456789abcdef';
    expect(newBadge(uuid)).toBe(newBadge('01234567-89ab-4cde-b123-456789abcdef'));
    for (const place of [...Array(uuid.length).keys()].filter(
      (at) => !'-'.includes(uuid[at] ?? '') && at !== 14 && at !== 19,
    )) {
      const other = `${uuid.slice(0, place)}${uuid[place] === '7' ? '6' : '7'}${uuid.slice(place + 1)}`;
      expect(newBadge(other), `figure ${String(place)}`).not.toBe(newBadge(uuid));
    }
  });

  it('is read with what a scanner puts before it, and with capitals locked the other way', () => {
    for (const text of ['TILL0123456789012345', ' till0123456789012345 ', ']C0TILL0123456789012345']) {
      expect(readBadge(text)).toBe('TILL0123456789012345');
    }
  });

  it.each([
    ['TILL0123456789012345', true, true],
    ['TILL012345678901234', false, true],
    ['TILL01234567890123456', false, true],
    ['TILL012345678901', false, true],
    ['TILL01234567890', false, false],
    ['TILLSIDE', false, false],
    ['0123456789012345', false, false],
    ['7891000100103', false, false],
    ['XTILL0123456789012345', false, true],
    ['TILL0123456789012345 7891000100103', false, true],
    ['TILL01234567890123457891000100103', false, true],
    ['7891000100103till0123456789012345', false, true],
    ['TILL0123456789012345TILL0123456789012345', false, true],
  ])('%s: whole %s, or holds most of one %s', (text, isWhole, isLike) => {
    expect([readBadge(text) !== null, isLikeBadge(text)]).toEqual([isWhole, isLike]);
  });
});
