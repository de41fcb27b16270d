import type { WebContents } from 'electron';
import type { Shell } from '../../ports.ts';
import { checkEvent } from '../dispatch.ts';
import { eventChannel } from './channels.ts';
import type { HeldCalls } from './held-calls.ts';
import type { Link } from './link.ts';

export interface PageLinksOptions {
  readonly page: Pick<WebContents, 'on' | 'send' | 'isDestroyed'>;
  readonly calls: Pick<HeldCalls, 'onAnswer'>;
  /** Whether a link may choose what the page shows just now. */
  readonly mayOpen: () => boolean;
  readonly log: Shell['log'];
}

/**
 * Has a page do what links ask for, null for one that is not known. It can once it has read who is there, until it has
 * crashed or is loaded anew: the newest link that comes meanwhile waits.
 */
export function createPageLinks({ page, calls, mayOpen, log }: PageLinksOptions): (link: Link | null) => void {
  let isReady = false;
  let waiting: { readonly link: Link | null } | null = null;

  const send = (): void => {
    if (waiting === null || !isReady || page.isDestroyed()) {
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
    isReady = false;
  };
  page.on('render-process-gone', isGone);
  page.on('did-navigate', isGone);
  calls.onAnswer((sender, channel) => {
    if (sender === page && channel === 'terminal:read') {
      isReady = true;
      send();
    }
  });
  return (link) => {
    waiting = { link };
    send();
  };
}
