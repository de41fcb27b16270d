// The proof of the steps from page to page, P1 to P3 of progress.ts, and of the moments of plan.ts.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sinceOf } from '../../../../app/catalogue/sync/plan.ts';
import {
  advance,
  beginPass,
  narrow,
  nextPageOf,
  type PageRead,
  type Pass,
} from '../../../../app/catalogue/sync/progress.ts';

const start = beginPass(1, 0, null);
const page = (elements: number, total: number, more: Partial<PageRead> = {}): PageRead => ({
  elements,
  total,
  currentPage: 1,
  lastPage: Math.max(1, Math.ceil(total / 100)),
  perPage: 100,
  fresh: elements,
  newlySeen: elements,
  skipped: 0,
  ...more,
});

function run(
  answer: (pass: Pass) => PageRead,
  maxSteps: number,
): { readonly pages: number[]; readonly pass: Pass; readonly isOver: boolean } {
  const pages: number[] = [];
  let step = { pass: start, isOver: false };
  while (!step.isOver && pages.length < maxSteps) {
    pages.push(nextPageOf(step.pass));
    step = advance(step.pass, answer(step.pass));
  }
  return { pages, ...step };
}

describe('P1: a pass ends', () => {
  test('where last page and total agree', () => {
    expect(
      run((pass) => page(pass.offset === 200 ? 50 : 100, 250, { currentPage: nextPageOf(pass) }), 99),
    ).toMatchObject({ pages: [1, 2, 3], isOver: true, pass: { isWhole: true, isSteady: true } });
  });

  test('at the first page of an empty listing', () => {
    expect(run(() => page(0, 0), 99).pages).toEqual([1]);
  });

  test('at an empty page, when the last page lies far away', () => {
    expect(
      run((pass) => page(pass.offset < 300 ? 100 : 0, 300, { lastPage: 9_999, currentPage: nextPageOf(pass) }), 99)
        .pages,
    ).toEqual([1, 2, 3, 4]);
  });

  test('not at a last page that lies too near, while the total says more', () => {
    expect(run((pass) => page(100, 300, { lastPage: 1, currentPage: nextPageOf(pass) }), 99).pages).toEqual([1, 2, 3]);
  });

  test('at a page that is not the one asked for', () => {
    expect(
      run((pass) => page(100, 1_000, { lastPage: 10, currentPage: Math.min(2, nextPageOf(pass)) }), 99).pages,
    ).toEqual([1, 2, 3]);
  });

  test('after three pages without anything new', () => {
    const result = run(
      (pass) => page(100, 1_000_000, { currentPage: nextPageOf(pass), fresh: pass.offset === 0 ? 100 : 0 }),
      99,
    );
    expect(result).toMatchObject({ pages: [1, 2, 3, 4], pass: { isWhole: false } });
  });

  test('whatever the platform says', () => {
    const anyPage = fc.record({
      elements: fc.nat(100),
      total: fc.nat(100_000),
      lastPage: fc.nat(1_000),
      perPage: fc.nat(120),
      fresh: fc.nat(100),
      newlySeen: fc.nat(100),
      skipped: fc.nat(3),
      isAsked: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.infiniteStream(anyPage), (pages) => {
        const result = run((pass) => {
          const next = pages.next();
          const { isAsked, ...read } = next.done === true ? { isAsked: false, ...page(0, 0) } : next.value;
          return { ...read, currentPage: isAsked ? nextPageOf(pass) : 1 };
        }, 60_000);
        expect(result.isOver).toBe(true);
        expect(result.pages.every((asked) => Number.isInteger(asked) && asked >= 1)).toBe(true);
      }),
    );
  });

  test('at the limit of pages, when the listing grows for ever', () => {
    const result = run(
      (pass) => page(100, pass.offset + 1_000, { currentPage: nextPageOf(pass), lastPage: 99_999 }),
      60_000,
    );
    expect(result).toMatchObject({ isOver: true, pass: { isWhole: false, pagesRead: 50_000 } });
  });
});

