// The counts of scenes: the real ones over a database of each scene and the copy of a scene.
import { join } from 'node:path';
import type { StocktakeLine } from '../../app/contract/stocktakes.ts';
import type { Id } from '../../app/domain/int64.ts';
import type { Clock } from '../../app/ports.ts';
import { createStocktakeHandlers } from '../../app/stocktakes/calls.ts';
import type { Subject } from '../../app/stocktakes/lines.ts';
import { stocktakeMigrations } from '../../app/stocktakes/migrations.ts';
import { openStocktakeRepository, type StocktakeRepository } from '../../app/stocktakes/repository.ts';
import { createStocktakes } from '../../app/stocktakes/stocktakes.ts';
import { Database } from '../../app/storage/database.ts';
import type { Scene } from './fake-bridge.ts';
import { openSceneCopy } from './scene-catalogue.ts';
import type { ScenePart } from './scene-queue.ts';

const shop = { platform: 'https://platform.example.com', companyId: '7' as Id, stockIds: ['11' as Id] };

/** Counts that line, and once before against another figure where that has moved since. */
function addLine({ lines }: StocktakeRepository, id: number, line: StocktakeLine): void {
  const { productId, code, name, unit, miss, quantity, figure, figureAsOf, countedAt, countedBy } = line;
  const subject: Subject =
    productId === null
      ? { productId, code: code ?? '', miss: miss ?? 'unknown' }
      : { productId, code, name: name ?? '', unit };
  const shown = { amount: figure, asOf: figureAsOf };
  if (quantity === null) {
    lines.expect(id, [{ subject, figure: shown }]);
    return;
  }
  const entry = { at: countedAt ?? 0, email: countedBy, text: code ?? '' };
  if (line.hasFigureMoved) {
    lines.add(id, subject, { ...entry, quantity: 0, figure: { ...shown, amount: (figure ?? 0) + 1 } });
  }
  lines.add(id, subject, { ...entry, quantity, figure: shown });
}

/** The first of them becomes the newest. */
async function keepCounts(path: string, { stocktakes = [], lines = [] }: Scene): Promise<void> {
  const database = await Database.open(path, { kind: 'precious', migrations: stocktakeMigrations });
  const repository = openStocktakeRepository(database, shop);
  database.transaction(() => {
    for (const count of stocktakes.toReversed()) {
      const { startedAt, startedBy, closedAt } = count;
      const prepared = repository.prepare({ ...count, at: startedAt, email: startedBy });
      if (!prepared.ok) {
        throw new Error(`more counts than can be kept: ${prepared.failure.kind}`);
      }
      const id = prepared.value;
      lines.toReversed().forEach((line) => addLine(repository, id, line));
      if (closedAt === null) {
        repository.open(id);
      } else {
        repository.close(id, closedAt);
      }
    }
  });
  database.close();
}

/** Opens them in this folder. */
export async function openCounts(
  folder: string,
  clock: Clock,
  scene: Scene,
  complain: (words: string) => void,
): Promise<ScenePart> {
  const path = join(folder, 'stocktakes.db');
  await keepCounts(path, scene);
  const stocktakes = createStocktakes({
    path,
    shop,
    clock,
    pause: () => Promise.resolve(true),
    onSetAside: complain,
    onChange: () => undefined,
  });
  const copy = await openSceneCopy(join(folder, 'counted.db'), clock, { ...scene, stockRows: 7 });
  const catalogue = { ...copy, state: () => scene.state.catalogue };
  const open = { stocktakes, catalogue, session: { state: () => scene.state.session } };
  return {
    handlers: createStocktakeHandlers((action) => Promise.resolve(action(open)), clock),
    close: async () => {
      await stocktakes.close();
      copy.close();
      await copy.released();
    },
  };
}
