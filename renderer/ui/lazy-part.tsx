import { createElement, lazy, type ComponentType, type ReactElement } from 'react';
import { useTranslation } from 'react-i18next';

/**
 * A part that is read when it is first drawn, with the sentences that the first screen does not need
 * (`locales/screens.*.json`). Suspends until both are there.
 */
export function lazyPart<Props extends object>(read: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const Part = lazy(async () => ({ default: await read() }));
  return function LazyPart(props: Props): ReactElement {
    useTranslation('screens', { useSuspense: true });
    return createElement(Part as ComponentType<Props>, props);
  };
}
