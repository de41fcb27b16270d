import type { UserConfig } from 'vitepress';

/**
 * The base that VitePress builds with, which knows absolute ones alone. All that it writes into pages, scripts and styles is replaced
 * by what leads from there to the site's root, so that the same files work in any folder of any host.
 */
export const standIn = '/site-base/';

/** In the scripts, the name of the root's path, which each page finds out of its own address. */
const root = 'siteBase';

interface Text {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

/** The string literals and parts of templates of a syntax tree (https://github.com/estree/estree), in their order. */
function textsOf(node: object): readonly Text[] {
  if ('type' in node && (node.type === 'Literal' || node.type === 'TemplateElement')) {
    return [node as Text];
  }
  return Object.values(node).flatMap((inner: unknown) =>
    typeof inner === 'object' && inner !== null ? textsOf(inner) : [],
  );
}

/** The script with the root's path in the place of the base in each of its texts. */
function relocateScript(code: string, tree: object): string {
  let relocated = '';
  let at = 0;
  for (const { type, start, end } of [...textsOf(tree)].sort((one, other) => one.start - other.start)) {
    const text = code.slice(start, end);
    const quote = text.charAt(0);
    const replaced =
      type === 'Literal'
        ? `(${text.replaceAll(standIn, `${quote}+${root}+${quote}`)})`
        : text.replaceAll(standIn, `\${${root}}`);
    relocated += code.slice(at, start) + (text.includes(standIn) ? replaced : text);
    at = end;
  }
  return relocated + code.slice(at);
}

/** For VitePress's `vite`: replaces the base in the scripts and styles that browsers get. */
export const relocateAssets: NonNullable<UserConfig['vite']> = {
  plugins: [
    {
      name: 'relative-base',
      enforce: 'post',
      apply: (_config, { isSsrBuild }) => isSsrBuild !== true,
      generateBundle(_options, bundle) {
        for (const output of Object.values(bundle)) {
          if (output.type === 'chunk') {
            output.code = relocateScript(output.code, this.parse(output.code));
          } else if (output.fileName.endsWith('.css')) {
            output.source = String(output.source).replaceAll(standIn, '../');
          }
        }
      },
    },
  ],
};

/**
 * A page's HTML with the way to the root in the place of the base. Before the scripts run, its links become absolute:
 * VitePress changes the address without loading another page, and relative links would then lead from there.
 *
 * @param page its path below docs/. The page for what is not there is shown at any address.
 * @param publishedAt the path at which that one looks for the root
 */
export function relocatePage(html: string, page: string, publishedAt: string): string {
  const way = page === '404.md' ? publishedAt : '../'.repeat(page.split('/').length - 1) || './';
  const absolute = ['href', 'src'].map(
    (name) => `document.querySelectorAll('[${name}^="${way}"]').forEach((one)=>{one.${name}=one.${name}});`,
  );
  return html
    .replaceAll(standIn, way)
    .replace(
      '</body>',
      `<script>${root}=new URL('${way}',location).pathname;__VP_SITE_DATA__.base=${root};${absolute.join('')}</script></body>`,
    );
}
