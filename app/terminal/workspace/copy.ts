import { join } from 'node:path';
import { openCatalogue, type Catalogue } from '../../catalogue/catalogue.ts';
import { openLabelChoices, type LabelChoices } from '../../catalogue/lookup/label-choices.ts';
import type { Expiring } from '../../expiring/expiring.ts';
import type { DiskWatch } from '../../storage/disk-watch.ts';
import { openMinima } from '../../watch-list/minima.ts';
import { openWatchList, type WatchList } from '../../watch-list/watch-list.ts';
import type { ShopContext } from './context.ts';
import type { PlatformAccess } from './platform-access.ts';
import type { OpenedRateLimit } from './rate-limit.ts';

export interface OpenCopy {
  readonly catalogue: Catalogue;
  readonly labelChoices: LabelChoices;
  readonly watchList: WatchList;
}

interface CopyOver extends OpenedRateLimit, Pick<PlatformAccess, 'client' | 'connection'> {
  readonly onBatches: Expiring['note'];
  readonly onTrouble: DiskWatch['note'];
}

/** Opens the copy of a shop, and the watch list that reads it. Nothing is copied before it is started. */
export async function openCopy(context: ShopContext, parts: CopyOver): Promise<OpenCopy> {
  const { ports, target, listeners, offsetMinutes, logOf, onAbort, onClose } = context;
  const { queueDatabase, rateLimit, hub, client, connection, onBatches, onTrouble } = parts;
  const { clock, random, shell } = ports;
  let catalogue: Catalogue | null = null;
  const watchList = openWatchList({
    minima: openMinima(queueDatabase.database, target),
    clock,
    figureOf: (place) => catalogue?.figure(place),
    onChange: listeners.onCardsChange,
  });
  const labelChoices = openLabelChoices(queueDatabase.database, target);
  const opened = await openCatalogue({
    path: join(target.directory, target.catalogueFile),
    fingerprint: `${target.platform} ${target.companyId}`,
    stockIds: target.stockIds,
    clock,
    random,
    client,
    planning: {
      quietHours: target.quietHours,
      offsetMinutes,
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
    log: logOf('catalogue'),
    checkpoint: (path) => shell.checkpoint?.(path) ?? Promise.resolve(false),
    onFigure: (place) => watchList.noteFigure(place),
    watched: (list) => watchList.places(list),
    onBatches,
    onRebuilt: () => {
      watchList.noteAll();
      listeners.notify('catalogueRebuilt', '');
    },
    onOpened: () => watchList.noteAll(),
    onTrouble,
  });
  catalogue = opened;
  watchList.noteAll();
  onAbort(() => opened.stop());
  onClose(() => {
    watchList.close();
    opened.close();
  });
  return { catalogue, labelChoices, watchList };
}
