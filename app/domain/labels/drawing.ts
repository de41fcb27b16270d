/** In the units of whatever it is a point of, y downwards. */
export type Point = readonly [x: number, y: number];

/** A text as it looks, for printers whose letters nobody knows. */
export interface TextPicture {
  /** In dots of the printer. */
  readonly columns: number;
  readonly rows: number;
  /** From the picture's top to the text's baseline. */
  readonly baseline: number;
  /** Base64 of the rows from the top, each in whole bytes, the leftmost dot highest; 1 is black. */
  readonly bits: string;
}

export interface LabelText {
  readonly text: string;
  readonly x: number;
  /** The baseline, from the top. */
  readonly y: number;
  readonly size: number;
  readonly weight: 'regular' | 'bold';
  readonly width: number;
  /** To which end of its width the text is moved where it comes out narrower. */
  readonly align: 'left' | 'middle' | 'right';
}

/** A label ready to be drawn; all lengths in millimetres, from the top left. */
export interface LabelDrawing<Text extends LabelText = LabelText> {
  readonly width: number;
  readonly height: number;
  readonly texts: readonly Text[];
  /** Closed polygons, filled by the even-odd rule; a bar is four points. */
  readonly shapes: readonly (readonly Point[])[];
}

/** A label ready for a printer; a picture is absent where the printer's own letters do. */
export type PrintedDrawing = LabelDrawing<LabelText & { readonly picture?: TextPicture | undefined }>;

/** True for four points that are a rectangle which stands upright. */
export function isUprightBar(shape: readonly Point[]): boolean {
  const [first, second, third, fourth] = shape;
  return (
    shape.length === 4 &&
    first?.[1] === second?.[1] &&
    second?.[0] === third?.[0] &&
    third?.[1] === fourth?.[1] &&
    fourth?.[0] === first?.[0]
  );
}
