import { createCashierHandlers } from './cashiers/calls.ts';
import { accessLevelOf } from '../contract/access.ts';
import type { TerminalState } from '../contract/terminal-state.ts';
import type { EventListener, Handlers } from '../contract/bridge.ts';
import { shopShownBy, shownForOf } from '../contract/shown-for.ts';
import { succeed } from '../domain/result.ts';
import type { HubAddress } from '../hub/address.ts';
import type { HubLink } from '../hub/link.ts';
import { openManagerLock } from './manager-lock.ts';
import type { Ports, Vault } from '../ports.ts';
import type { Provision } from './provisioning/provisioning.ts';
import { createPrinterHandlers } from './device/printer-calls.ts';
import { createProfiles } from '../settings/profiles.ts';
import { openSettings } from '../settings/settings.ts';
import { createSettingsHandlers } from './settings-calls.ts';
import { createSetUp, type OpenFile } from './provisioning/set-up.ts';
import { createShopFileHandlers } from './provisioning/shop-file.ts';
import { snapshotOf } from './snapshot.ts';
import { createSupportHandlers } from './support/support.ts';
import { createSurroundings } from './device/surroundings.ts';
import { createStateEvents } from './state-events.ts';
import { createStation } from './station/station.ts';
import { statusOf, type TerminalStatus } from './support/status.ts';
import { createShops } from './shops.ts';

/** A running terminal, behind which all business lies. */
export interface Terminal {
  readonly handlers: Handlers;
  /** Calls back with every event until the answered function is called. */
  subscribe(listener: EventListener): () => void;
  /** How it is now, without secrets or names. Throws StorageError. */
  readonly status: () => TerminalStatus;
  /** Ends all work and closes the databases. */
  close(): Promise<void>;
}

export interface TerminalOptions {
  readonly provision?: Provision;
  /** Fields of the provisioning file that have changed something of the machine. */
  readonly provisionedMachine?: readonly string[];
  readonly forgetPin?: boolean;
  /** Where settings that could not be read now lie; a person is told. */
  readonly settingsSetAside?: string | null;
  /** Absent where no provisioning file can be opened. */
  readonly openFile?: OpenFile;
  /** How a shop's hub is reached; absent where none can be. */
  readonly openHub?: (address: HubAddress) => HubLink;
}

/** Whoever does what needs the keychain may just have unlocked it, or is asked to. */
function askingAnew(vault: Vault, handlers: Handlers): Handlers {
  const asking =
    <Input, Answer>(handler: (input: Input) => Answer) =>
    (input: Input): Answer => {
      vault.askAnew?.();
      return handler(input);
    };
  return {
    ...handlers,
    'session:signIn': asking(handlers['session:signIn']),
    'session:signOut': asking(handlers['session:signOut']),
    'session:keep': asking(handlers['session:keep']),
    'cashier:comeBack': asking(handlers['cashier:comeBack']),
    'cashier:scanBadge': asking(handlers['cashier:scanBadge']),
    'cashier:makeBadge': asking(handlers['cashier:makeBadge']),
    'cashier:forget': asking(handlers['cashier:forget']),
    'profile:connect': asking(handlers['profile:connect']),
    'profile:switch': asking(handlers['profile:switch']),
    'profile:remove': asking(handlers['profile:remove']),
    'support:diagnose': asking(handlers['support:diagnose']),
  };
}

/**
 * Opens the terminal in the data directory of its shell. Throws StorageError when a database cannot be opened at all.
 */
