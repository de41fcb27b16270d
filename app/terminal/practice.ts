import type { PracticeState } from '../contract/practice.ts';
import type { Handlers } from '../contract/bridge.ts';
import { fail, succeed, mapResult } from '../domain/result.ts';
import { probePlatform } from '../platform/connection-test.ts';
import type { Http, PracticePlatform, Shell } from '../ports.ts';
import type { Workspace } from './workspace.ts';

/** A number, for a name could be made to mean another machine. */
const loopbackHost = /^(?:127(?:\.\d{1,3}){3}|\[::1\])$/;

/** An Http that sends nothing to any address but loopback's: what names another fails with `addressNotSecure`. */
export function onlyLoopback(http: Http): Http {
  return {
    send: (request) => {
      const url = URL.parse(request.url);
      return url !== null && url.protocol === 'http:' && loopbackHost.test(url.hostname)
        ? http.send(request)
        : Promise.resolve(
            fail({ kind: 'addressNotSecure', message: 'the practice store speaks to this machine alone' }),
          );
    },
  };
}

/** What screens need to know of the practice store; null while a real one, or none, is open. */
export function practiceStateOf(
  practice: PracticePlatform | null,
  { device }: Pick<Shell, 'device'>,
): PracticeState | null {
  return practice === null ? null : { isNetworkDown: practice.isNetworkDown(), hasPanel: hasPanel(device) };
}

/** A browser beside a window that fills the screen is a way out of it. */
const hasPanel = (device: Shell['device']): boolean => device?.isKiosk !== true;

export interface PracticeParts {
  readonly shell: Shell;
  /** The practice platform and the store that is open on it; null while a real store, or none, is open. */
  readonly open: () => { readonly platform: PracticePlatform; readonly workspace: Workspace } | null;
  /** The state has changed. */
  readonly changed: () => void;
}

/** Answers the calls of the practice store; each fails with `notReady` while it is not open. */
export function createPracticeHandlers({
  shell,
  open,
  changed,
}: PracticeParts): Pick<Handlers, 'practice:signIn' | 'practice:setNetwork' | 'practice:openPanel'> {
  return {
    'practice:signIn': async () => {
      const practice = open();
      if (practice === null) {
        return fail({ kind: 'notReady' });
      }
      const { platform, workspace } = practice;
      const signedIn = await workspace.session.signIn(platform.email, platform.password);
      return mapResult(signedIn, () => ({}));
    },
    'practice:setNetwork': ({ isDown }) => {
      const practice = open();
      if (practice === null) {
        return Promise.resolve(fail({ kind: 'notReady' }));
      }
      if (practice.platform.isNetworkDown() !== isDown) {
        practice.platform.setNetworkDown(isDown);
        changed();
        // So that the cashier sees at once what a real outage shows after the next request.
        void probePlatform(practice.workspace.exchange, practice.workspace.rateLimit, 'person');
      }
      return Promise.resolve(succeed({}));
    },
    'practice:openPanel': () => {
      const practice = open();
      if (practice === null || !hasPanel(shell.device)) {
        return Promise.resolve(fail({ kind: 'notReady' }));
      }
      const { controlUrl } = practice.platform;
      shell.openInBrowser?.(controlUrl);
      return Promise.resolve(succeed({ url: shell.openInBrowser === undefined ? controlUrl : null }));
    },
  };
}
