// The proof that spoiled answers never become wrong data: they go through the app's own client into real files, and
// after each one every row is sound, and what the answer did not name is as it was.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openCatalogueRepository } from '../../../../app/catalogue/repository/repository.ts';
import { idSchema } from '../../../../app/contract/basics.ts';
import { productCardSchema, productHitSchema } from '../../../../app/contract/products.ts';
import { openCouponRepository, type CouponSettingRow } from '../../../../app/coupons/repository.ts';
import type { Id } from '../../../../app/domain/int64.ts';
import { openQueueDatabase } from '../../../support/queue-database.ts';
import { temporaryDirectory } from '../../../support/temporary.ts';
import { balances, couponLists, errors, listings } from './answers.ts';
import { id, openFuzzedPlatform, spoiledAnswer } from './platform.ts';
import { isNight } from '../../../support/night.ts';
import { createSeededRandom } from '../../../support/seeded-random.ts';
import { listed } from '../../../support/listed.ts';

const answersEach = isNight ? 2_000 : 300;
/** All rows are looked through after this many answers, and those that were named after each. */
const lookEvery = 100;
const timeLimitMs = 240_000;

const person = { lane: 'person' } as const;
const stockId = id('1');
const cardSchema = productCardSchema.omit({ coupon: true, minimum: true });

/** Products that no answer names: all of it must stay as it is. */
const witnesses = Array.from({ length: 5 }, (_unused, place) => ({
  id: 700_000_000_000_001n + BigInt(place),
  name: `Testemunha ${place}`,
  sku: `TS-${place}`,
  barcode: `95200000${place}0000`,
  unit: 'UNID',
  balance: place - 2,
  options: [{ name: 'M', balance: 1 }],
}));

test(
  '2,000 spoiled pages of the listing',
  async () => {
    const platform = openFuzzedPlatform();
    const { repository } = await openCatalogueRepository({
      path: join(temporaryDirectory(), 'catalogue.db'),
      fingerprint: 'https://platform.example.com 42',
      stockIds: [stockId, id('2')],
      now: () => Date.UTC(2100, 0),
    });
    const [stock, other] = repository.stocks();
    if (stock === undefined || other === undefined) {
      expect.fail('no stock');
    }
    const options = { pass: 1, seenSince: 1, askedAt: 1_000_000 };
    const { productIds: witnessIds } = repository.writer.save(stock, listed(witnesses), options);
    repository.writer.save(other, listed(witnesses), options);
    const cardOf = (productId: Id, inStock = stockId) => {
      const row = repository.reader.find(inStock, productId);
      return row === null ? null : repository.reader.card(row);
    };
    // The name of the stock itself is told by any element, and shown with all of them.
    const cardsOfWitnesses = () =>
      witnessIds.flatMap((productId) => [{ ...cardOf(productId), stockName: null }, cardOf(productId, other.stockId)]);
    const before = cardsOfWitnesses();
    expect(before.every((card) => cardSchema.safeParse(card).success)).toBe(true);

    const named = new Set<Id>(witnessIds);
    let saved = 0;
    for (let seed = 0; seed < answersEach; seed += 1) {
      platform.answer = spoiledAnswer(createSeededRandom(String(seed)), listings, errors);
      const page = await platform.client.listStockProducts({ stockId, page: 1, perPage: 3 }, person);
      if (!page.ok) {
        continue;
      }
      const { productIds } = repository.writer.save(stock, page.value.elements.slice(0, 100), {
        pass: 2 + seed,
        seenSince: 2 + seed,
        askedAt: 2_000_000 + seed,
      });
      saved += 1;
      for (const productId of productIds) {
        named.add(productId);
        const card = cardOf(productId);
        const parsed = cardSchema.safeParse(card);
        if (
          !idSchema.safeParse(productId).success ||
          !parsed.success ||
          card?.productId !== productId ||
          card.stockId !== stockId
        ) {
          expect.fail(
            `page ${seed}, product ${productId}: ${parsed.error?.message ?? ''}\n${platform.answer.body.slice(0, 500)}`,
          );
        }
      }
      if (seed % lookEvery === 0) {
        expect(cardsOfWitnesses(), `page ${seed}`).toEqual(before);
      }
    }
    expect(cardsOfWitnesses()).toEqual(before);
    expect(repository.stocks().map(({ copied }) => copied)).toEqual([named.size, witnessIds.length]);
    expect(saved).toBeGreaterThan(answersEach / 4);
    // Whatever it is called, it can be searched for, and what is found can be shown.
    for (const text of ['cafe', 'c', '9520', 'manga', '\u202e', '__proto__', '"', 'null', '%']) {
      const hits = repository.search.search(text, 50).map((row) => repository.reader.hit(row));
      expect(
        hits.every((hit) => productHitSchema.safeParse(hit).success),
        text,
      ).toBe(true);
    }
    repository.close();
  },
  timeLimitMs,
);

