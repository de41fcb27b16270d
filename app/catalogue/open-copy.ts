import type { ShownField } from '../contract/fields.ts';
import { createListeners } from '../domain/listeners.ts';
import type { ProductBatches } from '../contract/batches.ts';
import type { Failure } from '../domain/failure.ts';
import type { Id } from '../domain/int64.ts';
import { fail, type Result } from '../domain/result.ts';
import type { ScaleLayout } from '../domain/codes/scale-label.ts';
import type { PlatformClient } from '../platform/client.ts';
import type { Clock, Random, SharedTexts, Shell, Timer } from '../ports.ts';
import { type StorageError, asStorageError, onlyStorageError } from '../storage/database.ts';
import { openBrowse, type Browse } from './browse/browse.ts';
import { openDetails, type Details } from './lookup/details.ts';
import { openLookup, type Lookup, type LookupPorts } from './lookup/lookup.ts';
import { createSharedAnswers } from './lookup/shared-answers.ts';
import { openCatalogueRepository, type CatalogueRepository } from './repository/repository.ts';
import { createSharedPages } from './sync/shared-pages.ts';
import { createSync, type Planning, type Sync } from './sync/sync.ts';
import type { ProductPlace } from './repository/product-reader.ts';

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
  /** As `SyncPorts.outage`. */
  readonly outage?: () => Failure | null;
  /** The texts that this shop's terminals share; absent where this one has joined no hub. */
  readonly texts?: SharedTexts | null;
  /** As `CatalogueRepositoryOptions.onFigure`. */
  readonly onFigure?: (place: ProductPlace) => void;
  /** The platform has told all batches of a product. */
  readonly onBatches?: (place: ProductPlace, batches: ProductBatches) => void;
  /** The products of these lists of the stock table; absent where nothing is watched. */
  readonly watched?: (list: 'watched' | 'below') => readonly ProductPlace[];
  /** The layouts of the store's scales, asked anew each time. */
  readonly scaleLayouts: () => readonly ScaleLayout[];
  /** As `LookupPorts.labelChoices`. */
  readonly labelChoices?: LookupPorts['labelChoices'];
  /** As `CatalogueRepositoryOptions.shownFields`. */
  readonly shownFields?: () => readonly ShownField[];
  readonly log: (message: string, details?: Readonly<Record<string, unknown>>) => void;
  /** As `Shell.checkpoint`: another thread's. */
  readonly checkpoint?: Shell['checkpoint'];
  /** The file was damaged, at opening or since, and its products are being copied anew. */
  readonly onRebuilt: () => void;
  /** The file, which could not be opened or had to make way, is open now. */
  readonly onOpened?: () => void;
  /** The file could not be opened, read or written to, and is not damaged. */
  readonly onTrouble?: (error: StorageError) => void;
}

/** The copy while its file is open. */
export interface OpenCopy {
  readonly repository: CatalogueRepository;
  readonly sync: Sync;
  readonly lookup: Lookup;
  readonly browse: Browse;
  readonly details: Details;
}

/** A disk that damages every file is not to be written to for ever. */
const maxRebuilds = 3;

/** A disk that refuses the file is asked again. */
const reopenAfterMs = 60_000;

/** A slice takes a few milliseconds. */
const rowsRenewedAtOnce = 50;

function openOver(
  repository: CatalogueRepository,
  {
    client,
    clock,
    random,
    planning,
    outage,
    texts = null,
    fingerprint,
    log,
    scaleLayouts,
    labelChoices,
    watched,
    onBatches,
  }: CatalogueOptions,
  onStorageError: (error: StorageError) => void,
): OpenCopy {
  const shared = texts === null ? null : createSharedPages(texts, clock, fingerprint);
  const sync = createSync({ repository, client, clock, random, planning, shared, outage, log, onStorageError });
  const onStored = (): void => sync.noticeStored();
  const answers = texts === null ? null : createSharedAnswers(texts, fingerprint);
  const lookup = openLookup({
    repository,
    client,
    clock,
    shared: answers,
    scaleLayouts,
    labelChoices,
    completeAt: () => sync.completeAt(),
    onStored,
  });
  const details = openDetails({
    repository,
    client,
    clock,
    shared: answers,
    whileWanted: () => lookup.whileWanted(),
    onStored,
    ...(onBatches === undefined ? {} : { onBatches }),
  });
  const browse = openBrowse({
    clock,
    reader: repository.browse,
    stocks: () => repository.stocks(),
    watched: watched ?? (() => []),
    offsetMinutes: planning.offsetMinutes,
  });
  return { repository, sync, lookup, details, browse };
}

/** Null for a file whose damage shows only now. Nothing stays open where there is nothing over it. */
function openOverWhole(
  { repository, wasRebuilt }: Awaited<ReturnType<typeof openCatalogueRepository>>,
  options: CatalogueOptions,
  onStorageError: (error: StorageError) => void,
): OpenCopy | null {
  try {
    return openOver(repository, options, onStorageError);
  } catch (thrown) {
    const error = repository.explain(thrown);
    repository.close();
    if (onlyStorageError(error).isDamage && !wasRebuilt) {
      return null;
    }
    throw error;
  }
}

/**
 * An older copy is brought under the present words, and loses the rows of stocks that the profile no longer has, in
 * slices beside all other work; what is left at the end goes on at the next start.
 */
