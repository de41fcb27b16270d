// Owns which product a shelf label is being made of, above the answer: a scan that comes meanwhile changes the answer behind the dialog,
// and leaves the dialog as it is. Never draws the dialog itself, which is loaded when it is first wanted.
import { lazy, Suspense, useState, type ReactElement, type ReactNode } from 'react';
import { OpenLabel, type LabelRequest } from './label-request.ts';

const LabelDialog = lazy(async () => ({ default: (await import('./label-dialog.tsx')).LabelDialog }));

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
