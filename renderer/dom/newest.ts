import { useEffect, useRef } from 'react';

/**
 * Notes a question that is asked from here. The function that it returns says whether its answer is still wanted: nothing
 * has been asked since, and the component is still there.
 */
export function useNewest(): () => () => boolean {
  const newest = useRef(0);
  useEffect(
    () => () => {
      newest.current += 1;
    },
    [],
  );
  return () => {
    newest.current += 1;
    const mine = newest.current;
    return () => mine === newest.current;
  };
}
