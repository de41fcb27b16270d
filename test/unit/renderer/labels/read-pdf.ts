interface ReadPdf {
  readonly pages: readonly { readonly width: number; readonly height: number; readonly content: string }[];
  /** Drawings that the pages repeat. */
  readonly label: string;
  readonly texts: readonly { readonly text: string; readonly x: number; readonly y: number; readonly size: number }[];
  readonly rectangles: readonly {
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
  }[];
  readonly catalogue: string;
  readonly fonts: readonly string[];
}

function must<Value>(value: Value | null | undefined, what: string): Value {
  if (value === null || value === undefined) throw new Error(`no ${what}`);
  return value;
}

const numbers = (text: string): number[] => text.trim().split(/\s+/).map(Number);

/** Decodes a string of WinAnsiEncoding, as far as ISO 8859-1 goes. */
function readLiteral(text: string): string {
  return text.replaceAll(/\\(\d{3}|.)/g, (_whole, escaped: string) =>
    escaped.length === 3 ? String.fromCharCode(Number.parseInt(escaped, 8)) : escaped,
  );
}

export function readPdf(file: string): ReadPdf {
  if (!file.startsWith('%PDF-1.7\n') || !file.endsWith('%%EOF\n')) throw new Error('not a PDF');
  // oxlint-disable-next-line no-control-regex -- that is the point
  if (/[^\x00-\x7e]/.test(file)) throw new Error('not ASCII');
  const start = Number(must(/startxref\n(\d+)\n%%EOF\n$/.exec(file)?.[1], 'startxref'));
  const table = must(
    /^xref\n0 (\d+)\n((?:\d{10} \d{5} [nf] \n)+)trailer\n(.*)\n/.exec(file.slice(start)),
    'cross-reference table',
  );
  const rows = must(table[2], 'rows').trimEnd().split('\n');
  if (rows.length !== Number(table[1])) throw new Error('the table has other rows than it says');
  const object = (number: number): string => {
    const at = Number(must(rows[number], `row ${number}`).slice(0, 10));
    const head = `${number} 0 obj\n`;
    if (!file.startsWith(head, at)) throw new Error(`object ${number} is not at ${at}`);
    return file.slice(at + head.length, file.indexOf('\nendobj\n', at));
  };
  const reference = (text: string, name: string): number =>
    Number(must(new RegExp(`/${name} (\\d+) 0 R`).exec(text)?.[1], name));
  const streamOf = (number: number): string => {
    const match = must(/\/Length (\d+) >>\nstream\n([^]*)\nendstream$/.exec(object(number)), `stream ${number}`);
    const content = must(match[2], 'content');
    if (content.length !== Number(match[1])) throw new Error(`stream ${number} is not as long as it says`);
    return content;
  };
  const catalogue = object(reference(must(table[3], 'trailer'), 'Root'));
  const tree = object(reference(catalogue, 'Pages'));
  const kids = [...must(/\/Kids \[(.*)\]/.exec(tree)?.[1], 'kids').matchAll(/(\d+) 0 R/g)].map((match) =>
    Number(match[1]),
  );
  if (kids.length !== Number(/\/Count (\d+)/.exec(tree)?.[1])) throw new Error('the tree has other pages than it says');
  const pages = kids.map((kid) => {
    const page = object(kid);
    const [, , width = 0, height = 0] = numbers(must(/\/MediaBox \[(.*?)\]/.exec(page)?.[1], 'box'));
    return { width, height, content: streamOf(reference(page, 'Contents')) };
  });
  const form = reference(object(must(kids[0], 'page')), 'L0');
  const label = streamOf(form);
  return {
    pages,
    label,
    texts: [...label.matchAll(/BT \/[RB] (\S+) Tf 1 0 0 1 (\S+) (\S+) Tm \(((?:\\.|[^()\\])*)\) Tj ET/g)].map(
      ([, size, x, y, text]) => ({ text: readLiteral(text ?? ''), x: Number(x), y: Number(y), size: Number(size) }),
    ),
    rectangles: [...label.matchAll(/^(.*) re$/gm)].map((match) => {
      const [x = 0, y = 0, width = 0, height = 0] = numbers(match[1] ?? '');
      return { x, y, width, height };
    }),
    catalogue,
    fonts: ['R', 'B'].map((name) => object(reference(object(form), name))),
  };
}
