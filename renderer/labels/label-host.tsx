import { useState, type ReactElement, type ReactNode } from 'react';
import { OpenLabel, type CollectedLabels, type LabelRequest } from './label-request.ts';
import { lazyPart } from '../ui/lazy-part.tsx';

const LabelDialog = lazyPart(async () => (await import('./label-dialog.tsx')).LabelDialog);

/** Holds the dialog beside the screen, so that a click in it is none on the screen. */
export function LabelHost({ children }: { readonly children: ReactNode }): ReactElement {
  const [request, setRequest] = useState<LabelRequest | null>(null);
  const [collected, setCollected] = useState<readonly CollectedLabels[]>([]);
  return (
    <OpenLabel value={setRequest}>
      {children}
      {request !== null && (
        <LabelDialog request={request} close={() => setRequest(null)} collected={collected} onCollect={setCollected} />
      )}
    </OpenLabel>
  );
}
