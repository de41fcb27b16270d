// Owns which product a shelf label is being made of, above the answer: a scan that comes meanwhile changes the answer behind the dialog,
// and leaves the dialog as it is. Never draws the dialog itself, which is loaded when it is first wanted.
import { createContext, lazy, Suspense, use, useState, type ReactElement, type ReactNode } from 'react';
import type { ProductCard } from '../../app/contract/contract.ts';

export interface LabelRequest {
  readonly card: ProductCard;
  /** The text by which the product was found. */
  readonly scanned: string;
}

const OpenLabel = createContext<(request: LabelRequest) => void>(() => {});
const LabelDialog = lazy(async () => ({ default: (await import('./label-dialog.tsx')).LabelDialog }));

/** Opens the dialog of the shelf label. */
export function useOpenLabel(): (request: LabelRequest) => void {
  return use(OpenLabel);
}

/** Holds the dialog beside the screen, so that a click in it is none on the screen. */
export function LabelHost({ children }: { readonly children: ReactNode }): ReactElement {
  const [request, setRequest] = useState<LabelRequest | null>(null);
  return (
    <OpenLabel value={setRequest}>
      {children}
      {request !== null && (
        <Suspense fallback={null}>
          <LabelDialog request={request} close={() => setRequest(null)} />
        </Suspense>
      )}
    </OpenLabel>
  );
}