test(
  '2,000 spoiled balances',
  async () => {
    const platform = openFuzzedPlatform();
    const { repository } = await openCatalogueRepository({
      path: join(temporaryDirectory(), 'catalogue.db'),
      fingerprint: 'https://platform.example.com 42',
      stockIds: [stockId],
      now: () => Date.UTC(2100, 0),
    });
    const [stock] = repository.stocks();
    if (stock === undefined) {
      expect.fail('no stock');
    }
    const productId = id('11');
    repository.writer.save(
      stock,
      listed([...witnesses, { id: 11, name: 'Café torrado', balance: 1, options: [{ name: 'M', balance: 1 }] }]),
      { pass: 1, seenSince: 1, askedAt: 1_000_000 },
    );
    const cardOf = (product: Id) => repository.reader.card(repository.reader.find(stockId, product) ?? -1);
    const cardsOfWitnesses = () => witnesses.map((witness) => cardOf(id(String(witness.id))));
    const before = cardsOfWitnesses();
    for (let seed = 0; seed < answersEach; seed += 1) {
      platform.answer = spoiledAnswer(createSeededRandom(String(seed)), balances, errors);
      const was = cardOf(productId);
      const answer = await platform.client.readBalance({ stockId, productId }, person);
      if (answer.ok) {
        const { balance: amount, options } = answer.value;
        repository.writer.saveBalance(stock, productId, { amount, options, asOf: 2_000_000 + seed });
        const card = cardOf(productId);
        if (
          !cardSchema.safeParse(card).success ||
          card?.balance.amount !== amount ||
          card.balance.asOf !== 2_000_000 + seed
        ) {
          expect.fail(`balance ${seed}: ${JSON.stringify(card?.balance)}\n${platform.answer.body.slice(0, 500)}`);
        }
        expect({ ...card, balance: null, options: null }).toEqual({ ...was, balance: null, options: null });
      } else if (seed % lookEvery === 0) {
        expect(cardOf(productId)).toEqual(was);
      }
    }
    expect(cardsOfWitnesses()).toEqual(before);
    repository.close();
  },
  timeLimitMs,
);

test(
  '2,000 spoiled lists of coupon settings',
  async () => {
    const platform = openFuzzedPlatform();
    const database = await openQueueDatabase(temporaryDirectory());
    const repository = openCouponRepository(database);
    const scope = { platform: 'https://platform.example.com', companyId: id('42') };
    const elsewhere = { ...scope, companyId: id('43') };
    const rest = (): Promise<boolean> => Promise.resolve(true);
    const sorted = (rows: readonly CouponSettingRow[]) =>
      rows.toSorted((left, right) => (left.productId < right.productId ? -1 : 1));
    await repository.replaceAll(
      elsewhere,
      [{ productId: id('11'), isEnabled: true }],
      { mark: 0, number: 0, leftMs: 0 },
      1,
      rest,
    );
    // Delivered after all of these readings were asked for: none of them may undo it.
    repository.confirm(scope, [{ productId: id('700000000000001'), isEnabled: true }], answersEach + 1);
    for (let seed = 0; seed < answersEach; seed += 1) {
      platform.answer = spoiledAnswer(createSeededRandom(String(seed)), couponLists, errors);
      const was = sorted(repository.list(scope));
      const answer = await platform.client.listCouponSettings({}, { lane: 'queue' });
      if (answer.ok) {
        await repository.replaceAll(scope, answer.value, { mark: seed, number: seed, leftMs: 0 }, 2 + seed, rest);
        const expected = new Map(answer.value.map((setting) => [setting.productId, setting]));
        expected.set(id('700000000000001'), { productId: id('700000000000001'), isEnabled: true });
        const rows = sorted(repository.list(scope));
        if (
          rows.some(({ productId }) => !idSchema.safeParse(productId).success) ||
          JSON.stringify(rows) !== JSON.stringify(sorted([...expected.values()]))
        ) {
          expect.fail(`list ${seed}: ${JSON.stringify(rows)}\n${platform.answer.body.slice(0, 500)}`);
        }
      } else if (seed % lookEvery === 0) {
        expect(sorted(repository.list(scope))).toEqual(was);
      }
    }
    expect(repository.list(elsewhere)).toEqual([{ productId: '11', isEnabled: true }]);
    database.close();
  },
  timeLimitMs,
);

test('what was spoiled is still mostly read: the proofs above are about data, not about refusals', async () => {
  const platform = openFuzzedPlatform();
  let read = 0;
  for (let seed = 0; seed < 1_000; seed += 1) {
    platform.answer = spoiledAnswer(
      createSeededRandom(String(seed)),
      [createSeededRandom(String(seed)).pick(balances)],
      errors,
    );
    read += (await platform.client.readBalance({ stockId, productId: id('11') }, person)).ok ? 1 : 0;
  }
  expect(read).toBeGreaterThan(250);
});
