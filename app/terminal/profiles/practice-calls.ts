import type { HandlersOf } from '../../contract/bridge.ts';
import { fail, succeed, mapResult } from '../../domain/result.ts';
import { probePlatform } from '../../platform/connection-test.ts';
import type { PracticePlatform } from '../../ports.ts';
import { hasPanel } from '../workspace/shop-state.ts';
import type { ShopsContext } from '../workspace/shop-changes.ts';
import type { Workspace } from '../workspace/workspace.ts';

/** Answers the calls of the practice store; all but the start fail with `notReady` while it is not open. */
export function createPracticeHandlers({
  ports: { shell },
  shop,
  changes,
  stateEvents: { changed },
}: ShopsContext): HandlersOf<'practice'> {
  function open(): { readonly platform: PracticePlatform; readonly workspace: Workspace } | null {
    const [platform, workspace] = [shop.practice(), shop.workspace()];
    return platform === null || workspace === null ? null : { platform, workspace };
  }

  return {
    'practice:start': () =>
      changes.inTurn(async () => {
        const started = await changes.holdingPhase(async () => (await shop.openPractice()).signedIn);
        changes.releasePhase();
        return started.ok ? succeed({}) : started;
      }),
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
