import { createListeners } from '../domain/listeners.ts';
import { fail, type Result } from '../domain/result.ts';
import type { HubFailure, HubFailureKind, HubLink } from './link.ts';

const refusals: ReadonlySet<HubFailureKind> = new Set(['wrongPassword', 'notLetIn']);
const losses: ReadonlySet<HubFailureKind> = new Set(['unreachable', 'noAnswer', ...refusals]);

/**
 * A link that `open` makes when it is first needed, and again after a call that did not reach it, or, `isRefused`,
 * was refused; while that answers a failure, every call fails with it.
 */
export function createLazyLink(open: (isRefused: boolean) => Promise<Result<HubLink, HubFailure>>): HubLink {
  let opened: HubLink | null = null;
  let isRefused = false;
  let opening: ReturnType<typeof open> | null = null;
  const bell = createListeners<[account: string]>();

  async function call<Value>(
    action: (link: HubLink) => Promise<Result<Value, HubFailure>>,
  ): Promise<Result<Value, HubFailure>> {
    if (opened === null) {
      opening ??= open(isRefused);
      const link = await opening;
      opening = null;
      if (!link.ok) {
        return fail(link.failure);
      }
      if (opened !== link.value) {
        opened = link.value;
        opened.onBell(bell.emit);
      }
    }
    const used = opened;
    const result = await action(used);
    if (!result.ok && losses.has(result.failure.kind) && opened === used) {
      // Whoever could not get a sign-in of its own, for the hub did not answer, gets it with the next link.
      [opened, isRefused] = [null, isRefused || refusals.has(result.failure.kind)];
      void used.close();
    }
    return result;
  }

  return {
    read: (...input) => call((link) => link.read(...input)),
    write: (...input) => call((link) => link.write(...input)),
    onBell: bell.add,
    close: async () => {
      await opened?.close();
    },
  };
}
