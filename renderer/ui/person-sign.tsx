import type { ReactElement } from 'react';
import { shortNameOf } from '../cashiers/initials.ts';

/** Initials in a circle, in the place of a photo; a screen reader reads the e-mail beside it. */
export function PersonSign({ email }: { readonly email: string }): ReactElement {
  return (
    <span className="person-sign" aria-hidden="true">
      {shortNameOf(email).initials}
    </span>
  );
}
