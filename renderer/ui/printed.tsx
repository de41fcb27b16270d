import { useEffect, type ReactElement, type ReactNode } from 'react';
import { createPortal } from 'react-dom';

interface PrintedProps {
  /** Of the style sheet of whoever prints. */
  readonly className: string;
  /** The paper, where the style sheet knows several. */
  readonly size?: string;
  /** Called when the system's dialog has been closed, whatever was done in it. */
  readonly onDone: () => void;
  /** Prints the page otherwise than by the system's dialog; `onDone` is not called then. */
  readonly print?: () => void;
  readonly children: ReactNode;
}

/** Shows its children on paper only; prints once, as soon as they are in the page. */
export function Printed({ className, size, onDone, print, children }: PrintedProps): ReactElement {
  useEffect(() => {
    if (print !== undefined) {
      print();
      return undefined;
    }
    window.addEventListener('afterprint', onDone, { once: true });
    window.print();
    return () => window.removeEventListener('afterprint', onDone);
    // oxlint-disable-next-line react/exhaustive-deps -- one printing for one mounting
  }, []);
  return createPortal(
    <div className={`print-pages ${className}`} data-size={size} aria-hidden="true">
      {children}
    </div>,
    document.body,
  );
}
