// What a till does at a hub, in a process of its own: it may be ended when a server makes it hang. It is sent the server
// and how often to read, and sends back what came of each reading, and the most memory that it has had.
import type { HubServer } from '../../app/hub/address.ts';
import type { HubFailure } from '../../app/hub/link.ts';
import { createPgLink } from '../../app/hosts/hub/pg-link.ts';

export interface Asking {
  readonly server: HubServer;
  readonly times: number;
  readonly timeoutMs: number;
}

export interface Asked {
  /** For each reading its failure; null where it was answered. */
  readonly failures: readonly (HubFailure | null)[];
  readonly peakMb: number;
}

process.on('message', ({ server, times, timeoutMs }: Asking) => {
  void (async () => {
    const failures: (HubFailure | null)[] = [];
    for (let time = 0; time < times; time += 1) {
      const link = createPgLink(server);
      const reading = await link.read('canary-account', timeoutMs);
      failures.push(reading.ok ? null : reading.failure);
      await link.close();
    }
    process.send?.({ failures, peakMb: process.resourceUsage().maxRSS / 1024 } satisfies Asked);
  })();
});
