import type { ReactElement } from 'react';
import type { LabelSize } from '../../app/contract/labels.ts';
import type { Failure } from '../../app/domain/failure.ts';
import type { LabelDrawing } from '../../app/domain/labels/drawing.ts';
import { Printed } from '../ui/printed.tsx';
import { pathOf } from './barcode-symbol.ts';
import { simplified } from './helvetica.ts';
import { labelPapers, pagesOf, type Copies } from './sizes.ts';

/** Draws the label's content, in millimetres. */
function Content({ drawing }: { readonly drawing: LabelDrawing }): ReactElement {
  return (
    <>
      <path d={pathOf(drawing.shapes, (point) => point)} fill="#000" fillRule="evenodd" shapeRendering="crispEdges" />
      {drawing.texts.map(({ text, x, y, size, weight, width }, index) => (
        <text
          // The texts of a label have no other name than their place.
          key={index}
          x={x}
          y={y}
          fontSize={size}
          fontWeight={weight === 'bold' ? 700 : 400}
          // As wide as the layout says, whatever the font; not where the layout cannot know it.
          textLength={simplified(text) === text ? width : undefined}
          lengthAdjust="spacingAndGlyphs"
        >
          {text}
        </text>
      ))}
    </>
  );
}

interface LabelPreviewProps {
  readonly drawing: LabelDrawing;
  readonly name: string;
}

/** One label, as large as there is room. */
export function LabelPreview({ drawing, name }: LabelPreviewProps): ReactElement {
  return (
    <svg
      className="label-preview label-ink"
      role="img"
      aria-label={name}
      viewBox={`0 0 ${drawing.width} ${drawing.height}`}
    >
      <Content drawing={drawing} />
    </svg>
  );
}

interface PrintedProps {
  readonly labels: readonly Copies<LabelDrawing>[];
  readonly size: LabelSize;
  /** The place of the first label on its sheet, counted from 1. */
  readonly first: number;
  /** On the printer that the settings name for labels, where that is one of the system's. */
  readonly isForLabelPrinter?: boolean;
  /** As of `Printed`. */
  readonly onDone: (failure: Failure | null) => void;
}

/** The pages on paper. */
export function PrintedLabels({ labels, size, first, isForLabelPrinter, onDone }: PrintedProps): ReactElement {
  const paper = labelPapers[size];
  const { width, height } = paper.page;
  return (
    <Printed
      className="label-ink"
      size={size}
      onDone={onDone}
      {...(isForLabelPrinter === true ? { page: paper.page } : {})}
    >
      {pagesOf(paper, labels, first).map((places, page) => (
        <svg key={page} width={`${width}mm`} height={`${height}mm`} viewBox={`0 0 ${width} ${height}`}>
          {places.map(({ x, y, label }) => (
            <g key={`${x} ${y}`} transform={`translate(${x} ${y})`}>
              <Content drawing={label} />
            </g>
          ))}
        </svg>
      ))}
    </Printed>
  );
}