export async function openTerminal(ports: Ports, options: TerminalOptions = {}): Promise<Terminal> {
  const { clock, shell } = ports;
  const settings = openSettings(ports.settingsFile);
  const profiles = createProfiles(settings);
  const stateEvents = createStateEvents({
    clock,
    log: (level, message, details) => shell.log(level, message, details),
    snapshot,
    listVersions: () => {
      const workspace = shop.workspace();
      return { shop: workspace, ...(workspace?.listVersions() ?? { queue: '', coupons: '' }) };
    },
    changedCards: (emit) => {
      const { person, shop: facts } = shops.accessFacts();
      const isShown = accessLevelOf(person, facts) !== 'nobody';
      if (isShown) {
        shops.emitChangedCards(emit);
      }
      return isShown;
    },
  });
  const { changed, notify } = stateEvents;
  const surroundings = createSurroundings({ shell, settings, stateEvents, isStationOn: () => station.isOn() });
  const shops = createShops({ ports, settings, profiles, stateEvents, openHub: options.openHub });
  const { shop } = shops;
  // In the list of who did what, before anything is done.
  const managerLock = await openManagerLock({ ports, settings, profiles, shops, notify, changed });
  shop.onPlanMade(({ email, ...made }) => managerLock.note({ kind: 'couponsByPlan', ...made }, email));

  const obeySettings = (): void => {
    surroundings.obeySettings();
    shop.workspace()?.expiring.reconsider();
    // For how many days a sign-in is kept may be another now.
    shop.workspace()?.queue.noticeRows();
  };
  const station = createStation({
    settings,
    managerLock,
    snapshot: () => snapshot(),
    find: (input) => handlers['lookup:find'](input),
    onChange: () => {
      obeySettings();
      changed();
    },
    log: (...line) => shell.log(...line),
  });
  const { openFile } = options;
  const onSettings = (): void => {
    station.settle();
    obeySettings();
  };
  settings.listen(obeySettings);
  const setUps = createSetUp({ openFile, shops, settings, shell, managerLock, onSettings });

  function snapshot(known = stateEvents.state()): TerminalState {
    return snapshotOf({ shell, settings, shops, managerLock, surroundings, station }, known);
  }

  async function start(): Promise<void> {
    const { provision, provisionedMachine = [], forgetPin, settingsSetAside } = options;
    if (forgetPin === true) {
      managerLock.forgetPin();
    }
    if (typeof settingsSetAside === 'string') {
      notify('settingsSetAside', settingsSetAside.slice(-500));
    }
    obeySettings();
    await shops.removeLeftTokens();
    if (provision === undefined) {
      // Practice, if that is opened, has settings and a lock of its own.
      station.settle();
      await shops.openLast();
    } else {
      // A file that stays would undo what was just asked for.
      await setUps.setUp(forgetPin === true ? { ...provision, managerLock: undefined } : provision, provisionedMachine);
      station.settle();
    }
    surroundings.holdKeys();
  }

  const handlers: Handlers = {
    'terminal:read': station.reduce(() => Promise.resolve(succeed(stateEvents.read()))),
    ...createSettingsHandlers({ settings, shops, stateEvents, station, obeySettings }),
    ...station.handlers,
    ...surroundings.handlers,
    ...createPrinterHandlers(shell, () => settings.get().labelPrinter),
    ...managerLock.handlers,
    ...createCashierHandlers({ clock, settings, shops, managerLock }),
    ...setUps.handlers,
    ...createShopFileHandlers({ shell, settings, profiles }),
    ...createSupportHandlers({ ports, settings, profiles, snapshot, shops }),
    ...shops.handlers,
  };

  const guarded = managerLock.guard(askingAnew(ports.vault, handlers), {
    accessFacts: shops.accessFacts,
    isShown: (shownFor) => {
      // As the snapshot has them, which reads the queue as well.
      const profile = profiles.current();
      const shown = {
        mode: shop.workspace() === null ? null : settings.get().mode,
        profileId: shop.practice() === null ? (profile?.id ?? null) : null,
        profile: shop.practice() ?? profile,
        session: { email: managerLock.signedIn() },
      };
      // mutant: the next shop answers what was asked at the one before
      return shownFor === shopShownBy(shown) || shownFor === shownForOf(shown);
    },
    isStationOn: station.isOn,
  });

  await start().catch((error: unknown) => {
    // Whoever tries again must find the list free.
    managerLock.close();
    throw error;
  });

  return {
    handlers: guarded,
    subscribe: (listener) => stateEvents.subscribe(station.hear(listener)),
    status: () => statusOf(snapshot(), shop.workspace(), clock),
    close: () => {
      stateEvents.close();
      return shops.close().finally(() => managerLock.close());
    },
  };
}
