// The asking for a product's details while a person looks at them: entries, exits and what is left (API v3 §4.4), and
// its entry batches (§4.5). Nobody asks unless a person has opened them.
//
//   D1  The next lookup, and another choice of product, stock or options, turns away whatever of this still waits for
//       its slot; what has left goes on.
//   D2  The same question asked twice is sent once.
//   D3  What is left of all options together is kept in the copy like any live figure (asked for later wins, see W2 of
//       product-writer.ts).
//   D4  Only answers about all options together are kept, so that a choice never stands for the whole.
import type { ProductBatches } from '../../contract/batches.ts';
import type { KeptDetails, OptionMovements, ProductMovements, ReadBatches } from '../../contract/details.ts';
import { productMovementsSchema, readBatchesSchema } from '../../contract/details.ts';
import type { Failure } from '../../domain/failure.ts';
import type { Id } from '../../domain/int64.ts';
import { fail, succeed, type Result } from '../../domain/result.ts';
import type { BalanceAnswer, PlatformClient } from '../../platform/client.ts';
import type { Clock } from '../../ports.ts';
import { keepBalance } from './live-balance.ts';
import type { SharedAnswers } from './shared-answers.ts';
import type { ProductPlace } from '../repository/product-reader.ts';
import type { CatalogueRepository } from '../repository/repository.ts';

export interface DetailsPorts {
  readonly repository: CatalogueRepository;
  readonly client: PlatformClient;
  readonly clock: Clock;
  /** Absent where no other terminal is shown what comes. */
  readonly shared?: SharedAnswers | null;
  /** Stands until the next lookup. */
  readonly whileWanted: () => AbortSignal;
  readonly onStored: () => void;
  /** All batches of a product have come. */
  readonly onBatches?: (place: ProductPlace, batches: ProductBatches) => void;
}

export type Details = ReturnType<typeof openDetails>;

type Movement = 'in' | 'out' | 'all';
const movements: readonly Movement[] = ['in', 'out', 'all'];

/** One row an option, whatever order each answer names them in. */
function joinOptions(answers: Readonly<Record<Movement, BalanceAnswer>>): OptionMovements[] {
  const rows = new Map<string, OptionMovements>();
  for (const movement of movements) {
    for (const { ids, name, amount } of answers[movement].options) {
      const key = JSON.stringify([ids, name]);
      rows.set(key, {
        ...(rows.get(key) ?? { name, ids: [...ids], in: null, out: null, all: null }),
        [movement]: amount,
      });
    }
  }
  return [...rows.values()].slice(0, 400);
}

/** Opens the details over a store and a client. */
export function openDetails({ repository, client, clock, shared, whileWanted, onStored, onBatches }: DetailsPorts) {
  const running = new Map<string, Promise<Result<unknown, Failure>>>();
  let question = '';
  let asked = new AbortController();

  /** Stands until another product, stock or choice is asked about (D1). */
  function wanted(key: string): AbortSignal {
    if (key !== question || asked.signal.aborted) {
      asked.abort();
      asked = new AbortController();
      question = key;
    }
    return AbortSignal.any([asked.signal, whileWanted()]);
  }

  function once<Value>(
    kind: string,
    key: string,
    start: (signal: AbortSignal) => Promise<Result<Value, Failure>>,
  ): Promise<Result<Value, Failure>> {
    const signal = wanted(key);
    const name = `${kind} ${key}`;
    const before = running.get(name) as Promise<Result<Value, Failure>> | undefined;
    if (before !== undefined) {
      return before; // D2
    }
    const started = start(signal).finally(() => running.delete(name));
    running.set(name, started);
    // A question that the next lookup has turned away must not be taken for the answer of one asked anew.
    signal.addEventListener('abort', () => running.get(name) === started && running.delete(name), { once: true });
    return started;
  }

  function keyOf(stockId: Id, productId: Id, optionIds: readonly Id[]): string {
    return `${stockId}/${productId}/${optionIds.toSorted().join(',')}`;
  }

  async function askMovements(
    stockId: Id,
    productId: Id,
    optionIds: readonly Id[],
    signal: AbortSignal,
  ): Promise<Result<ProductMovements, Failure>> {
    const read = (movementType: Movement): Promise<Result<BalanceAnswer, Failure>> =>
      client.readBalance({ stockId, productId, movementType, optionIds }, { lane: 'person', whileWanted: signal });
    const [askedAt, sharedAtMs] = [clock.now(), shared?.nowMs() ?? null];
    const [entries, exits, all] = await Promise.all([read('in'), read('out'), read('all')]);
    if (!entries.ok) {
      return entries;
    }
    if (!exits.ok) {
      return exits;
    }
    if (!all.ok) {
      return all;
    }
    if (!repository.isOpen()) {
      return fail({ kind: 'notReady' });
    }
    const answers = { in: entries.value, out: exits.value, all: all.value };
    const reported = {
      in: answers.in.balance,
      out: answers.out.balance,
      all: answers.all.balance,
      options: joinOptions(answers),
      asOf: askedAt,
    };
    if (optionIds.length === 0) {
      repository.keptAnswers.keep('movements', stockId, productId, reported); // D4
      keepBalance(repository, stockId, productId, all.value, reported.asOf); // D3
      shared?.balance(stockId, productId, all.value, sharedAtMs);
      onStored();
    }
    return succeed(reported);
  }

  async function askBatches(
    stockId: Id,
    productId: Id,
    optionIds: readonly Id[],
    signal: AbortSignal,
  ): Promise<Result<ReadBatches, Failure>> {
    const answer = await client.listBatches({ stockId, productId, optionIds }, { lane: 'person', whileWanted: signal });
    if (!answer.ok) {
      return answer;
    }
    if (!repository.isOpen()) {
      return fail({ kind: 'notReady' });
    }
    const reported = { ...answer.value, asOf: clock.now() };
    if (optionIds.length === 0) {
      repository.keptAnswers.keep('batches', stockId, productId, reported); // D4
      onBatches?.({ stockId, productId }, answer.value);
    }
    return succeed(reported);
  }

  return {
    /** Three calls in the lane of a waiting person. Fails as the client does, or with `notReady`. Throws StorageError. */
    readMovements: (stockId: Id, productId: Id, optionIds: readonly Id[]): Promise<Result<ProductMovements, Failure>> =>
      once('movements', keyOf(stockId, productId, optionIds), (signal) =>
        askMovements(stockId, productId, optionIds, signal),
      ),
    /** One such call. Fails likewise. Throws StorageError. */
    readBatches: (stockId: Id, productId: Id, optionIds: readonly Id[]): Promise<Result<ReadBatches, Failure>> =>
      once('batches', keyOf(stockId, productId, optionIds), (signal) =>
        askBatches(stockId, productId, optionIds, signal),
      ),
    /** The last answers about all options together. Throws StorageError. */
    readKept: (stockId: Id, productId: Id): KeptDetails => ({
      movements: repository.keptAnswers.find('movements', stockId, productId, productMovementsSchema),
      batches: repository.keptAnswers.find('batches', stockId, productId, readBatchesSchema),
    }),
  };
}
