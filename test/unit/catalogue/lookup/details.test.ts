// The proof of how a product's details are asked for, withdrawn and kept; the invariants are those of
// app/catalogue/lookup/details.ts.
import { expect, test } from 'vitest';
import { openDetails, type Details } from '../../../../app/catalogue/lookup/details.ts';
import type { CatalogueRepository } from '../../../../app/catalogue/repository/repository.ts';
import { keptDetailsSchema } from '../../../../app/contract/details.ts';
import type { ProductBatches } from '../../../../app/contract/batches.ts';
import type { Failure } from '../../../../app/domain/failure.ts';
import { fail, succeed, type Result } from '../../../../app/domain/result.ts';
import type { BalanceAnswer, CallOptions } from '../../../../app/platform/client.ts';
import type { BalanceQuery, BatchesQuery } from '../../../../app/platform/query.ts';
import { settlePromises, type ManualClock } from '../../../support/manual-clock.ts';
import { createClock, FakePlatform, id, noProduct, openRepository, stockOne, stockTwo } from '../catalogue-fixture.ts';
import { listed } from '../../../support/listed.ts';

const product = id(1);
const small = id(501);
const large = id(502);
const figures = { in: 30, out: -18, all: 12 } as const;

const batches: ProductBatches = {
  product: { ...noProduct, id: product },
  optionNames: 'P G',
  total: 1,
  batches: [
    {
      facts: [{ kind: 'date', name: 'expires_at', value: '2026-01-31' }],
      expiresOn: { name: 'expires_at', day: '2026-01-31' },
      quantity: null,
      lot: null,
    },
  ],
};

/** Answers by movement type, and holds every question until the test lets it go. */
class DetailsPlatform extends FakePlatform {
  readonly questions: (BalanceQuery | BatchesQuery)[] = [];
  readonly waiting: (() => void)[] = [];
  isHolding = false;
  failMovement: BalanceQuery['movementType'] | null = null;

