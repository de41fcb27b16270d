import { createElement, lazy, Suspense, type ComponentType, type ReactElement } from 'react';
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
  const Part = suspendingPart(read);
  return function LazyPart(props: Props): ReactElement {
    return (
      <Suspense fallback={null}>
        <Part {...props} />
      </Suspense>
    );
  };
}
