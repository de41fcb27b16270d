import type { ReactElement } from 'react';
import type { Failure } from '../../app/domain/failure.ts';
import { SettingField } from './setting-field.tsx';

interface FigureFieldsProps<Field extends string> {
  readonly fields: readonly Field[];
  readonly kept: Readonly<Record<Field, number>>;
  /** The figures that the texts say; null for one that is not possible beside the others. */
  readonly read: (texts: Readonly<Record<Field, string>>) => Readonly<Record<Field, number | null>>;
  readonly wordsOf: (field: Field) => { readonly label: string; readonly help?: string; readonly wrong: string };
  readonly save: (figures: Readonly<Record<Field, number>>) => unknown;
  readonly failure: (field: Field) => Failure | null;
}

/** The whole number that a text says; null when it is none, or outside of the range. */
export function readFigure(text: string, { min, max }: { readonly min: number; readonly max: number }): number | null {
  const figure = /^\d{1,5}$/.test(text.trim()) ? Number(text) : NaN;
  return figure >= min && figure <= max ? figure : null;
}

/** A whole number a field, each saved by itself. */
export function FigureFields<Field extends string>({
  fields,
  kept,
  read,
  wordsOf,
  save,
  failure,
}: FigureFieldsProps<Field>): ReactElement {
  const figuresWith = (changed: Field, text: string): Readonly<Record<Field, number | null>> => {
    const texts = fields.map((field) => [field, field === changed ? text : String(kept[field])]);
    return read(Object.fromEntries(texts) as Record<Field, string>);
  };
  return (
    <>
      {fields.map((field) => {
        const { label, help } = wordsOf(field);
        return (
          <SettingField
            key={field}
            label={label}
            description={help}
            isFigure
            kept={String(kept[field])}
            wrong={(text) => {
              const figures = figuresWith(field, text);
              const wrong = figures[field] === null ? field : fields.find((other) => figures[other] === null);
              if (wrong === undefined) {
                return undefined;
              }
              // It may itself be possible, and make another one impossible.
              return wrong === field ? wordsOf(wrong).wrong : `${wordsOf(wrong).label}: ${wordsOf(wrong).wrong}`;
            }}
            save={(text) => save(figuresWith(field, text) as Readonly<Record<Field, number>>)}
            failure={failure(field)}
          />
        );
      })}
    </>
  );
}
