import { fail, type Result } from '../domain/result.ts';
import type { HubFailure, HubLink } from './link.ts';

/** A link that `open` makes when it is first needed; while that answers a failure, every call fails with it. */
export function createLazyLink(open: () => Promise<Result<HubLink, HubFailure>>): HubLink {
  let opened: HubLink | null = null;
  const listeners: ((account: string) => void)[] = [];

  async function call<Value>(
    action: (link: HubLink) => Promise<Result<Value, HubFailure>>,
  ): Promise<Result<Value, HubFailure>> {
    if (opened === null) {
      const link = await open();
      if (!link.ok) {
        return fail(link.failure);
      }
      opened = link.value;
      opened.onBell((account) => {
        listeners.forEach((listener) => listener(account));
      });
    }
    return action(opened);
  }

  return {
    read: (...input) => call((link) => link.read(...input)),
    write: (...input) => call((link) => link.write(...input)),
    onBell: (listener) => {
      listeners.push(listener);
    },
    close: async () => {
      await opened?.close();
    },
  };
}
