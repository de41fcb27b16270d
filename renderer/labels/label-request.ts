import { createContext, use } from 'react';
import type { ProductCard } from '../../app/contract/products.ts';
import type { LabelContent } from './layout.ts';

export interface LabelRequest {
  readonly card: ProductCard;
  /** The text by which the product was found. */
  readonly scanned: string;
}

/** A product whose labels are printed together with the next one's. */
export interface CollectedLabels {
  readonly content: LabelContent;
  readonly copies: number;
}

interface ShelfLabels {
  /** Opens the dialog. */
  readonly open: (request: LabelRequest) => void;
  /** How many were collected for the next product's printing. */
  readonly waiting: number;
}

export const ShelfLabels = createContext<ShelfLabels>({ open: () => {}, waiting: 0 });

/** The dialog of the shelf label, and what waits in it. */
export function useShelfLabels(): ShelfLabels {
  return use(ShelfLabels);
}
