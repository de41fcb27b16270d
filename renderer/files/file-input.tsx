import type { ReactElement, RefObject } from 'react';

interface FileInputProps {
  /** The button that is seen clicks it. */
  readonly input: RefObject<HTMLInputElement | null>;
  readonly accept: string;
  readonly onChoose: (file: File) => void;
}

/** The page's own question for a file; it is not seen. */
export function FileInput({ input, accept, onChoose }: FileInputProps): ReactElement {
  return (
    <input
      ref={input}
      type="file"
      accept={accept}
      hidden
      onChange={({ currentTarget }) => {
        const [file] = currentTarget.files ?? [];
        // The same file again, mended meanwhile, is a change as well.
        currentTarget.value = '';
        if (file !== undefined) {
          onChoose(file);
        }
      }}
    />
  );
}
