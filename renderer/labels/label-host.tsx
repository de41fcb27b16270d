import { Suspense, useCallback, useEffect, useRef, useState, type ReactElement, type ReactNode } from 'react';
import { OpenLabel, type CollectedLabels, type LabelRequest } from './label-request.ts';
import { lazyPart } from '../ui/lazy-part.tsx';

const LabelDialog = lazyPart(async () => (await import('./label-dialog.tsx')).LabelDialog);

/** Holds the dialog beside the screen, so that a click in it is none on the screen. */
export function LabelHost({ children }: { readonly children: ReactNode }): ReactElement {
  const [request, setRequest] = useState<LabelRequest | null>(null);
  const [collected, setCollected] = useState<readonly CollectedLabels[]>([]);
  const opener = useRef<Element | null>(null);
  const open = useCallback((wanted: LabelRequest): void => {
    opener.current = document.activeElement;
    setRequest(wanted);
  }, []);
  useEffect(() => {
    if (request === null && opener.current instanceof HTMLElement) {
      opener.current.focus({ preventScroll: true });
      opener.current = null;
    }
  }, [request]);
  return (
    <OpenLabel value={open}>
      {children}
      {request !== null && (
        <Suspense fallback={null}>
          <LabelDialog
            request={request}
            close={() => setRequest(null)}
            collected={collected}
            onCollect={setCollected}
          />
        </Suspense>
      )}
    </OpenLabel>
  );
}
