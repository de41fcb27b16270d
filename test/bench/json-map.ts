// Owns the plainest way to keep products at hand, as a process of its own to compare with: read them all from a JSON file into a
// Map by barcode, look one up, and stay. Started with the file and a barcode; says "found" or "missing". Never used by the app.
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
