import type { Handlers } from '../contract/bridge.ts';
import { succeed } from '../domain/result.ts';
import type { SettingsStore } from '../settings/settings.ts';
import type { StateEvents } from './state-events.ts';
import type { Station } from './station/station.ts';
import type { Stores } from './stores.ts';

export interface SettingsHandlerParts {
  readonly settings: SettingsStore;
  readonly stores: Stores;
  readonly stateEvents: StateEvents;
  readonly station: Station;
  readonly obeySettings: () => void;
}

/** What a person chooses, and puts away. */
export function createSettingsHandlers({
  settings,
  stores,
  stateEvents,
  station,
  obeySettings,
}: SettingsHandlerParts): Pick<Handlers, 'settings:update' | 'notice:dismiss'> {
  return {
    'notice:dismiss': ({ id }) => {
      stateEvents.dismiss(id);
      return Promise.resolve(succeed({}));
    },
    'settings:update': async (chosen) => {
      const ready = chosen.station?.isOn === true ? await station.prepare() : succeed(undefined);
      if (!ready.ok) {
        return ready;
      }
      const kept = settings.change(chosen);
      obeySettings();
      stores.store.workspace()?.rateLimit.reconsider();
      stateEvents.cardsChanged();
      return kept.ok ? succeed({}) : kept;
    },
  };
}
