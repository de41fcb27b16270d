// Counts the same product again and again, and says so each time that it is on disk, until it is killed.
import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { createNodeClock } from '../../app/hosts/node/node-ports.ts';
import type { Id } from '../../app/domain/int64.ts';
import { succeed } from '../../app/domain/result.ts';
import { createStocktakes } from '../../app/stocktakes/stocktakes.ts';

const [directory = ''] = process.argv.slice(2);
const clock = createNodeClock();
const stocktakes = createStocktakes({
  path: join(directory, 'stocktakes.db'),
  shop: { platform: 'https://platform.example.com', companyId: '7' as Id, stockIds: ['11' as Id] },
  clock,
  pause: () => Promise.resolve(true),
  onSetAside: () => {
    throw new Error('a count was damaged');
  },
  onChange: () => undefined,
});

const opened = await stocktakes.use((repository) => {
  const known = repository.list(0, 1).rows[0]?.id;
  if (known !== undefined) {
    return succeed(known);
  }
  const at = clock.now();
  const prepared = repository.prepare({
    name: 'x',
    stockId: '11' as Id,
    stockName: null,
    filter: null,
    at,
    email: null,
  });
  if (prepared.ok) {
    repository.open(prepared.value);
  }
  return prepared;
});
const id = opened.ok ? opened.value : 0;
for (;;) {
  const added = await stocktakes.use(({ lines }) =>
    lines.add(
      id,
      { productId: '1' as Id, code: 'A-1', name: 'Produto 1', unit: 'UNID' },
      { at: clock.now(), email: null, figure: { amount: 5, asOf: 1 }, text: 'A-1', quantity: 1 },
    ),
  );
  // It waits where the test reads slowly: what is queued in this process would go with it.
  writeSync(1, `counted ${added.ok ? String(added.value.quantity) : added.failure.kind}\n`);
}
