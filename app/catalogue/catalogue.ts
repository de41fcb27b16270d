import { createListeners } from '../domain/listeners.ts';
import { noPlan } from '../contract/catalogue-plan.ts';
import type { CatalogueState } from '../contract/terminal-state.ts';
import type { CopyAge } from '../contract/catalogue-age.ts';
import type { Failure } from '../domain/failure.ts';
import type { Id } from '../domain/int64.ts';
import { fail, succeed, type Result } from '../domain/result.ts';
import type { ScaleLayout } from '../domain/codes/scale-label.ts';
import type { PlatformClient } from '../platform/client.ts';
import type { Clock, Random, Shell } from '../ports.ts';
import { type StorageError, onlyStorageError } from '../storage/database.ts';
import { openBrowse, type Browse } from './browse/browse.ts';
import { openDetails, type Details } from './lookup/details.ts';
import type { CatalogueAnswer } from './lookup/answers.ts';
import { openLookup, type Lookup } from './lookup/lookup.ts';
import { openCatalogueStore, type CatalogueStore } from './store/store.ts';
import { createSync, type Planning, type Sync } from './sync/sync.ts';

export interface CatalogueOptions {
  /** The file, usually `catalogue.db` in the data directory. */
  readonly path: string;
  /** Says of what this is a copy, such as the platform and the company; another one empties it. */
  readonly fingerprint: string;
  readonly stockIds: readonly Id[];
  readonly clock: Clock;
  readonly random: Random;
  readonly client: PlatformClient;
  readonly planning: Planning;
  /** The layouts of the store's scales, asked anew each time. */
  readonly scaleLayouts: () => readonly ScaleLayout[];
  readonly log: (message: string, details?: Readonly<Record<string, unknown>>) => void;
  /** As `Shell.checkpoint`: another thread's. */
  readonly checkpoint?: Shell['checkpoint'];
  /** The file was damaged, at opening or since, and its products are being copied anew. */
  readonly onRebuilt: () => void;
}

/**
 * Both sides of the open copy. What says "Throws StorageError" in a lookup answers here as an empty copy would, or
 * fails.
 */
export interface Catalogue
  extends
    Omit<Lookup, 'whileWanted'>,
    Details,
    Omit<Browse, 'close'>,
    Pick<Sync, 'start' | 'stop' | 'resume' | 'copyAgain' | 'state' | 'onChange'> {
  /**
   * How old the copy's parts are; `pause` lets everything else have its turn. Fails with `notReady` while there is no
   * copy, or as the storage does.
   */
  age(pause: () => Promise<boolean>): Promise<Result<CopyAge, Failure>>;
  close(): void;
  /** Resolves when, after `close`, no other thread has the file open. */
  released(): Promise<void>;
}

interface Open {
  readonly store: CatalogueStore;
  readonly sync: Sync;
  readonly lookup: Lookup;
  readonly browse: Browse;
  readonly details: Details;
}

/** A disk that damages every file is not to be written to for ever. */
const maxRebuilds = 3;

/** A slice takes a few milliseconds. */
const rowsRenewedAtOnce = 50;

/** While the copy cannot be read at all. */
function notCopiedYet(text: string): CatalogueAnswer {
  return {
    kind: 'notCopied',
    text: text.slice(0, 500).toWellFormed(),
    copied: 0,
    total: null,
    completeAt: null,
    asked: false,
  };
}

const wholeMs = (at: number | null): number | null => (at === null ? null : Math.round(at));

const idleState: CatalogueState = {
  phase: 'idle',
  stocks: [],
  copied: 0,
  total: null,
  completeAt: null,
  plan: noPlan,
  failure: null,
};

/**
 * Opens the copy; nothing is sent before `start`. Throws StorageError when the file cannot be opened and is not
 * damaged.
 */