describe('P2: a listing that shrinks while it is read', () => {
  test('goes back as far as rows can have moved, once', () => {
    const totals = [1_000, 1_000, 999, 999, 999, 999];
    const result = run((pass) => page(100, totals[pass.pagesRead] ?? 999, { currentPage: nextPageOf(pass) }), 6);
    expect(result.pages).toEqual([1, 2, 3, 2, 3, 4]);
  });

  test('P2: goes back from an empty page, too, when a row went before the last one was read', () => {
    const row85 = {
      ...start,
      perPage: 1,
      granted: 15,
      offset: 85,
      furthest: 85,
      furthestTotal: 86,
      total: 86,
      lastPage: 86,
      pagesRead: 16,
      received: 85,
      seen: 85,
    };
    const { pass, isOver } = advance(row85, page(0, 85, { currentPage: 86, lastPage: 85, perPage: 1 }));
    expect(isOver).toBe(false);
    expect(pass.offset).toBeLessThanOrEqual(84);
    expect(
      advance({ ...row85, furthestTotal: 85 }, page(0, 85, { currentPage: 86, lastPage: 85, perPage: 1 })).isOver,
    ).toBe(true);
  });

  test('goes back to the start at most', () => {
    const totals = [1_000, 100, 100, 100];
    expect(
      run((pass) => page(100, totals[pass.pagesRead] ?? 100, { currentPage: nextPageOf(pass) }), 4).pages.slice(0, 3),
    ).toEqual([1, 2, 1]);
  });

  test('no row that stays is missed, whatever vanishes in between', () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.nat(999), { maxLength: 150 }), { maxLength: 40 }), (vanishing) => {
        let rows = Array.from({ length: 1_000 }, (_, row) => row);
        const seen = new Set<number>();
        run((pass) => {
          rows = rows.filter((row) => !(vanishing[pass.pagesRead] ?? []).includes(row));
          const shown = rows.slice(pass.offset, pass.offset + pass.perPage);
          const fresh = shown.filter((row) => !seen.has(row)).length;
          shown.forEach((row) => seen.add(row));
          return page(shown.length, rows.length, { currentPage: nextPageOf(pass), fresh, newlySeen: fresh });
        }, 1_000);
        expect(rows.filter((row) => !seen.has(row))).toEqual([]);
      }),
    );
  });
});

describe('page sizes', () => {
  test('a platform that grants 30 a page is read in thirties', () => {
    const result = run(
      (pass) =>
        page(Math.min(30, 100 - (nextPageOf(pass) - 1) * 30), 100, {
          perPage: 30,
          lastPage: 4,
          currentPage: nextPageOf(pass),
        }),
      99,
    );
    expect(result.pages).toEqual([1, 2, 3, 4]);
    expect(result.pass).toMatchObject({ perPage: 30, received: 100, isWhole: true });
  });

  test('P3: around an unreadable page, pages get smaller, one row is jumped over, and they grow again', () => {
    let pass: Pass = { ...start, offset: 200, furthest: 200 };
    pass = narrow(pass);
    expect([pass.perPage, nextPageOf(pass)]).toEqual([10, 21]);
    pass = narrow(pass);
    expect([pass.perPage, nextPageOf(pass)]).toEqual([1, 201]);
    pass = narrow(pass);
    expect(pass).toMatchObject({ offset: 201, perPage: 1, skipped: 1, isWhole: false });
    const sizes: number[] = [];
    while (pass.offset < 300) {
      sizes.push(pass.perPage);
      pass = advance(pass, page(pass.perPage, 1_000, { perPage: pass.perPage, currentPage: nextPageOf(pass) })).pass;
    }
    expect(sizes).toEqual([...Array.from({ length: 9 }, () => 1), ...Array.from({ length: 9 }, () => 10)]);
    expect(pass).toMatchObject({ offset: 300, perPage: 100 });
  });
});

describe('the moment from which changes are asked for', () => {
  const hour = 3_600_000;
  const now = Date.UTC(2026, 0, 5);
  test.each([
    ['both clocks agree', now, now, now],
    ['the Date is a day ahead', now + 24 * hour, now, now],
    ['the Date is a day behind', now - 24 * hour, now, now - 24 * hour],
    ['this clock is a day behind', now, now - 24 * hour, now - 24 * hour],
    ['this clock is a day ahead', now, now + 24 * hour, now],
    ['this clock stands in 1970', now, 0, now - 26 * hour],
    ['there is no Date', null, now, now - 24 * hour + 120_000],
  ])('%s', (_name, platformTime, askedAt, expected) => {
    expect(sinceOf(platformTime, askedAt)).toBe(expected - 120_000);
  });
});
