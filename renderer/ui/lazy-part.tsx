import { createElement, lazy, Suspense, type ComponentType, type ReactElement, type ReactNode } from 'react';
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

function partOver<Props extends object>(
  fallback: ReactNode,
  read: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const Part = suspendingPart(read);
  return function LazyPart(props: Props): ReactElement {
    return (
      <Suspense fallback={fallback}>
        <Part {...props} />
      </Suspense>
    );
  };
}

/** The same, but nothing is drawn in its place until both are there. */
export const lazyPart = <Props extends object>(read: () => Promise<ComponentType<Props>>): ComponentType<Props> =>
  partOver(null, read);

/** A dialog that is open as long as it is there: what is behind it has no keys while it is read (dom/dialogs.ts). */
export const lazyDialog = <Props extends object>(read: () => Promise<ComponentType<Props>>): ComponentType<Props> =>
  partOver(<div aria-modal="true" hidden />, read);
