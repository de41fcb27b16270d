import { join } from 'node:path';
import type { Ports } from '../../ports.ts';
import { createStocktakes, type Stocktakes } from '../../stocktakes/stocktakes.ts';
import type { WorkspaceTarget } from './target.ts';

/** The counts of one store. */
export function openOwnStocktakes(
  { clock }: Pick<Ports, 'clock'>,
  target: WorkspaceTarget,
  { onStocktakesSetAside }: { readonly onStocktakesSetAside: (path: string) => void },
  pauseOpen: () => Promise<boolean>,
): Stocktakes {
  return createStocktakes({
    path: join(target.directory, 'stocktakes.db'),
    shop: target,
    clock,
    pause: pauseOpen,
    onSetAside: onStocktakesSetAside,
  });
}
