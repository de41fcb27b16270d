// The proof of what a scale's label means where it may mean several products (C6 to C8), and of what is learnt when a
// person chooses one (S1 to S3).
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { CatalogueAnswer } from '../../../../app/catalogue/lookup/answers.ts';
import { openLabelChoices, type ChoiceScope } from '../../../../app/catalogue/lookup/label-choices.ts';
import { maxLabelChoices } from '../../../../app/contract/label-choices.ts';
import { unitsOfMeasure } from '../../../../app/domain/units.ts';
import { Database } from '../../../../app/storage/database.ts';
import { queueMigrations } from '../../../../app/terminal/workspace/queue-migrations.ts';
import { temporaryDirectory } from '../../../support/temporary.ts';
import { id, stockOne, stockTwo } from '../catalogue-fixture.ts';
import { idsOf, label, prepare } from './lookup-fixture.ts';
import { listed } from '../../../support/listed.ts';

const weighed = ['2CCCC0KKKKKKV', '2CCCCCKKKKKKV'];
const priced = ['2CCCC0TTTTTTV', '2CCCCCTTTTTTV'];
const counted = ['2CCCC0QQQQQQV', '2CCCCCQQQQQQV'];
const shop: ChoiceScope = { platform: 'https://shop.example.com', companyId: id(7), stockIds: [stockOne] };

/** The label of item 1234, or 12340; every layout above reads both. */
const labelOf = (figure: number): string => label(`212340${String(figure).padStart(6, '0')}`);

const cheese = { id: 1, code: '1234', name: 'Queijo minas', unit: 'KG' };
const vinegar = { id: 2, code: '12340', name: 'Vinagre 750 ml', unit: 'GF' };
const ham = { id: 3, code: '12340', name: 'Presunto', unit: 'KG' };

const readOf = (answer: CatalogueAnswer) => (answer.kind === 'unreadable' ? undefined : answer.read);

async function queue(path = join(temporaryDirectory(), 'queue.db')) {
  const database = await Database.open(path, { kind: 'precious', migrations: queueMigrations });
  return { path, database, choices: (scope = shop) => openLabelChoices(database, scope) };
}

/** A lookup that learns, and a person who chooses. */
async function counter(elements: readonly unknown[], layouts: readonly string[] = weighed) {
  const { choices: open, database, path } = await queue();
  const choices = open();
  const setting = await prepare(elements, { layouts, labelChoices: choices });
  const scan = (figure: number): CatalogueAnswer => setting.lookup.find(labelOf(figure), 'scan');
  let at = 1000;
  return {
    ...setting,
    choices,
    queuePath: path,
    queueDatabase: database,
    scan,
    choose: (figure: number, productId: number): CatalogueAnswer | null => {
      const chosen = setting.lookup.choose(labelOf(figure), id(productId));
      if (chosen !== null) {
        choices.keep({ ...chosen.choice, at: (at += 1), email: 'ana@example.com' }, chosen.items);
      }
      return chosen?.answer ?? null;
    },
    /** The copy as the platform lists it now. */
    list: (now: readonly { readonly id: number }[]): void => {
      const gone = [1, 2, 3, 4].filter((one) => now.every((element) => element.id !== one)).map(id);
      for (const stock of setting.repository.stocks()) {
        setting.repository.writer.save(stock, listed(now), { pass: 2, seenSince: 2, askedAt: setting.clock.now() });
        setting.repository.writer.remove(stock, gone);
      }
    },
  };
}

