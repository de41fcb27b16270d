import { createElement, lazy, Suspense, useEffect, type ComponentType, type ReactElement, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

/**
 * A part that is read when it is first drawn, with the sentences that the first screen does not need
 * (`locales/screens.*.json`). Suspends until both are there.
 */
export function suspendingPart<Props extends object>(read: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const Part = lazy(async () => ({ default: await read() }));
  return function SuspendingPart(props: Props): ReactElement {
    useTranslation('screens', { useSuspense: true });
    return createElement(Part as ComponentType<Props>, props);
  };
}

/** The same, but nothing is drawn in its place until both are there. */
export function lazyPart<Props extends object>(read: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  return partOver(read, () => null);
}

function partOver<Props extends object>(
  read: () => Promise<ComponentType<Props>>,
  until: (props: Props) => ReactNode,
): ComponentType<Props> {
  const Part = suspendingPart(read);
  return function LazyPart(props: Props): ReactElement {
    return (
      <Suspense fallback={until(props)}>
        <Part {...props} />
      </Suspense>
    );
  };
}

/** Says that a dialog is open (dom/dialogs.ts), and is closed like any other: the part itself may take minutes. */
function ComingDialog({ close }: { readonly close: () => void }): ReactElement {
  useEffect(() => {
    const closeByKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && !event.isComposing) {
        // Nothing that is behind hears of it.
        event.preventDefault();
        event.stopPropagation();
        close();
      }
    };
    window.addEventListener('keydown', closeByKey, true);
    return () => window.removeEventListener('keydown', closeByKey, true);
  }, [close]);
  return <div aria-modal="true" hidden />;
}

/** A dialog that is open as long as it is there: what is behind it has no keys while it is read, and Escape closes it. */
export const lazyDialog = <Props extends { readonly close: () => void }>(
  read: () => Promise<ComponentType<Props>>,
): ComponentType<Props> => partOver(read, ({ close }) => <ComingDialog close={close} />);
