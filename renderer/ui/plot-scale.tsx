import type { ReactElement } from 'react';
import { useWords } from '../stores/context.tsx';
import { formatNumber } from '../formats/numbers.ts';

interface PlotScaleProps {
  readonly marks: readonly number[];
  /** How far below the upper edge of the picture a figure's line lies, in parts of the picture's height. */
  readonly placeOf: (mark: number) => number;
}

export function PlotScale({ marks, placeOf }: PlotScaleProps): ReactElement {
  const { language } = useWords();
  return (
    <span className="plot-scale" aria-hidden>
      {marks.map((mark) => (
        <span key={mark} style={{ top: `${placeOf(mark) * 100}%` }}>
          {formatNumber(mark, language)}
        </span>
      ))}
    </span>
  );
}
