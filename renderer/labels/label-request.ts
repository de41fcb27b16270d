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

export const OpenLabel = createContext<(request: LabelRequest) => void>(() => {});

/** Opens the dialog of the shelf label. */
export function useOpenLabel(): (request: LabelRequest) => void {
  return use(OpenLabel);
}
