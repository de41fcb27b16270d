import { Loader } from '@mantine/core';
import type { ReactElement } from 'react';

export function Working({ words }: { readonly words: string }): ReactElement {
  return (
    <p className="working" role="status">
      <Loader size="sm" /> {words}
    </p>
  );
}
