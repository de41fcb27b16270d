import type { ReactElement } from 'react';
import type { Failure } from '../../app/domain/failure.ts';
import { SettingField } from './setting-field.tsx';

interface Range {
  readonly min: number;
  readonly max: number;
}

interface FigureFieldProps {
  readonly label: string;
  readonly kept: number;
  readonly range: Range;
  /** Said where the text is no whole number within the range. */
  readonly wrong: string;
  readonly save: (figure: number) => unknown;
  readonly failure: Failure | null;
}

/** The whole number that a text says; null when it is none, or outside of the range. */
export function readFigure(text: string, { min, max }: Range): number | null {
  const figure = /^\d{1,5}$/.test(text.trim()) ? Number(text) : NaN;
  return figure >= min && figure <= max ? figure : null;
}

/** A setting that is a whole number. */
export function FigureField({ label, kept, range, wrong, save, failure }: FigureFieldProps): ReactElement {
  return (
    <SettingField
      label={label}
      isFigure
      kept={String(kept)}
      wrong={(text) => (readFigure(text, range) === null ? wrong : undefined)}
      save={(text) => save(Number(text))}
      failure={failure}
    />
  );
}
