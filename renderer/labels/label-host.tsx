import { useState, type ReactElement, type ReactNode } from 'react';
import { useStore } from 'zustand';
import { useLateStore } from '../stores/context.tsx';
import type { Stores } from '../stores/stores.ts';
import { ShelfLabels, type CollectedLabels, type LabelRequest } from './label-request.ts';
import { countLabels } from './print-parts.ts';
import { lazyDialog } from '../ui/lazy-part.tsx';

const LabelDialog = lazyDialog(async () => (await import('./label-dialog.tsx')).LabelDialog);

const createCollected = ({ make }: Stores) =>
  make<{ readonly labels: readonly CollectedLabels[] }>({}, () => ({ labels: [] }));

/** Holds the dialog beside the screen, so that a click in it is none on the screen. */
export function LabelHost({ children }: { readonly children: ReactNode }): ReactElement {
  const [request, setRequest] = useState<LabelRequest | null>(null);
  const store = useLateStore(createCollected);
  const { labels } = useStore(store);
  return (
    <ShelfLabels value={{ open: setRequest, waiting: countLabels(labels) }}>
      {children}
      {request !== null && (
        <LabelDialog
          request={request}
          close={() => setRequest(null)}
          collected={labels}
          onCollect={(collected) => store.setState({ labels: collected })}
          onPrinted={(printed) =>
            store.setState((now) => ({ labels: now.labels.filter((one) => !printed.includes(one)) }))
          }
        />
      )}
    </ShelfLabels>
  );
}
