import type { WebContents, WebFrameMain } from 'electron';

export const pageOrigin = 'app://tillside';

/** Whether this is the main frame of one of these pages, at our own address. */
export function isOurPage(
  frame: Pick<WebFrameMain, 'origin'> | null,
  pages: readonly Pick<WebContents, 'mainFrame'>[],
): boolean {
  return frame !== null && frame.origin === pageOrigin && pages.some((page) => frame === page.mainFrame);
}
