import type { ProductCard } from '../../app/contract/products.ts';
import { linesOf } from './lines.ts';

const [path = '', code = ''] = process.argv.slice(2);
const cards = new Map<string, ProductCard>();
// One line a batch.
for await (const line of linesOf(path)) {
  for (const card of JSON.parse(line) as ProductCard[]) {
    for (const barcode of card.barcodes) {
      cards.set(barcode, card);
    }
  }
}
console.log(cards.has(code) ? 'found' : 'missing');
// Only its end is waited for now.
setInterval(() => cards.size, 60_000);
