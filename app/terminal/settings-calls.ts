import { isFreeSetting } from '../contract/access.ts';
import type { HandlersOf } from '../contract/bridge.ts';
import { succeed } from '../domain/result.ts';
import type { OpenSettings } from '../settings/settings.ts';
import type { StateEvents } from './state-events.ts';
import type { Station } from './station/station.ts';
import type { Shops } from './shops.ts';

export interface SettingsHandlerParts {
  readonly settings: OpenSettings;
  readonly shops: Shops;
  readonly stateEvents: StateEvents;
  readonly station: Station;
  readonly obeySettings: () => void;
}

/** Answers the calls about settings, notices included. */
export function createSettingsHandlers({
  settings,
  shops,
  stateEvents,
  station,
  obeySettings,
}: SettingsHandlerParts): HandlersOf<'settings' | 'notice'> {
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
      const before = settings.get();
      // For a person's own eyes it holds until the end.
      const isFree = Object.keys(chosen).every(isFreeSetting);
      const kept = isFree ? settings.change(chosen) : settings.changeForGood(chosen);
      obeySettings();
      const open = shops.shop.workspace();
      open?.rateLimit.reconsider();
      if (chosen.cashierChange !== undefined) {
        // The days of a PIN may go on.
        open?.queue.resume();
      }
      if (settings.get().rateLimitAccount !== before.rateLimitAccount) {
        // The shop's slots and its part in a hub belong to one account.
        await shops.reopen();
      }
      stateEvents.cardsChanged();
      return kept.ok ? succeed({}) : kept;
    },
  };
}
