import { useEffect, type ReactElement, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import type { Failure } from '../../app/domain/failure.ts';
import { useStores } from '../stores/context.tsx';

interface PrintedProps {
  /** Of the style sheet of whoever prints. */
  readonly className: string;
  /** The paper, where the style sheet knows several. */
  readonly size?: string;
  /** The same in millimetres, where it is not the printer's own. */
  readonly page?: { readonly width: number; readonly height: number };
  /** Called when the system's dialog has been closed, whatever was done in it, or it was printed, or not, without one. */
  readonly onDone: (failure: Failure | null) => void;
  readonly children: ReactNode;
}

/** Shows its children on paper only; prints once, as soon as they are in the page. */
export function Printed({ className, size, page, onDone, children }: PrintedProps): ReactElement {
  const { bridge } = useStores();
  useEffect(() => {
    const close = (): void => onDone(null);
    let isHere = true;
    const print = async (): Promise<void> => {
      const printed = await bridge.call('printer:printPage', page ?? {});
      if (!printed.ok || printed.value.isPrinted) {
        onDone(printed.ok ? null : printed.failure);
      } else if (isHere) {
        window.addEventListener('afterprint', close, { once: true });
        window.print();
      }
    };
    void print();
    return () => {
      isHere = false;
      window.removeEventListener('afterprint', close);
    };
    // oxlint-disable-next-line react/exhaustive-deps -- one printing for one mounting
  }, []);
  return createPortal(
    <div className={`print-pages ${className}`} data-size={size} aria-hidden="true">
      {children}
    </div>,
    document.body,
  );
}
