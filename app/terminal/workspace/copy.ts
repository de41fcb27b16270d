import { join } from 'node:path';
import { openCatalogue, type Catalogue } from '../../catalogue/catalogue.ts';
import { openLabelChoices, type LabelChoices } from '../../catalogue/lookup/label-choices.ts';
import type { Expiring } from '../../expiring/expiring.ts';
import type { Ports } from '../../ports.ts';
import type { DiskWatch } from '../../storage/disk-watch.ts';
import { openMinima } from '../../watch-list/minima.ts';
import { openWatchList, type WatchList } from '../../watch-list/watch-list.ts';
import type { OpenedRateLimit } from './rate-limit.ts';
import type { PlatformAccess } from './platform-access.ts';
import type { WorkspaceTarget } from './target.ts';

export interface OpenCopy {
  readonly catalogue: Catalogue;
  readonly labelChoices: LabelChoices;
  readonly watchList: WatchList;
}

interface CopyListeners {
  readonly onCardsChange: () => void;
  /** The copy was damaged and begins anew. */
  readonly onRebuilt: () => void;
  readonly onBatches: Expiring['note'];
  readonly onDiskTrouble: DiskWatch['note'];
}

function openOwnCatalogue(
  { clock, random, shell }: Ports,
  target: WorkspaceTarget,
  { client, connection }: PlatformAccess,
  { rateLimit, hub }: OpenedRateLimit,
  watchList: WatchList,
  labelChoices: LabelChoices,
  { onBatches, onDiskTrouble, onRebuilt }: Omit<CopyListeners, 'onCardsChange'>,
): Promise<Catalogue> {
  return openCatalogue({
    path: join(target.directory, target.catalogueFile),
    fingerprint: `${target.platform} ${target.companyId}`,
    stockIds: target.stockIds,
    clock,
    random,
    client,
    planning: {
      quietHours: target.quietHours,
      offsetMinutes: (at) => shell.offsetMinutes(at),
      perMinute: () => {
        const { limit, reserve } = rateLimit.state();
        return ((limit - reserve) * 60_000) / target.rateLimitRules().windowMs;
      },
      forecastMs: (requests) => rateLimit.forecastMs(requests),
    },
    outage: () => connection.outage(),
    texts: hub?.texts ?? null,
    scaleLayouts: target.scaleLayouts,
    labelChoices,
    shownFields: target.shownFields,
    log: (message, details) => {
      shell.log('info', `catalogue: ${message}`, details);
    },
    checkpoint: (path) => shell.checkpoint?.(path) ?? Promise.resolve(false),
    onFigure: (place) => watchList.noteFigure(place),
    watched: (list) => watchList.places(list),
    onBatches,
    onRebuilt: () => {
      watchList.noteAll();
      onRebuilt();
    },
    onOpened: () => watchList.noteAll(),
    onTrouble: onDiskTrouble,
  });
}

/** Opens the copy of a store, and the watch list that reads it. Nothing is copied before it is started. */
export async function openCopyAndWatchList(
  ports: Ports,
  target: WorkspaceTarget,
  access: PlatformAccess,
  opened: OpenedRateLimit,
  { onCardsChange, ...listeners }: CopyListeners,
): Promise<OpenCopy> {
  let catalogue: Catalogue | null = null;
  const watchList = openWatchList({
    minima: openMinima(opened.queueDatabase.database, target),
    clock: ports.clock,
    figureOf: (place) => catalogue?.figure(place),
    onChange: onCardsChange,
  });
  const labelChoices = openLabelChoices(opened.queueDatabase.database, target);
  catalogue = await openOwnCatalogue(ports, target, access, opened, watchList, labelChoices, listeners);
  watchList.noteAll();
  return { catalogue, labelChoices, watchList };
}
