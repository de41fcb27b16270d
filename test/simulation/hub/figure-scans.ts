import type { Id } from '../../../app/domain/int64.ts';
import type { SeededRandom } from '../../support/seeded-random.ts';
import type { World } from '../virtual-clock.ts';
import type { HubTerminal } from './hub-terminal.ts';

/**
 * Scans of products that nobody else scans. What another till's listing answers is heard as long after its answer as a
 * hub takes to write it and to ring, and ends the wait of whoever was in it; `heardPart` of such answers is heard.
 */
export function askFigures(world: World, random: SeededRandom, heardPart = 1) {
  const waiting = new Map<Id, () => void>();
  let asked = 0;
  let joined = 0;
  return {
    joined: (): number => joined,
    ask: (terminal: HubTerminal, waited: (ms: number) => void): void => {
      const [fromMs, controller] = [world.nowMs(), new AbortController()];
      const productId = String((asked += 1)) as Id;
      const end = (ms: number): void => {
        waiting.delete(productId);
        waited(ms);
      };
      waiting.set(productId, () => {
        joined += 1;
        controller.abort();
        end(world.nowMs() - fromMs);
      });
      terminal.ask('person', end, {
        figure: { scope: '1/1', productId },
        signal: controller.signal,
        onAnswer: (others) => {
          world.after(random.integer(15, 150), () => {
            for (const other of random.chance(heardPart) ? others : []) {
              waiting.get(other)?.();
            }
          });
        },
      });
    },
  };
}
