// The tags and texts of a part, one after the other: no tree, no stack, no entities but XML's own five. So nesting costs
// nothing, and memory is one tag's.
import { Refusal } from './refusal.ts';

/** Excel's longest have some hundred characters. */
const maxTagLength = 65_536;

export interface Tag {
  /** "" where it has none. */
  readonly prefix: string;
  /** Without its prefix. */
  readonly name: string;
  readonly kind: 'open' | 'close' | 'empty';
  /** All of it. */
  readonly text: string;
}

export interface XmlListener {
  readonly onTag: (tag: Tag) => void;
  /** A piece of text as it is written; `decodeText` says what it means when all pieces are there. */
  readonly onText: (text: string) => void;
}

// A comment, CDATA, an instruction or a tag; a quoted value may hold the sign that ends one. A name is taken whole, or of
// one whose tag has no end yet each part would be tried as the name.
const markup =
  /<!--[^]*?-->|<!\[CDATA\[([^]*?)\]\]>|<\?[^]*?\?>|<(\/?)(?:([\w.-]+):)?([\w.-]+)(?![\w.-])((?:[^<>"']|"[^"<]*"|'[^'<]*')*)>/y;

/** Reads a part to its end. Refuses all other markup, and so a document type, which could define entities. */
export async function scanXml(pieces: AsyncIterable<string>, { onTag, onText }: XmlListener): Promise<void> {
  let rest = '';
  for await (const piece of pieces) {
    const text = rest + piece;
    let at = 0;
    for (;;) {
      const open = text.indexOf('<', at);
      if (open === -1 || open > at) {
        onText(text.slice(at, open === -1 ? text.length : open));
      }
      at = open === -1 ? text.length : open;
      markup.lastIndex = at;
      const found = open === -1 ? null : markup.exec(text);
      if (found === null) {
        break;
      }
      at = markup.lastIndex;
      const [whole, quoted, slash, prefix = '', name, attributes = ''] = found;
      if (quoted !== undefined) {
        onText(quoted.replaceAll('&', '&amp;'));
      } else if (name !== undefined) {
        const kind = attributes.endsWith('/') ? 'empty' : 'open';
        onTag({ prefix, name, kind: slash === '/' ? 'close' : kind, text: whole });
      }
    }
    rest = text.slice(at);
    if (rest.length > maxTagLength) {
      throw new Refusal('unreadable');
    }
  }
  if (rest !== '') {
    throw new Refusal('unreadable');
  }
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function characterOf(number: number): string {
  return number <= 0x10_ff_ff ? String.fromCodePoint(number) : '\uFFFD';
}

/** Decodes a text or a value (XML 1.0 §4.1, §4.6). An entity that XML does not know stays as it is written. */
export function decodeText(text: string): string {
  return text.includes('&')
    ? text.replaceAll(/&(?:#x([\dA-Fa-f]{1,6})|#(\d{1,7})|(\w{1,4}));/g, (whole, hex, digits, name) =>
        typeof name === 'string'
          ? (named[name] ?? whole)
          : characterOf(typeof hex === 'string' ? Number.parseInt(hex, 16) : Number(digits)),
      )
    : text;
}

/**
 * Finds an attribute by its name, one after the other from the tag's own name: what stands in a value, or under another's
 * prefix, is none. `prefix`: as an expression, of which `*` finds the last.
 */
export function attribute(name: string, prefix = '', times: '*?' | '*' = '*?'): (tag: Tag) => string | null {
  const value = String.raw`\s*=\s*(?:"[^"]*"|'[^']*')`;
  const pattern = new RegExp(
    String.raw`^<[^\s/>]+(?:\s+[^\s=<>"']+${value})${times}\s+${prefix}${name}\s*=\s*(?:"([^"]*)"|'([^']*)')`,
  );
  return ({ text }) => {
    const found = pattern.exec(text);
    return found === null ? null : decodeText(found[1] ?? found[2] ?? '');
  };
}
