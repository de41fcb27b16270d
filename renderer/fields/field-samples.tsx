import type { ReactElement } from 'react';
import type { ListedField } from '../../app/contract/fields.ts';
import { fieldText } from '../formats/fields.ts';
import { useWords } from '../stores/context.tsx';

/** Values of a field as they will be shown. */
export function Samples({ field }: { readonly field: Pick<ListedField, 'samples'> }): ReactElement {
  const { t, language } = useWords();
  return (
    <span className="field-samples">
      {field.samples.map((sample) => (
        <bdi key={sample.value}>{fieldText(sample, t, language)}</bdi>
      ))}
    </span>
  );
}