describe('the unit of measure', () => {
  test('a weight means a product that is measured, or of an unknown unit, and never one that is counted (C7)', async () => {
    const alone = await counter([cheese, vinegar]);
    expect(idsOf(alone.scan(345))).toEqual(['1']);
    expect(readOf(alone.scan(345))).toMatchObject({
      layout: weighed[0],
      facts: [
        { kind: 'item', text: '1234' },
        { kind: 'netWeightKg', amount: 0.345 },
      ],
    });
    expect(readOf(alone.scan(345))).not.toHaveProperty('chosenAt');
    for (const unit of [null, 'CAIXOTE', 'LITRO', 'M']) {
      const open = await counter([{ ...cheese, unit }, ham]);
      expect(idsOf(open.scan(345)).toSorted(), String(unit)).toEqual(['1', '3']);
    }
  });

  test('pieces mean a product that is counted (C7)', async () => {
    const { scan } = await counter([cheese, vinegar], counted);
    expect(idsOf(scan(3))).toEqual(['2']);
  });

  test('a price rules nothing out, but what is measured stands first (C7)', async () => {
    const { scan } = await counter(
      [
        { ...vinegar, code: '1234' },
        { ...cheese, code: '12340' },
      ],
      priced,
    );
    const answer = scan(345);
    expect(answer.kind).toBe('several');
    expect(idsOf(answer)).toEqual(['1', '2']);
  });

  test('where only the unit speaks against it, a person is asked, and what they choose is learnt', async () => {
    const { scan, choose } = await counter([vinegar]);
    expect(scan(345)).toMatchObject({ kind: 'several', read: { doubt: 'unit' } });
    expect(idsOf(scan(345))).toEqual(['2']);
    choose(345, 2);
    expect(scan(700)).toMatchObject({ kind: 'found', read: { chosenAt: 1001 } });
  });

  test('what an earlier step found stays possible whatever its unit: another product’s id is no answer', async () => {
    const { scan } = await counter([
      { ...vinegar, code: '1234' },
      { id: 1234, code: 'X', name: 'Outro', unit: 'KG' },
    ]);
    expect(scan(345).kind).toBe('several');
    expect(idsOf(scan(345)).toSorted()).toEqual(['1234', '2']);
  });

  test('a product that one stock lists by weight and another by the piece stays possible', async () => {
    const setting = await prepare([], { layouts: weighed, stockIds: [stockOne, stockTwo] });
    for (const [place, stock] of setting.repository.stocks().entries()) {
      setting.repository.writer.save(stock, listed([{ ...cheese, unit: place === 0 ? 'UNID' : 'KG' }, vinegar]), {
        pass: 1,
        seenSince: 1,
        askedAt: setting.clock.now(),
      });
    }
    expect(idsOf(setting.lookup.find(labelOf(345), 'scan'))).toEqual(['1', '1']);
  });

  test('of each listed unit it is told whether it is measured', () => {
    const measured = Object.entries(unitsOfMeasure).flatMap(([code, { isMeasured }]) => (isMeasured ? [code] : []));
    expect(measured.toSorted()).toEqual(
      ['CM', 'CM2', 'GALAO', 'GRAMAS', 'K', 'KG', 'LITRO', 'M', 'M2', 'M3', 'ML', 'MWH', 'TON'].toSorted(),
    );
  });
});

describe('what was chosen', () => {
  test('answers the next label of any figure, keeps what the label says, and is told as such (C8)', async () => {
    const { scan, choose, lookup } = await counter([cheese, ham]);
    expect(scan(345)).toMatchObject({ kind: 'several', read: { layout: null, facts: [] } });
    const chosen = choose(345, 1);
    expect(chosen).toMatchObject({
      kind: 'found',
      read: { layout: weighed[0], facts: [{ kind: 'item' }, { kind: 'netWeightKg', amount: 0.345 }] },
    });
    expect(lookup.recent()).toMatchObject([{ text: labelOf(345), answer: 'found', hit: { productId: '1' } }]);
    expect(scan(712)).toMatchObject({
      kind: 'found',
      read: { chosenAt: 1001, facts: [{ kind: 'item' }, { kind: 'netWeightKg', amount: 0.712 }] },
    });
    expect(idsOf(scan(712))).toEqual(['1']);
    expect(idsOf(lookup.identify(labelOf(9), 'scan'))).toEqual(['1']);
    expect(idsOf(lookup.peek(labelOf(9)))).toEqual(['1']);
    // Both can still be seen and chosen.
    expect(idsOf(lookup.findChoices(labelOf(712))).toSorted()).toEqual(['1', '3']);
  });

  test('also of two products with the same code, by one layout', async () => {
    const { scan, choose } = await counter([cheese, { ...ham, code: '1234' }], [weighed[0] ?? '']);
    // The label's facts are true of either.
    expect(scan(345)).toMatchObject({ kind: 'several', read: { facts: [{ kind: 'item' }, { amount: 0.345 }] } });
    choose(345, 3);
    expect(idsOf(scan(500))).toEqual(['3']);
  });

  test('a product that the label does not lead to is not learnt', async () => {
    const { choose, choices } = await counter([cheese, ham, { id: 9, code: 'Z', name: 'Outro' }]);
    expect(choose(345, 9)).toBeNull();
    expect(choices.list()).toEqual([]);
  });

  test('chosen otherwise, the newer one holds, by whichever layout (S3)', async () => {
    const { scan, choose, choices } = await counter([cheese, ham]);
    choose(345, 1);
    choose(345, 3);
    expect(idsOf(scan(9))).toEqual(['3']);
    expect(choices.list()).toHaveLength(1);
    choose(345, 1);
    expect(idsOf(scan(9))).toEqual(['1']);
  });

  test('with another product than there were to choose from it is asked anew (S1)', async () => {
    const { scan, choose, list } = await counter([cheese, ham]);
    choose(345, 1);
    list([cheese, { id: 4, code: '12340', name: 'Salame', unit: 'KG' }]);
    expect(scan(345)).toMatchObject({ kind: 'several' });
    expect(idsOf(scan(345)).toSorted()).toEqual(['1', '4']);
    // Fewer products than there were to choose from ask nothing.
    list([cheese]);
    expect(idsOf(scan(345))).toEqual(['1']);
  });

  test('what is left over never answers for a product that has gone (S2)', async () => {
    const { scan, choose, list } = await counter([cheese, ham]);
    choose(345, 1);
    list([ham]);
    expect(scan(345)).toMatchObject({ kind: 'several', read: { doubt: 'gone' } });
    expect(idsOf(scan(345))).toEqual(['3']);
    // A copy that begins anew has it again.
    list([cheese, ham]);
    expect(idsOf(scan(345))).toEqual(['1']);
    list([ham]);
    choose(345, 3);
    expect(scan(500)).toMatchObject({ kind: 'found' });
    expect(readOf(scan(500))).not.toHaveProperty('doubt');
  });

  test('a product that is now sold by the piece is asked about again (S2)', async () => {
    const { scan, choose, list } = await counter([cheese, ham]);
    choose(345, 1);
    list([{ ...cheese, unit: 'UNID' }, ham]);
    expect(scan(345)).toMatchObject({ kind: 'several', read: { doubt: 'gone' } });
    list([{ ...cheese, unit: 'GRAMAS' }, ham]);
    expect(idsOf(scan(345))).toEqual(['1']);
  });

  test('forgotten, the label is asked about again', async () => {
    const { scan, choose, choices } = await counter([cheese, ham]);
    choose(345, 1);
    const [kept] = choices.list();
    choices.forget(kept ?? { layout: '', item: '' });
    expect(scan(345).kind).toBe('several');
  });

  test('is on disk, and not in the copy', async () => {
    const { choose, queueDatabase, queuePath } = await counter([cheese, ham]);
    choose(345, 1);
    queueDatabase.close();
    const again = await queue(queuePath);
    const { lookup } = await prepare([cheese, ham], { layouts: weighed, labelChoices: again.choices() });
    expect(idsOf(lookup.find(labelOf(345), 'scan'))).toEqual(['1']);
  });
});

