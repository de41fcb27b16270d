// The stopwatch between a scan and its picture, inside of the page. Its function runs in the page before the app's own
// scripts and so uses nothing from outside itself. Never changes what the app shows.
//
// A scan ends with the Enter of a real key event of the browser's. Its `timeStamp` is when the browser received it from
// the operating system's place, before the page heard of it: that is when the stopwatch starts. It stops at two
// moments:
//
//   painted    the browser's own word for when the style and layout of the frame with the product's card were done
//              (Element Timing's paintTime); to paint and hand it over took another 1.5 ms in traces
//   presented  the same for when that frame was on the screen, which also holds the compositor's work, in software
//              where there is no graphics card, and the wait for the screen's beat
export interface ScanTimes {
  readonly answeredMs: number;
  readonly paintedMs: number;
  readonly presentedMs: number;
}

/** The functions that a measurement calls in the page. */
export interface ScanWatch {
  /** Resolves when the card of the product with this name is on the screen after the next Enter. */
  next(name: string): Promise<ScanTimes>;
}

interface PaintedElement extends PerformanceEntry {
  readonly identifier: string;
  readonly paintTime: number;
  readonly presentationTime: number;
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
      let answeredMs = 0;

      const presentations = new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as PaintedElement[]) {
          if (entry.identifier === name && enteredAt !== null && entry.paintTime > enteredAt) {
            presentations.disconnect();
            resolve({
              answeredMs,
              paintedMs: entry.paintTime - enteredAt,
              presentedMs: entry.presentationTime - enteredAt,
            });
          }
        }
      });
      presentations.observe({ type: 'element' });

      const changes = new MutationObserver(() => {
        const shown = document.querySelector('.card .card-name');
        if (enteredAt === null || shown?.textContent !== name) {
          return;
        }
        changes.disconnect();
        answeredMs = performance.now() - enteredAt;
        shown.setAttribute('elementtiming', name);
      });
      changes.observe(document, { childList: true, subtree: true, characterData: true });
    });

  const watch: ScanWatch = { next };
  Object.defineProperty(window, 'scanWatch', { value: watch });
}

/** The script that a page loads before the app's own. */
export const scanWatchScript = `(${installScanWatch.toString()})();\n`;
