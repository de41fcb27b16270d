import type { ReactElement } from 'react';
import { partDecimals } from '../formats/numbers.ts';

/** The number as it is written. */
export function NumberText({ text }: { readonly text: string }): ReactElement {
  const { main, more } = partDecimals(text);
  return (
    <>
      {main}
      {more !== '' && <span className="more-decimals">{more}</span>}
    </>
  );
}