export async function openCatalogue(options: CatalogueOptions): Promise<Catalogue> {
  const { clock, client, random, planning, log, onRebuilt } = options;
  const { add: onChange, emit: changed } = createListeners();
  let rebuilds = 0;
  let isStarted = false;
  let isClosed = false;
  /** Another thread has the file open until this resolves; a file that is open cannot be deleted everywhere. */
  let released: Promise<unknown> = Promise.resolve();
  const checkpoint: Shell['checkpoint'] = (path) => {
    const done = options.checkpoint?.(path) ?? Promise.resolve(false);
    released = done;
    return done;
  };
  let open: Open | null = await openParts(false);

  async function openParts(rebuild: boolean): Promise<Open> {
    await released;
    const { store, wasRebuilt } = await openCatalogueStore({ ...options, checkpoint, now: () => clock.now(), rebuild });
    const sync = createSync({ store, client, clock, random, planning, log, onStorageError: handleStorageError });
    const lookup = openLookup({
      store,
      client,
      clock,
      scaleLayouts: options.scaleLayouts,
      completeAt: () => sync.completeAt(),
      onStored: () => sync.noticeStore(),
    });
    sync.onChange(changed);
    if (wasRebuilt) {
      onRebuilt();
    }
    void tidy(store);
    const details = openDetails({
      store,
      client,
      clock,
      whileWanted: () => lookup.whileWanted(),
      onStored: () => sync.noticeStore(),
    });
    return {
      store,
      sync,
      lookup,
      details,
      browse: openBrowse({ clock, reader: store.browse, stocks: () => store.stocks() }),
    };
  }

  /**
   * An older copy is brought under the present words, and loses the rows of stocks that the profile no longer has, in
   * slices beside all other work; what is left at the end goes on at the next start.
   */
  async function tidy(store: CatalogueStore): Promise<void> {
    try {
      do {
        await new Promise<void>((resolve) => clock.after(0, resolve));
      } while (store.isOpen() && (store.writer.renewWords(rowsRenewedAtOnce) || store.removeFormer(rowsRenewedAtOnce)));
    } catch (error) {
      handleStorageError(onlyStorageError(error));
    }
  }

  function closeParts(): void {
    const parts = open;
    // First, so that whoever is told of the stop does not come back here.
    open = null;
    parts?.sync.stop();
    parts?.browse.close();
    parts?.store.close();
  }

  function handleStorageError(error: StorageError): void {
    log('catalogue.db failed', { kind: error.failure.kind, message: error.message, isDamage: error.isDamage });
    if (!error.isDamage || open === null) {
      return;
    }
    closeParts();
    rebuilds += 1;
    if (rebuilds > maxRebuilds) {
      changed();
      return;
    }
    openParts(true)
      .then((parts) => {
        if (isClosed) {
          parts.store.close();
          return;
        }
        open = parts;
        if (isStarted) {
          parts.sync.start();
        }
        changed();
      })
      .catch((reason: unknown) => {
        // The next start of the app tries again; until then nothing is in the copy.
        log('catalogue.db cannot be rebuilt', { message: String(reason).slice(0, 500) });
      });
  }

  /** Answers from the open store; while there is none, or when it fails, with what an empty copy would say. */
  function query<Value>(action: (parts: Open) => Value, otherwise: () => Value): Value {
    if (open === null) {
      return otherwise();
    }
    try {
      return action(open);
    } catch (error) {
      handleStorageError(onlyStorageError(error));
      return otherwise();
    }
  }

  async function ask<Value>(action: (parts: Open) => Promise<Result<Value, Failure>>): Promise<Result<Value, Failure>> {
    if (open === null) {
      return fail({ kind: 'notReady' });
    }
    try {
      return await action(open);
    } catch (error) {
      const trouble = onlyStorageError(error);
      handleStorageError(trouble);
      return fail(trouble.failure);
    }
  }

  return {
    start: () => {
      isStarted = true;
      open?.sync.start();
    },
    stop: () => {
      isStarted = false;
      open?.sync.stop();
    },
    resume: () => open?.sync.resume(),
    copyAgain: () => {
      query(
        ({ sync }) => sync.copyAgain(),
        () => undefined,
      );
    },
    state: () => open?.sync.state() ?? idleState,
    onChange,
    find: (text, source) =>
      query<CatalogueAnswer>(
        ({ lookup, sync }) => {
          sync.noticeLookup();
          return lookup.find(text, source);
        },
        () => notCopiedYet(text),
      ),
    findAgain: (text, source) =>
      query<CatalogueAnswer>(
        ({ lookup }) => lookup.findAgain(text, source),
        () => notCopiedYet(text),
      ),
    ask: (text) => ask(({ lookup }) => lookup.ask(text)),
    search: (text, limit) =>
      query(
        ({ lookup }) => lookup.search(text, limit),
        () => [],
      ),
    withdraw: (text) => {
      query(
        ({ lookup }) => lookup.withdraw(text),
        () => undefined,
      );
    },
    recent: () =>
      query(
        ({ lookup }) => lookup.recent(),
        () => [],
      ),
    noteOpened: (product) => {
      query(
        ({ lookup, sync }) => {
          sync.noticeLookup();
          lookup.noteOpened(product);
        },
        () => undefined,
      );
    },
    read: (stockId, productId) =>
      query(
        ({ lookup }) => lookup.read(stockId, productId),
        () => null,
      ),
    nameOf: (productId) =>
      query(
        ({ lookup }) => lookup.nameOf(productId),
        () => null,
      ),
    refresh: (stockId, productId) => ask(({ lookup }) => lookup.refresh(stockId, productId)),
    readMovements: (stockId, productId, optionIds) =>
      ask(({ details }) => details.readMovements(stockId, productId, optionIds)),
    readBatches: (stockId, productId, optionIds) =>
      ask(({ details }) => details.readBatches(stockId, productId, optionIds)),
    readKept: (stockId, productId) =>
      query(
        ({ details }) => details.readKept(stockId, productId),
        () => ({ movements: null, batches: null }),
      ),
    page: (request) => ask(({ browse }) => browse.page(request)),
    exportPage: (request) => ask(({ browse }) => browse.exportPage(request)),
    products: (term, most) => ask(({ browse }) => browse.products(term, most)),
    age: (pause) =>
      ask(async ({ store }) => {
        const now = clock.now();
        const counted = await store.ages.count(now, async () => (await pause()) && store.isOpen());
        const stocks =
          counted === null
            ? []
            : store
                .stocks()
                .map(({ stockId, name, progress: { listedAt, changesAt } }) => ({
                  stockId,
                  name,
                  listedAt: wholeMs(listedAt),
                  changesAt: wholeMs(changesAt),
                }));
        return counted === null ? fail({ kind: 'notReady' }) : succeed({ ...counted, stocks, readAt: now });
      }),
    close: () => {
      isClosed = true;
      closeParts();
    },
    released: async () => {
      await released;
    },
  };
}