  async #hold(question: BalanceQuery | BatchesQuery, { lane, whileWanted }: CallOptions): Promise<boolean> {
    this.questions.push(question);
    this.lanes.push(lane);
    if (this.isHolding) {
      await new Promise<void>((resolve) => {
        this.waiting.push(resolve);
        whileWanted?.addEventListener('abort', () => resolve(), { once: true });
      });
    }
    return whileWanted?.aborted !== true;
  }

  override async readBalance(query: BalanceQuery, options: CallOptions): Promise<Result<BalanceAnswer, Failure>> {
    if (!(await this.#hold(query, options))) {
      return fail({ kind: 'cancelled' });
    }
    const { stockId, productId, movementType = 'all' } = query;
    if (movementType === this.failMovement) {
      return fail({ kind: 'platformFailed', status: 500 });
    }
    const chosen = query.optionIds ?? [];
    const named = [
      { name: 'P', amount: figures[movementType] - 2, ids: [small] },
      ...(movementType === 'out' ? [] : [{ name: 'G', amount: 2, ids: [large] }]),
    ];
    return succeed({
      stock: { id: stockId, name: 'Loja Centro' },
      product: { ...noProduct, id: productId },
      balance: figures[movementType],
      options: named.filter(({ ids }) => chosen.length === 0 || ids.some((one) => chosen.includes(one))),
    });
  }

  override async listBatches(query: BatchesQuery, options: CallOptions): Promise<Result<ProductBatches, Failure>> {
    return (await this.#hold(query, options)) ? succeed(batches) : fail({ kind: 'cancelled' });
  }
}

async function prepare(): Promise<{
  platform: DetailsPlatform;
  details: Details;
  repository: CatalogueRepository;
  clock: ManualClock;
  scan: () => void;
}> {
  const clock = createClock();
  const platform = new DetailsPlatform(clock);
  const { repository } = await openRepository({ stockIds: [stockOne, stockTwo] });
  const [stock] = repository.stocks();
  if (stock === undefined) {
    expect.fail('no stock');
  }
  repository.writer.save(stock, listed([{ id: 1, name: 'Camiseta', balance: 5 }]), {
    pass: 1,
    seenSince: 1,
    askedAt: clock.now() - 1000,
  });
  let wanted = new AbortController();
  const scan = (): void => {
    wanted.abort();
    wanted = new AbortController();
  };
  return {
    platform,
    details: openDetails({
      repository,
      client: platform,
      clock,
      whileWanted: () => wanted.signal,
      onStored: () => undefined,
    }),
    repository,
    clock,
    scan,
  };
}

test('entries, exits and what is left are three calls in the lane of a waiting person, joined by option', async () => {
  const { details, platform, clock } = await prepare();
  expect(await details.readMovements(stockOne, product, [])).toEqual(
    succeed({
      ...figures,
      asOf: clock.now(),
      options: [
        { name: 'P', ids: [small], in: 28, out: -20, all: 10 },
        { name: 'G', ids: [large], in: 2, out: null, all: 2 },
      ],
    }),
  );
  expect(platform.questions.map((question) => ('movementType' in question ? question.movementType : null))).toEqual([
    'in',
    'out',
    'all',
  ]);
  expect(new Set(platform.lanes)).toEqual(new Set(['person']));
});

test('chosen options go into the question', async () => {
  const { details, platform } = await prepare();
  expect(await details.readMovements(stockOne, product, [large])).toMatchObject({
    ok: true,
    value: { options: [{ name: 'G' }] },
  });
  expect(await details.readBatches(stockOne, product, [large])).toMatchObject({ ok: true, value: { total: 1 } });
  expect(platform.questions.every(({ optionIds }) => optionIds?.join() === large)).toBe(true);
});

test('one call that fails is the failure of all three, and nothing is kept of it', async () => {
  const { details, platform } = await prepare();
  platform.failMovement = 'out';
  expect(await details.readMovements(stockOne, product, [])).toEqual(fail({ kind: 'platformFailed', status: 500 }));
  expect(details.readKept(stockOne, product)).toEqual({ movements: null, batches: null });
});

test('D1: the next lookup turns away what waits, and the same question afterwards is a new one', async () => {
  const { details, platform, scan } = await prepare();
  platform.isHolding = true;
  const asked = [details.readMovements(stockOne, product, []), details.readBatches(stockOne, product, [])];
  await settlePromises();
  scan();
  expect(await Promise.all(asked)).toEqual([fail({ kind: 'cancelled' }), fail({ kind: 'cancelled' })]);
  platform.isHolding = false;
  expect(await details.readMovements(stockOne, product, [])).toMatchObject({ ok: true });
});

test('D1: so does another choice of options, but not the batches of the same choice', async () => {
  const { details, platform } = await prepare();
  platform.isHolding = true;
  const all = details.readMovements(stockOne, product, []);
  const batchesOfAll = details.readBatches(stockOne, product, []);
  await settlePromises();
  expect(platform.questions).toHaveLength(4);
  const chosen = details.readMovements(stockOne, product, [small]);
  expect(await all).toEqual(fail({ kind: 'cancelled' }));
  expect(await batchesOfAll).toEqual(fail({ kind: 'cancelled' }));
  platform.waiting.forEach((go) => go());
  expect(await chosen).toMatchObject({ ok: true });
});

test('D2: the same question asked twice at a time is sent once, and again afterwards', async () => {
  const { details, platform } = await prepare();
  const [one, other] = await Promise.all([
    details.readBatches(stockOne, product, [small, large]),
    details.readBatches(stockOne, product, [large, small]),
  ]);
  expect(one).toBe(other);
  expect(platform.questions).toHaveLength(1);
  await details.readBatches(stockOne, product, [small, large]);
  expect(platform.questions).toHaveLength(2);
});

test('D3: what is left of all options together is a live figure of the copy; of a choice it is not', async () => {
  const { details, repository, clock } = await prepare();
  const card = () => repository.reader.card(repository.reader.find(stockOne, product) ?? -1);
  await details.readMovements(stockOne, product, [small]);
  expect(card()?.balance).toMatchObject({ amount: 5, source: 'listing' });
  await details.readMovements(stockOne, product, []);
  expect(card()).toMatchObject({
    stockName: 'Loja Centro',
    balance: { amount: 12, asOf: clock.now(), source: 'live' },
    options: [
      { name: 'P', amount: 10 },
      { name: 'G', amount: 2 },
    ],
  });
  expect(card()?.options.every((option) => Object.keys(option).length === 2)).toBe(true);
});

test('D3: a reading that comes late neither replaces a newer figure nor passes for newer than it is', async () => {
  const { details, platform, repository, clock } = await prepare();
  const [stock] = repository.stocks();
  if (stock === undefined) {
    expect.fail('no stock');
  }
  const balance = () => repository.reader.card(repository.reader.find(stockOne, product) ?? -1)?.balance;
  const askedAt = clock.now();
  platform.isHolding = true;
  const asked = details.readMovements(stockOne, product, []);
  await settlePromises();
  clock.sleep(20_000);
  repository.writer.saveBalance(stock, product, { amount: 2, options: [], asOf: clock.now() });
  clock.sleep(20_000);
  platform.waiting.forEach((go) => go());
  expect(await asked).toMatchObject({ ok: true, value: { ...figures, asOf: askedAt } });
  expect(balance()).toEqual({ amount: 2, asOf: askedAt + 20_000, source: 'live' });
  platform.isHolding = false;
  await details.readMovements(stockOne, product, []);
  expect(balance()).toEqual({ amount: 12, asOf: askedAt + 40_000, source: 'live' });
});

test('D4: the last answers are kept with their moment, one per product and stock, none about a choice', async () => {
  const { details, clock } = await prepare();
  await details.readMovements(stockOne, product, [small]);
  await details.readBatches(stockOne, product, [small]);
  expect(details.readKept(stockOne, product)).toEqual({ movements: null, batches: null });
  await details.readBatches(stockOne, product, []);
  clock.sleep(60_000);
  await details.readBatches(stockOne, product, []);
  await details.readMovements(stockOne, product, []);
  const kept = details.readKept(stockOne, product);
  expect(keptDetailsSchema.parse(kept)).toEqual({
    movements: expect.objectContaining(figures),
    batches: { ...batches, asOf: clock.now() },
  });
  expect(details.readKept(stockTwo, product)).toEqual({ movements: null, batches: null });
});

test('the oldest of more than 2,000 kept answers goes, and one that cannot be read is none', async () => {
  const { details, repository } = await prepare();
  await details.readBatches(stockOne, product, []);
  repository.transaction(() => {
    for (let other = 2; other <= 2001; other += 1) {
      repository.keptAnswers.keep('batches', stockOne, id(other), { is: 'of another version' });
    }
  });
  expect(details.readKept(stockOne, product).batches).toBeNull();
  expect(details.readKept(stockOne, id(2001)).batches).toBeNull();
});

test('an answer that comes after the store was closed is notReady', async () => {
  const { details, platform, repository } = await prepare();
  platform.isHolding = true;
  const asked = [details.readMovements(stockOne, product, []), details.readBatches(stockOne, product, [])];
  await settlePromises();
  repository.close();
  platform.waiting.forEach((go) => go());
  expect(await Promise.all(asked)).toEqual([fail({ kind: 'notReady' }), fail({ kind: 'notReady' })]);
});