describe('whose it is', () => {
  const choice = {
    layout: weighed[0] ?? '',
    item: '1234',
    productId: id(1),
    among: [id(1), id(3)],
    isOfUnit: true,
    at: 5,
    email: 'ana@example.com',
  };

  test.each<[string, Partial<ChoiceScope>]>([
    ['company', { companyId: id(8) }],
    ['platform', { platform: 'https://other.example.com' }],
    ['stock', { stockIds: [stockTwo] }],
  ])("another %s's labels are asked about", async (_name, other) => {
    const { choices } = await queue();
    choices().keep(choice, [choice]);
    expect(choices({ ...shop, ...other }).find([choice])).toEqual([]);
    expect(choices().find([choice])).toEqual([choice]);
  });

  test('a profile of several stocks has one choice; where theirs differ, the label is asked about (S3)', async () => {
    const { choices } = await queue();
    const both = { ...shop, stockIds: [stockOne, stockTwo] };
    choices(both).keep(choice, [choice]);
    expect(choices(both).list()).toEqual([choice]);
    choices({ ...shop, stockIds: [stockTwo] }).keep({ ...choice, productId: id(3), at: 6 }, [choice]);
    const { lookup } = await prepare([cheese, ham], { layouts: weighed, labelChoices: choices(both) });
    expect(lookup.find(labelOf(345), 'scan').kind).toBe('several');
    choices(both).keep({ ...choice, at: 7 }, [choice]);
    expect(choices({ ...shop, stockIds: [stockTwo] }).find([choice])).toMatchObject([{ productId: '1' }]);
  });

  test('of more than can be kept the oldest goes', async () => {
    const { choices, database } = await queue();
    choices().keep({ ...choice, item: '1', at: 1 }, []);
    database.exec(
      `INSERT INTO label_choices SELECT platform, company_id, stock_id, layout, value, product_id, among, is_of_unit, value, email
       FROM label_choices JOIN (
         WITH RECURSIVE numbers(value) AS (
           SELECT 2 UNION ALL SELECT value + 1 FROM numbers WHERE value < ${maxLabelChoices}
         )
         SELECT value FROM numbers
       )`,
    );
    const open = choices();
    for (const at of [maxLabelChoices + 1, maxLabelChoices + 2]) {
      open.keep({ ...choice, item: String(at), at }, []);
    }
    expect(open.list()).toHaveLength(maxLabelChoices);
    expect(open.find([{ ...choice, item: '2' }])).toEqual([]);
    expect(open.find([{ ...choice, item: '3' }])).toHaveLength(1);
  });

  test('what a failing disk has altered is no choice, and hides no other', async () => {
    const { choices, database } = await queue();
    choices().keep(choice, [choice]);
    choices().keep({ ...choice, item: '77' }, []);
    database.exec("UPDATE label_choices SET among = '[1' WHERE item = '1234'");
    expect(choices().list()).toMatchObject([{ item: '77' }]);
  });
});

test('what is kept of many stocks is read in proportion to it', async () => {
  const { database, choices } = await queue();
  database.exec(
    `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 20000)
     INSERT INTO label_choices (platform, company_id, stock_id, layout, item, product_id, among, is_of_unit, chosen_at, email)
     SELECT '${shop.platform}', '7', '11', '2CCCCCKKKKKKV', n, n, '[]', 0, n, 'ana@example.com' FROM numbers`,
  );
  const begun = performance.now();
  expect(choices().list()).toHaveLength(20_000);
  // Where each is compared with each it takes tens of seconds.
  expect(performance.now() - begun).toBeLessThan(3_000);
  database.close();
});
