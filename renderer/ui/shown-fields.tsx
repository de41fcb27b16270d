import type { ReactElement } from 'react';
import type { FieldPlace, ProductField } from '../../app/contract/fields.ts';
import { fieldsOn, fieldText } from '../formats/fields.ts';
import { useWords } from '../stores/context.tsx';

interface ShownFieldsProps {
  readonly fields: readonly ProductField[] | undefined;
  readonly place: FieldPlace;
  /** All of them where this is absent. */
  readonly most?: number;
}

/** Shows the fields of this place that the shop chose, else the usual ones; nothing where the listing has none. */
export function ShownFields({ fields, place, most }: ShownFieldsProps): ReactElement | null {
  return <FieldList fields={fieldsOn(fields, place).slice(0, most)} className="shown-fields" />;
}

interface FieldListProps {
  readonly fields: readonly Pick<ProductField, 'usual' | 'isPrice' | 'name' | 'kind' | 'value'>[];
  readonly className: string;
}

/** Fields with their names; nothing where there are none. */
export function FieldList({ fields, className }: FieldListProps): ReactElement | null {
  const { t, language } = useWords();
  return fields.length === 0 ? null : (
    <dl className={className}>
      {fields.map((field) => (
        <div key={field.name}>
          <dt>{field.usual === undefined ? <bdi>{field.name}</bdi> : t(`lookup.card.usual.${field.usual}`)}</dt>
          <dd>
            <bdi>{fieldText(field, t, language)}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  );
}
