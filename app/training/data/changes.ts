import type { TrainingRepository } from './repository.ts';

interface ProductEdit {
  readonly name: string | null;
  readonly isRemoved: boolean;
  readonly changedAt: number;
}

export class Changes {
  readonly #repository: TrainingRepository;
  readonly #amounts = new Map<string, { amount: number; changedAt: number }>();
  readonly #edits = new Map<number, ProductEdit>();
  /** Rises with every change of a name. */
  nameRevision = 0;
  readonly #indexes = new Set<number>();

  constructor(repository: TrainingRepository) {
    this.#repository = repository;
    for (const change of repository.listBalanceChanges()) {
      this.#amounts.set(`${change.stockId}/${change.productIndex}`, change);
      this.#indexes.add(change.productIndex);
    }
    for (const change of repository.listProductChanges()) {
      this.#edits.set(change.productIndex, { ...change, isRemoved: change.isRemoved === 1 });
      this.#indexes.add(change.productIndex);
    }
  }

  /** Every product that has been changed in any way. */
  get indexes(): ReadonlySet<number> {
    return this.#indexes;
  }

  get hasRemovals(): boolean {
    return this.#edits.values().some((edit) => edit.isRemoved);
  }

  amountOf(stockId: string, index: number): number | undefined {
    return this.#amounts.get(`${stockId}/${index}`)?.amount;
  }

  nameOf(index: number): string | null {
    return this.#edits.get(index)?.name ?? null;
  }

  isRemoved(index: number): boolean {
    return this.#edits.get(index)?.isRemoved ?? false;
  }

  /** When the product or its quantity in the stock was last changed; undefined when never. */
  changedAt(stockId: string, index: number): number | undefined {
    if (!this.#indexes.has(index)) {
      return undefined;
    }
    const amountAt = this.#amounts.get(`${stockId}/${index}`)?.changedAt;
    const editAt = this.#edits.get(index)?.changedAt;
    return amountAt === undefined ? editAt : Math.max(amountAt, editAt ?? amountAt);
  }

  changeAmount(stockId: string, index: number, amount: number, at: number): void {
    this.#repository.writeBalanceChange({ stockId, productIndex: index, amount, changedAt: at });
    this.#amounts.set(`${stockId}/${index}`, { amount, changedAt: at });
    this.#indexes.add(index);
  }

  edit(index: number, edit: { readonly name?: string; readonly isRemoved?: boolean }, at: number): void {
    const before = this.#edits.get(index);
    const next = {
      name: edit.name ?? before?.name ?? null,
      isRemoved: edit.isRemoved ?? before?.isRemoved ?? false,
      changedAt: at,
    };
    this.#repository.writeProductChange({
      productIndex: index,
      name: next.name,
      isRemoved: next.isRemoved ? 1 : 0,
      changedAt: at,
    });
    this.#edits.set(index, next);
    this.#indexes.add(index);
    this.nameRevision += edit.name === undefined ? 0 : 1;
  }
}
