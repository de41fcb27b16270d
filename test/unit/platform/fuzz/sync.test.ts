// The proof that no listing, whatever its pages say of themselves, keeps the copying busy without end, and that once
// the platform has come to its senses the copy is what the platform has.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openCatalogueRepository } from '../../../../app/catalogue/repository/repository.ts';
import { createSync } from '../../../../app/catalogue/sync/sync.ts';
import { writeJson } from '../../../../app/domain/json.ts';
import type { HttpResponse } from '../../../../app/ports.ts';
import { temporaryDirectory } from '../../../support/temporary.ts';
import { errors } from './answers.ts';
import { id, openFuzzedPlatform, spoiledAnswer } from './platform.ts';
import { isNight } from '../../../support/night.ts';
import { createSeededRandom } from '../../../support/seeded-random.ts';

const runs = isNight ? 6 : 2;
const perMinute = 57;
const spoiledMinutes = 20;
const timeLimitMs = 240_000;
const stockId = id('1');

const products = Array.from({ length: 250 }, (_unused, place) => ({
  id: 9007199254740993n + BigInt(place),
  code: `C-${String(place).padStart(4, '0')}`,
  name: `Produto ${place}`,
  balance: place - 5,
  unit_of_measure: { code: 'UNID' },
}));

/** The page of the whole listing that the address asks for; filters by ids, and knows nothing of changes. */
function pageOf(url: string): unknown {
  const query = new URL(url).searchParams;
  const ids = query.get('product_ids')?.split(',');
  const [page, perPage] = [Number(query.get('page')), Number(query.get('per_page'))];
  const listed = products.filter((product) => ids?.includes(String(product.id)) ?? true);
  const meta = {
    current_page: page,
    last_page: Math.max(1, Math.ceil(listed.length / perPage)),
    per_page: perPage,
    total: listed.length,
  };
  return { data: { stock_products: listed.slice((page - 1) * perPage, page * perPage) }, meta };
}

function sound(url: string): HttpResponse {
  return { status: 200, headers: { 'content-type': 'application/json' }, body: writeJson(pageOf(url)) };
}

test.each(Array.from({ length: runs }, (_unused, run) => run))(
  'run %i: spoiled pages for a while, then sound ones',
  async (run) => {
    const random = createSeededRandom(String(run));
    const platform = openFuzzedPlatform();
    const { clock } = platform;
    const { repository } = await openCatalogueRepository({
      path: join(temporaryDirectory(), 'catalogue.db'),
      fingerprint: 'https://platform.example.com 42',
      stockIds: [stockId],
      now: () => clock.now(),
    });
    const troubles: string[] = [];
    const sync = createSync({
      repository,
      client: platform.client,
      clock,
      random: { uuid: () => '', fraction: random.fraction },
      planning: {
        quietHours: () => ({ from: 22, to: 6 }),
        offsetMinutes: () => 0,
        perMinute: () => perMinute,
        forecastMs: (requests) => (requests * 60_000) / perMinute,
      },
      log: () => undefined,
      onStorageError: (error) => troubles.push(error.message),
    });
    // Half of the pages are sound in some runs, so that passes get far before they are led astray.
    const share = random.pick([0.3, 0.7, 1]);
    platform.answerTo = (url) => (random.chance(share) ? spoiledAnswer(random, [pageOf(url)], errors) : sound(url));
    sync.start();
    await clock.advance(spoiledMinutes * 60_000);
    const spoiledRequests = platform.steps / 2;
    expect(spoiledRequests).toBeGreaterThan(5);
    expect(spoiledRequests).toBeLessThan((spoiledMinutes + 2) * perMinute);

    platform.answerTo = sound;
    // The second one, for a first that disagrees with most of the copy is not believed (API v3 §4.3 says nothing of how
    // pages drift).
    for (let pass = 0; pass < 3; pass += 1) {
      sync.copyAgain();
      sync.resume();
      await clock.advance(15 * 60_000);
    }
    expect(sync.state().stocks).toMatchObject([{ copied: products.length, total: products.length }]);
    for (const { id: productId, name, code, balance } of products) {
      const row = repository.reader.find(stockId, id(String(productId)));
      expect(row === null ? null : repository.reader.hit(row)).toMatchObject({
        name,
        code,
        unit: 'UNID',
        balance: { amount: balance },
      });
    }
    expect([troubles, platform.openSlots]).toEqual([[], 0]);
    sync.stop();
    repository.close();
  },
  timeLimitMs,
);
