import type { LookupAnswer, RecentLookup } from '../../app/contract/lookup.ts';
import type { ProductCard } from '../../app/contract/products.ts';
import type { HostBridge } from '../../app/contract/bridge.ts';

/** The members that the page of the Map also gives a measurement that runs in it. */
export interface MapPage {
  readonly cards: ReadonlyMap<string, ProductCard>;
}

function installMapBridge(): void {
  const cards = new Map<string, ProductCard>();
  const recent: RecentLookup[] = [];

  const fill = async (): Promise<void> => {
    for (let batch = 0; ; batch += 1) {
      const read = (await (await fetch(`/cards/${batch}`)).json()) as ProductCard[];
      if (read.length === 0) {
        return;
      }
      for (const card of read) {
        for (const barcode of card.barcodes) {
          cards.set(barcode, card);
        }
      }
    }
  };

  const find = (text: string): LookupAnswer => {
    const card = cards.get(text);
    if (card === undefined) {
      return { kind: 'unknown', text, asked: false };
    }
    const { stockId, stockName, productId, code, name, unit, balance } = card;
    recent.unshift({
      id: (recent[0]?.id ?? 0) + 1,
      at: Date.now(),
      text,
      answer: 'found',
      hit: { stockId, stockName, productId, code, name, unit, balance },
    });
    recent.splice(100);
    return { kind: 'found', text, cards: [card] };
  };

  const answer = async (channel: string, input: unknown): Promise<unknown> => {
    switch (channel) {
      case 'terminal:read':
        await fill();
        return (await fetch('/state')).json();
      case 'lookup:find':
        return find((input as { readonly text: string }).text);
      case 'lookup:listRecent':
        return [...recent];
      case 'product:readKept':
        return { movements: null, batches: null };
      case 'lookup:search':
      case 'lookup:findSimilar':
        return [];
      default:
        return { total: 0, rows: [] };
    }
  };

  const bridge: HostBridge = {
    invoke: async (channel, input) => ({ ok: true, value: await answer(channel, input) }),
    subscribe: () => () => undefined,
  };
  Object.defineProperty(window, 'tillside', { value: bridge });
  const page: MapPage = { cards };
  Object.defineProperty(window, 'mapPage', { value: page });
}

/** The script that the page loads instead of a host's bridge. */
export const mapBridgeScript = `(${installMapBridge.toString()})();\n`;
