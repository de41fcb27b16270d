import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { StocktakeLine } from '../../../app/contract/stocktakes.ts';
import type { Id } from '../../../app/domain/int64.ts';
import type { Entry, Subject } from '../../../app/stocktakes/lines.ts';
import { openStocktakeRepository, type StocktakeRepository } from '../../../app/stocktakes/repository.ts';
import { Database } from '../../../app/storage/database.ts';
import { stocktakeMigrations } from '../../../app/stocktakes/migrations.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { valueOf } from '../../support/value-of.ts';

export const shop = { platform: 'https://platform.example.com', companyId: '7' as Id, stockIds: ['11' as Id] };
export const now = 1_800_000_000_000;

export const product = (number: number): Subject & { readonly productId: Id } => ({
  productId: String(number) as Id,
  code: `A-${number}`,
  name: `Produto ${number}`,
  unit: 'UNID',
});

/** Done at this moment, while the copy had this figure. */
export const entry = (amount: number | null, at = now): Entry => ({
  at,
  email: 'ana@example.com',
  figure: { amount, asOf: amount === null ? null : at - 60_000 },
});

export async function openDatabase(directory = temporaryDirectory()): Promise<Database> {
  const database = await Database.open(join(directory, 'stocktakes.db'), {
    kind: 'precious',
    migrations: stocktakeMigrations,
  });
  // These tests cut no power.
  database.exec('PRAGMA synchronous = OFF');
  onTestFinished(() => database.close());
  return database;
}

/** Begins a count in this store and answers its number. */
export function begin(repository: StocktakeRepository, name = 'Shelf 4'): number {
  const number = valueOf(
    repository.prepare({
      name,
      stockId: '11' as Id,
      stockName: 'Loja',
      filter: null,
      at: now,
      email: 'ana@example.com',
    }),
  );
  repository.open(number);
  return number;
}

/** Undoes what was counted last of all; the line as it is then, null where nothing is counted. */
export function undoNewest({ lines }: StocktakeRepository, id: number): StocktakeLine | null {
  const newest = lines.undo(id, null).line;
  return newest === null ? null : lines.undo(id, newest.step).line;
}

export async function openRepository(): Promise<StocktakeRepository> {
  return openStocktakeRepository(await openDatabase(), shop);
}
