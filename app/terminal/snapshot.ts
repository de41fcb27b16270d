import { chosenOf } from '../contract/settings.ts';
import type { Notice, TerminalState } from '../contract/terminal-state.ts';
import { languageOf } from '../domain/language.ts';
import type { Shell } from '../ports.ts';
import type { OpenSettings } from '../settings/settings.ts';
import type { ManagerLock } from './manager-lock.ts';
import type { EventState } from './state-events.ts';
import type { Station } from './station/station.ts';
import type { Shops } from './shops.ts';
import type { Surroundings } from './device/surroundings.ts';

export interface SnapshotParts {
  readonly shell: Shell;
  readonly settings: OpenSettings;
  readonly shops: Shops;
  readonly managerLock: ManagerLock;
  readonly surroundings: Surroundings;
  readonly station: Station;
}

/** They name what only who is signed in may see, and lead there. */
const hiddenFromNobody: ReadonlySet<Notice['kind']> = new Set<Notice['kind']>(['planMissed', 'couponsOfNoCompany']);

/** All that every screen may need at any time. Throws StorageError. */
export function snapshotOf(
  { shell, settings, shops, managerLock, surroundings, station }: SnapshotParts,
  { revision, notices }: EventState,
): TerminalState {
  const { mode, language, station: chosenStation } = settings.get();
  const ofShops = shops.state();
  return {
    ...chosenOf(settings.get()),
    ...ofShops,
    revision,
    version: shell.version,
    host: shell.host,
    mode: shops.shop.workspace() === null ? null : mode,
    language: language ?? languageOf(shell.systemLanguage),
    languageChosen: language !== null,
    ...surroundings.state(),
    lock: managerLock.state(),
    station: { ...chosenStation, isOn: station.isOn() },
    isSafeMode: shell.isSafeMode === true,
    notices: notices.filter(({ kind }) =>
      ofShops.phase === 'ready' ? kind !== 'companyRefused' : !hiddenFromNobody.has(kind),
    ),
  };
}
