import type { HandlersOf } from '../../contract/bridge.ts';
import type { TerminalState } from '../../contract/terminal-state.ts';
import { fail, mapResult } from '../../domain/result.ts';
import type { LocalApi } from '../../ports.ts';
import type { OpenSettings } from '../../settings/settings.ts';

export interface TerminalLocalApiParts {
  /** Undefined where the host has no address for programs. */
  readonly api: LocalApi | undefined;
  readonly settings: OpenSettings;
  readonly changed: () => void;
}

/** Joins the choice with the host. */
export function createTerminalLocalApi({ api, settings, changed }: TerminalLocalApiParts) {
  const obey = (): void => {
    // The terminal's own token reaches whatever shop is open, and practice's nothing but practice.
    const hashes = [settings.terminal, settings].map((document) => document.get().localApiTokenHash);
    api?.use(settings.get().localApi, [...new Set(hashes.filter((hash) => hash !== null))]);
  };
  api?.listen(changed);
  const handlers: HandlersOf<'localApi'> = {
    'localApi:makeToken': () => {
      if (api === undefined) {
        return Promise.resolve(fail({ kind: 'notReady' }));
      }
      const { token, hash } = api.newToken();
      const kept = settings.changeForGood({ localApiTokenHash: hash });
      obey();
      changed();
      return Promise.resolve(mapResult(kept, () => ({ token })));
    },
  };
  return {
    handlers,
    /** Null where there is no such host. */
    state: (): TerminalState['localApi'] =>
      api === undefined ? null : { ...settings.get().localApi, ...api.status() },
    /** Has the host answer as is chosen now. */
    obey,
  };
}
