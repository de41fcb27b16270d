// The check station for customers (decision 54): while it is on, the page gets nothing but answers to codes.
//
//     off ──the manager switches it on, and has a PIN──→ on ──the manager's PIN──→ off
//
//   T1  While it is on, every call that contract/access.ts does not say is answered is refused, whoever is signed in and
//       whatever the PIN has opened; so it is for programs that ask (hosts/programs).
//   T2  What crosses is built up from nothing (answer.ts): no figure that the manager has not allowed, no e-mail,
//       no update, no other stock.
//   T3  It is on again after a restart. Without a PIN it is never on: nobody could leave it.
//   T4  Below it all goes on: sign-in, copy and queue.
import type { EventListener, Handlers, HandlersOf } from '../../contract/bridge.ts';
import { stationEvents } from '../../contract/access.ts';
import type { TerminalState } from '../../contract/terminal-state.ts';
import type { Failure } from '../../domain/failure.ts';
import { fail, mapResult, succeed, type Result } from '../../domain/result.ts';
import type { Shell } from '../../ports.ts';
import type { OpenSettings } from '../../settings/settings.ts';
import type { ManagerLock } from '../manager-lock.ts';
import { stationAnswerOf, stationStateOf } from './answer.ts';

export interface StationParts {
  readonly settings: OpenSettings;
  readonly managerLock: Pick<ManagerLock, 'hasPin' | 'handlers' | 'tryPin' | 'note'>;
  readonly snapshot: () => TerminalState;
  /** Without the rules of the sign-in: the manager who opens the station lets everybody look up there. */
  readonly find: Handlers['lookup:find'];
  /** It is on, or off. */
  readonly onChange: () => void;
  readonly log: Shell['log'];
}

export interface Station {
  readonly isOn: () => boolean;
  readonly handlers: HandlersOf<'station'>;
  /** The part of the state that the page reads. */
  reduce(read: Handlers['terminal:read']): Handlers['terminal:read'];
  /** The part of the events that the page hears. */
  hear(listener: EventListener): EventListener;
  /** To be called before it is switched on: ends what the PIN has opened. Fails with `inputInvalid` without a PIN. */
  prepare(): Promise<Result<void, Failure>>;
  /** Switches it off where there is no PIN to leave it by (T3). */
  settle(): void;
}

export function createStation({ settings, managerLock, snapshot, find, onChange, log }: StationParts): Station {
  const isOn = (): boolean => settings.get().station.isOn && managerLock.hasPin();

  function switchOff(): void {
    const kept = settings.change({ station: { ...settings.get().station, isOn: false } });
    if (!kept.ok) {
      log('warning', 'station: that it is off is not kept', { kind: kept.failure.kind });
    }
  }

  return {
    isOn,
    handlers: {
      'station:find': async ({ text }) => {
        if (!isOn()) {
          return fail({ kind: 'notReady' });
        }
        // A program's lookup is in no list of recent ones, and turns nothing away.
        const found = await find({ text, source: 'program' });
        return succeed(found.ok ? stationAnswerOf(found.value, snapshot()) : { kind: 'askUs' });
      },
      'station:leave': async ({ pin }) => {
        if (!isOn()) {
          return fail({ kind: 'notReady' });
        }
        const tried = await managerLock.tryPin(pin);
        if (tried.ok) {
          switchOff();
          managerLock.note({ kind: 'setting', field: 'station.isOn', from: 'true', to: 'false' });
          onChange();
        }
        return tried;
      },
    },
    reduce: (read) => async (input) =>
      mapResult(await read(input), (state) => (isOn() ? stationStateOf(state) : state)),
    hear: (listener) => (name, payload) => {
      if (!isOn() || stationEvents[name] === 'sent') {
        listener(name, payload);
      } else if (name === 'terminal:changed') {
        listener('terminal:changed', stationStateOf(payload as TerminalState));
      }
    },
    prepare: async () => {
      if (!managerLock.hasPin()) {
        return fail({ kind: 'inputInvalid' });
      }
      await managerLock.handlers['lock:lockNow']({});
      return succeed(undefined);
    },
    settle: () => {
      if (settings.get().station.isOn && !managerLock.hasPin()) {
        log('warning', 'station: off, for there is no PIN to leave it by');
        switchOff();
      }
    },
  };
}
