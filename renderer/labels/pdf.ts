// Why no library: app/decisions/0009.
import { isUprightBar, type LabelDrawing, type LabelText, type Point } from '../../app/domain/labels/drawing.ts';
import { simplified, winAnsiCode } from './helvetica.ts';
import { pagesOf, type Copies, type LabelPaper } from './sizes.ts';

const pointsPerMillimetre = 72 / 25.4;

/** A length in points, with a precision of half a micrometre. */
function points(millimetres: number): string {
  return String(Number((millimetres * pointsPerMillimetre).toFixed(3)));
}

/** A literal string (§7.3.4.2) in WinAnsiEncoding. */
function literal(text: string): string {
  return `(${[...simplified(text)]
    .map((character) => {
      const code = winAnsiCode(character) ?? 63;
      const plain = '()\\'.includes(character) ? `\\${character}` : character;
      return code > 126 ? `\\${code.toString(8)}` : plain;
    })
    .join('')})`;
}

/** A text of the document's information (§7.9.2.2), in UTF-16. */
function unicode(text: string): string {
  return `<FEFF${Array.from({ length: text.length }, (_, place) => text.charCodeAt(place).toString(16).padStart(4, '0').toUpperCase()).join('')}>`;
}

function stream(dictionary: string, content: string): string {
  return `<< ${dictionary}/Length ${content.length} >>\nstream\n${content}\nendstream`;
}

/** A bar as a rectangle, all else as a path; y points upwards in a PDF. */
function areaOf(shape: readonly Point[], height: number): string {
  const xs = shape.map(([x]) => x);
  const ys = shape.map(([, y]) => y);
  if (isUprightBar(shape)) {
    const [left, bottom] = [Math.min(...xs), Math.max(...ys)];
    return `${points(left)} ${points(height - bottom)} ${points(Math.max(...xs) - left)} ${points(bottom - Math.min(...ys))} re`;
  }
  return `${shape.map(([x, y], place) => `${points(x)} ${points(height - y)} ${place === 0 ? 'm' : 'l'}`).join(' ')} h`;
}

function textOf({ text, x, y, size, weight }: LabelText, height: number): string {
  return `BT /${weight === 'bold' ? 'B' : 'R'} ${points(size)} Tf 1 0 0 1 ${points(x)} ${points(height - y)} Tm ${literal(text)} Tj ET`;
}

function contentOf({ shapes, texts, height }: LabelDrawing): string {
  return [
    ...shapes.map((shape) => areaOf(shape, height)),
    ...(shapes.length === 0 ? [] : ['f*']),
    ...texts.map((text) => textOf(text, height)),
  ].join('\n');
}

/** The file's parts one after the other: so many copies of each label on this paper, from the place `first` on. */
export function writePdf(
  labels: readonly Copies<LabelDrawing>[],
  paper: LabelPaper,
  first: number,
  title: string,
): string {
  const { width, height } = paper.page;
  const objects: string[] = [];
  const add = (content: string): number => objects.push(content);

  const catalogue = add('');
  const tree = add('');
  const font = (name: string): number =>
    add(`<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`);
  const [regular, bold] = [font('Helvetica'), font('Helvetica-Bold')];
  const forms = labels.map(({ label }) =>
    add(
      stream(
        `/Type /XObject /Subtype /Form /BBox [0 0 ${points(label.width)} ${points(label.height)}] /Resources << /Font << /R ${regular} 0 R /B ${bold} 0 R >> >> `,
        contentOf(label),
      ),
    ),
  );
  const resources = `<< /XObject << ${forms.map((form, place) => `/L${place} ${form} 0 R`).join(' ')} >> >>`;
  const numbered = labels.map(({ label, copies }, place) => ({ label: { place, height: label.height }, copies }));
  // Pages that look the same share what draws them.
  const drawn = new Map<string, number>();
  const pages = pagesOf(paper, numbered, first).map((places) => {
    const content = places
      .map(({ x, y, label }) => `q 1 0 0 1 ${points(x)} ${points(height - y - label.height)} cm /L${label.place} Do Q`)
      .join('\n');
    const draws = drawn.get(content) ?? add(stream('', content));
    drawn.set(content, draws);
    return add(
      `<< /Type /Page /Parent ${tree} 0 R /MediaBox [0 0 ${points(width)} ${points(height)}] /Resources ${resources} /Contents ${draws} 0 R >>`,
    );
  });
  objects[tree - 1] =
    `<< /Type /Pages /Kids [${pages.map((page) => `${page} 0 R`).join(' ')}] /Count ${pages.length} >>`;
  // Whoever prints the file should get the very millimetres.
  objects[catalogue - 1] = `<< /Type /Catalog /Pages ${tree} 0 R /ViewerPreferences << /PrintScaling /None >> >>`;
  const information = add(`<< /Title ${unicode(title)} /Producer (Tillside) >>`);

  let file = '%PDF-1.7\n';
  const offsets = objects.map((object, place) => {
    const offset = file.length;
    file += `${place + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  return `${file}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}trailer\n<< /Size ${objects.length + 1} /Root ${catalogue} 0 R /Info ${information} 0 R >>\nstartxref\n${file.length}\n%%EOF\n`;
}
