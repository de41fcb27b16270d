import type { WebContents } from 'electron';
import type { Shell } from '../../ports.ts';
import { checkEvent } from '../dispatch.ts';
import { eventChannel } from './channels.ts';
import type { HeldCalls } from './held-calls.ts';
import type { Link } from './link.ts';

export interface PageLinksOptions {
  readonly page: Pick<WebContents, 'on' | 'send' | 'isDestroyed'>;
  readonly calls: Pick<HeldCalls, 'onCall'>;
  /** Whether a link may choose what the page shows just now. */
  readonly mayOpen: () => boolean;
  readonly log: Shell['log'];
}

/**
 * Has a page do what links ask for, null for one that is not known. It hears events from its first call on, until it has
 * crashed or is loaded anew: the newest link that comes meanwhile waits.
 */
export function createPageLinks({ page, calls, mayOpen, log }: PageLinksOptions): (link: Link | null) => void {
  let isHearing = false;
  let waiting: { readonly link: Link | null } | null = null;

  const send = (): void => {
    if (waiting === null || !isHearing || page.isDestroyed()) {
      return;
    }
    const { link } = waiting;
    waiting = null;
    const checked = mayOpen() ? checkEvent('link:opened', link ?? { kind: 'refused' }, log) : undefined;
    if (checked !== undefined) {
      page.send(eventChannel, 'link:opened', checked);
    }
  };
  const isGone = (): void => {
    isHearing = false;
  };
  page.on('render-process-gone', isGone);
  page.on('did-navigate', isGone);
  calls.onCall((sender) => {
    if (sender === page) {
      isHearing = true;
      send();
    }
  });
  return (link) => {
    waiting = { link };
    send();
  };
}
