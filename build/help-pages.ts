// The pages of docs/ as components for the app's help. VitePress, which makes a website of them, reads their Markdown
// here as well. The app's page parses none, and its policy lets no text become markup.
import { slug } from 'github-slugger';
import type { Plugin } from 'vite';
import { createMarkdownRenderer, type MarkdownRenderer } from 'vitepress';

type Token = ReturnType<MarkdownRenderer['parse']>[number];

/** Before the identifiers of headings, lest they be those of something on the screen. */
const idPrefix = 'help-';

const plainOf = (tokens: readonly Token[]): string => tokens.map(({ content }) => content).join('');

/** Writes tokens as the arguments of React's createElement; `pictures` takes what must be imported for them. */
function createWriter(pictures: string[]) {
  const openElement = (tag: string, attributes: Readonly<Record<string, unknown>>): string =>
    `h(c.${tag} ?? '${tag}', ${JSON.stringify(attributes)}, `;

  function writePicture(token: Token): string {
    const place = pictures.push(token.attrGet('src') ?? '') - 1;
    return `h(c.img ?? 'img', { src: picture${place}, alt: ${JSON.stringify(plainOf(token.children ?? []))} }), `;
  }

  function writeCode(token: Token): string {
    const language = token.info.trim();
    const code = openElement('code', language === '' ? {} : { className: `language-${language}` });
    return `${openElement('pre', {})}${code}${JSON.stringify(token.content)})), `;
  }

  /** The attributes of an element as React knows them. */
  function attributesOf(token: Token): Readonly<Record<string, unknown>> {
    const { tag } = token;
    if (/^h\d$/.test(tag)) {
      return { id: `${idPrefix}${token.attrGet('id') ?? ''}` };
    }
    const [href, start] = [token.attrGet('href'), token.attrGet('start')];
    return { ...(href === null ? {} : { href }), ...(start === null ? {} : { start: Number(start) }) };
  }

  return function write(tokens: readonly Token[]): string {
    return tokens
      .map((token): string => {
        if (token.hidden) {
          return '';
        }
        switch (token.type) {
          case 'inline':
            return write(token.children ?? []);
          case 'text':
            return token.content === '' ? '' : `${JSON.stringify(token.content)}, `;
          case 'softbreak':
            return '"\\n", ';
          case 'code_inline':
            return `${openElement('code', {})}${JSON.stringify(token.content)}), `;
          case 'code_block':
          case 'fence':
            return writeCode(token);
          case 'image':
            return writePicture(token);
          default:
            if (token.nesting === 1) {
              return openElement(token.tag, attributesOf(token));
            }
            if (token.nesting === -1) {
              return '), ';
            }
            throw new Error(`the help has no way to show "${token.type}": ${token.content || token.markup}`);
        }
      })
      .join('');
  };
}

/** The module of a page: its component, and its sections as a list. */
function moduleOf(tokens: readonly Token[]): string {
  const pictures: string[] = [];
  const text = createWriter(pictures)(tokens);
  const sections = tokens.flatMap((token, place) =>
    token.type === 'heading_open' && token.tag === 'h2'
      ? [{ id: token.attrGet('id') ?? '', title: plainOf(tokens[place + 1]?.children ?? []) }]
      : [],
  );
  return [
    "import { createElement as h, Fragment } from 'react';",
    ...pictures.map((path, place) => `import picture${place} from ${JSON.stringify(path)};`),
    `export const sections = ${JSON.stringify(sections)};`,
    `export default ({ components: c }) => h(Fragment, null, ${text});`,
  ].join('\n');
}

/** Makes a module of each page that is imported. */
export function helpPages(): Plugin {
  let renderer: Promise<MarkdownRenderer> | null = null;
  return {
    name: 'help-pages',
    transform: {
      filter: { id: /\/docs\/[\w-]+\/\w+\.md$/ },
      async handler(text, id) {
        renderer ??= createMarkdownRenderer('docs', {
          linkify: false,
          attrs: { disable: true },
          anchor: { permalink: () => undefined, slugify: (title) => slug(title) },
        });
        return { code: moduleOf((await renderer).parse(text, { path: id })), map: null };
      },
    },
  };
}
