import { Button } from '@mantine/core';
import type { ReactElement, RefObject } from 'react';

interface ClearButtonProps {
  readonly words: string;
  readonly field: RefObject<HTMLElement | null>;
  readonly clear: () => void;
}

/** Takes off what hides rows of a list. It goes with that, so the field has the keyboard from then on. */
export function ClearButton({ words, field, clear }: ClearButtonProps): ReactElement {
  return (
    <Button
      variant="default"
      onClick={() => {
        field.current?.focus();
        clear();
      }}
    >
      {words}
    </Button>
  );
}
