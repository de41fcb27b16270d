// The stopwatch between a scan and its picture, inside of the page. Its function runs in the page before the app's own
// scripts and so uses nothing from outside itself. Never changes what the app shows.
//
// A scan ends with the Enter of a real key event of the browser's. Its `timeStamp` is when the browser received it from
// the operating system's place, before the page heard of it: that is when the stopwatch starts. It stops at two
// moments:
//
//   painted    the frame with the product's card has been drawn: requestAnimationFrame is called at the start of the
//   first frame
//              after the card's name came into the document, and the message that its callback posts to itself is
//              received as soon as that frame's style, layout and paint are done and handed to the compositor
//   presented  the browser's own word for when that frame was on the screen (Element Timing), which also holds the
//   compositor's
//              work, in software where there is no graphics card, and the wait for the screen's beat
export interface ScanTimes {
  readonly answeredMs: number;
  readonly paintedMs: number;
  readonly presentedMs: number;
}

/** What a measurement calls in the page. */
export interface ScanWatch {
  /** Resolves when the card of the product with this name is on the screen after the next Enter. */
  next(name: string): Promise<ScanTimes>;
}

function installScanWatch(): void {
  let enteredAt: number | null = null;
  // Before the app's own listener, which keeps a scan's keys to itself.
  window.addEventListener(
    'keydown',
    (event) => {
      if (event.key === 'Enter') {
        enteredAt = event.timeStamp;
      }
    },
    true,
  );

  const next = (name: string): Promise<ScanTimes> =>
    new Promise((resolve) => {
      enteredAt = null;
      const afterFrame = new MessageChannel();
      let answeredMs = 0;
      let paintedMs: number | null = null;
      let presentedMs: number | null = null;
      let isSeen = false;

      const settle = (): void => {
        if (paintedMs !== null && presentedMs !== null) {
          presentations.disconnect();
          resolve({ answeredMs, paintedMs, presentedMs });
        }
      };
      const presentations = new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
          if ((entry as PerformanceEntry & { readonly identifier: string }).identifier === name) {
            presentedMs = (entry as PerformanceEntry & { readonly renderTime: number }).renderTime - (enteredAt ?? 0);
            settle();
          }
        }
      });
      presentations.observe({ type: 'element' });
      afterFrame.port1.addEventListener('message', () => {
        paintedMs = performance.now() - (enteredAt ?? 0);
        settle();
      });
      afterFrame.port1.start();

      const changes = new MutationObserver(() => {
        const shown = document.querySelector('.card .card-name');
        if (isSeen || enteredAt === null || shown?.textContent !== name) {
          return;
        }
        isSeen = true;
        changes.disconnect();
        answeredMs = performance.now() - enteredAt;
        shown.setAttribute('elementtiming', name);
        requestAnimationFrame(() => {
          afterFrame.port2.postMessage(null);
        });
      });
      changes.observe(document, { childList: true, subtree: true, characterData: true });
    });

  const watch: ScanWatch = { next };
  Object.defineProperty(window, 'scanWatch', { value: watch });
}

/** The script that a page loads before the app's own. */
export const scanWatchScript = `(${installScanWatch.toString()})();\n`;
