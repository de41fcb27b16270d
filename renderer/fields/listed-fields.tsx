import { Button } from '@mantine/core';
import type { ReactElement } from 'react';
import type { ListedField, ListedFields } from '../../app/contract/fields.ts';
import { formatNumber } from '../formats/numbers.ts';
import { useCounted, useWords } from '../stores/context.tsx';
import { Samples } from './field-samples.tsx';

interface FoundFieldsProps {
  readonly listed: ListedFields;
  readonly isChosen: (path: string) => boolean;
  /** False once as many are chosen as can be. */
  readonly hasRoom: boolean;
  readonly choose: (field: ListedField) => void;
}

/** Fields of the listing; those that the app shows anyway are folded away. */
export function FoundFields({ listed, ...choosing }: FoundFieldsProps): ReactElement {
  const { t } = useWords();
  const counted = useCounted();
  const free = listed.fields.filter(({ ownPlace }) => ownPlace === null);
  const own = listed.fields.filter(({ ownPlace }) => ownPlace !== null);
  return (
    <>
      {free.length === 0 ? (
        <p className="hint">{t('fields.nothingElse')}</p>
      ) : (
        <FieldTable fields={free} {...choosing} />
      )}
      <p className="hint">
        {t(listed.isSample ? 'fields.sample' : 'fields.all', counted(listed.counted))}{' '}
        {listed.leftOut > 0 && t('fields.leftOut', counted(listed.leftOut))}
      </p>
      {own.length > 0 && (
        <details className="fold">
          <summary>{t('fields.own.title', counted(own.length))}</summary>
          <FieldTable fields={own} {...choosing} />
        </details>
      )}
    </>
  );
}

interface FieldTableProps extends Omit<FoundFieldsProps, 'listed'> {
  readonly fields: readonly ListedField[];
}

function FieldTable({ fields, isChosen, hasRoom, choose }: FieldTableProps): ReactElement {
  const { t, language } = useWords();
  return (
    <table className="field-table">
      <thead>
        <tr>
          <th scope="col">{t('fields.column.field')}</th>
          <th scope="col">{t('fields.column.samples')}</th>
          <th scope="col" className="field-count">
            {t('fields.column.products')}
          </th>
          <th scope="col">
            <span className="visually-hidden">{t('fields.show')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {fields.map((field) => {
          const { path, products, ownPlace } = field;
          const canChoose = hasRoom && !isChosen(path);
          return (
            <tr key={path}>
              <th scope="row">
                <bdi className="mono">{path}</bdi>
                {ownPlace !== null && <span className="hint"> {t(`fields.own.${ownPlace}`)}</span>}
              </th>
              <td>
                <Samples field={field} />
              </td>
              <td className="field-count">{formatNumber(products, language)}</td>
              <td>
                {/* It only looks disabled: one that is would lose the focus. */}
                <Button
                  variant="default"
                  aria-disabled={!canChoose}
                  {...(canChoose ? {} : { 'data-disabled': true })}
                  aria-label={t(isChosen(path) ? 'fields.shownOf' : 'fields.showOf', { path })}
                  onClick={() => canChoose && choose(field)}
                >
                  {t(isChosen(path) ? 'fields.shown' : 'fields.show')}
                </Button>
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
