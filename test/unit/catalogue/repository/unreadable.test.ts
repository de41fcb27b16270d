// X1 of unreadable.ts: what the platform lists and nothing names.
import { expect, test } from 'vitest';
import { ListedElement } from '../../../../app/platform/listing/listed-element.ts';
import { openRepository } from '../catalogue-fixture.ts';

test.each(['full', 'changes'] as const)(
  'elements that nothing names are counted in proportion to them: %s',
  async (kind) => {
    const { repository } = await openRepository();
    const [stock] = repository.stocks();
    if (stock === undefined) throw new Error('no stock');
    const save = (count: number, pass: number) =>
      repository.writer.save(
        stock,
        Array.from({ length: count }, () => new ListedElement(0)),
        { pass, seenSince: pass, askedAt: 1_000 * pass, place: { kind, first: 0 } },
      );
    const begun = performance.now();
    expect(save(30_000, 1)).toMatchObject({ unreadable: 30_000, skipped: 30_000 });
    expect(save(30_000, 2)).toMatchObject({ unreadable: 30_000, skipped: 30_000 });
    expect(save(30_000, 2)).toMatchObject({ unreadable: 30_000, skipped: 0 });
    expect(save(30_010, 3)).toMatchObject({ unreadable: 30_010, skipped: 30_010 });
    expect(repository.stocks()).toMatchObject([{ unreadable: 30_010 }]);
    // Where each looks through all that are kept, it takes minutes.
    expect(performance.now() - begun).toBeLessThan(15_000);
  },
);