async function tidy(repository: CatalogueRepository, clock: Clock): Promise<void> {
  do {
    await new Promise<void>((resolve) => clock.after(0, resolve));
  } while (
    repository.isOpen() &&
    (repository.writer.renewWords(rowsRenewedAtOnce) || repository.removeFormer(rowsRenewedAtOnce))
  );
}

/**
 * Opens the copy's file and everything over it, and again when it was damaged; nothing is sent before `start`. While the
 * disk refuses the file there is no copy, and a minute later it is tried again.
 */
async function keepOpen(options: CatalogueOptions, changed: () => void) {
  const { clock, log } = options;
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
  let reopening: Timer | null = null;
  let refusal: StorageError | null = null;
  let open: OpenCopy | null = null;
  try {
    open = await openParts(false);
  } catch (error) {
    noteRefusal(error);
  }

  async function openParts(rebuild: boolean): Promise<OpenCopy> {
    await released;
    const opened = await openCatalogueRepository({ ...options, checkpoint, now: () => clock.now(), rebuild });
    const parts = openOverWhole(opened, options, handleStorageError);
    if (parts === null) {
      return openParts(true);
    }
    parts.sync.onChange(changed);
    if (opened.wasRebuilt) {
      options.onRebuilt();
    }
    void tidy(opened.repository, clock).catch((error: unknown) =>
      handleStorageError(onlyStorageError(opened.repository.explain(error))),
    );
    return parts;
  }

  function closeParts(): void {
    const parts = open;
    // First, so that whoever is told of the stop does not come back here.
    open = null;
    parts?.sync.stop();
    parts?.browse.close();
    parts?.repository.close();
  }

  function handleStorageError(error: StorageError): void {
    log('catalogue.db failed', { kind: error.failure.kind, message: error.message, isDamage: error.isDamage });
    if (!error.isDamage) {
      options.onTrouble?.(error);
    }
    if (!error.isDamage || open === null) {
      return;
    }
    closeParts();
    rebuilds += 1;
    if (rebuilds > maxRebuilds) {
      changed();
      return;
    }
    void reopen(true);
  }

  async function reopen(rebuild: boolean): Promise<void> {
    try {
      const parts = await openParts(rebuild);
      if (isClosed) {
        parts.repository.close();
        return;
      }
      open = parts;
      refusal = null;
      if (isStarted) {
        parts.sync.start();
      }
      options.onOpened?.();
      changed();
    } catch (error) {
      noteRefusal(error);
    }
  }

  /** Until it is open nothing is in the copy. */
  function noteRefusal(error: unknown): void {
    refusal = onlyStorageError(asStorageError(error));
    handleStorageError(refusal);
    rebuilds += refusal.isDamage ? 1 : 0;
    if (!isClosed && rebuilds <= maxRebuilds) {
      reopening = clock.after(reopenAfterMs, () => {
        void reopen(false);
      });
    }
  }

  return {
    /** Null while the file cannot be used. */
    current: () => open,
    handleStorageError,
    /** Throws StorageError, also while the disk refuses the file. */
    tryWriting: (): void => {
      if (refusal !== null) {
        throw refusal;
      }
      open?.repository.tryWriting();
    },
    start: (): void => {
      isStarted = true;
      open?.sync.start();
    },
    stop: (): void => {
      isStarted = false;
      open?.sync.stop();
    },
    close: (): void => {
      isClosed = true;
      reopening?.cancel();
      closeParts();
    },
    released: async (): Promise<void> => {
      await released;
    },
  };
}

/** Opens the copy; while there is none, it is asked in vain. */
export async function openCopy(options: CatalogueOptions) {
  const { add: onChange, emit: changed } = createListeners();
  const { handleStorageError, ...file } = await keepOpen(options, changed);

  /** The readings that the open copy answers at once; while there is none, or when it fails, as an empty copy would. */
  const reads =
    <Given extends readonly unknown[], Value>(
      of: (parts: OpenCopy) => (...given: Given) => Value,
      otherwise: (...given: NoInfer<Given>) => NoInfer<Value>,
    ) =>
    (...given: Given): Value => {
      const open = file.current();
      if (open === null) {
        return otherwise(...given);
      }
      try {
        return of(open)(...given);
      } catch (error) {
        handleStorageError(onlyStorageError(open.repository.explain(error)));
        return otherwise(...given);
      }
    };

  /** The readings that it answers later; they fail with `notReady` while there is none, or as the storage does. */
  const asks =
    <Given extends readonly unknown[], Value>(
      of: (parts: OpenCopy) => (...given: Given) => Promise<Result<Value, Failure>>,
    ) =>
    async (...given: Given): Promise<Result<Value, Failure>> => {
      const open = file.current();
      if (open === null) {
        return fail({ kind: 'notReady' });
      }
      try {
        return await of(open)(...given);
      } catch (error) {
        // That it was closed amid the reading is no fault of it.
        if (!open.repository.isOpen()) {
          return fail({ kind: 'notReady' });
        }
        const trouble = onlyStorageError(open.repository.explain(error));
        handleStorageError(trouble);
        return fail(trouble.failure);
      }
    };

  return { reads, asks, onChange, ...file };
}
