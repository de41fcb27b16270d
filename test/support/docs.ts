import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import GithubSlugger from 'github-slugger';
import { projectDirectory } from '../../build/project.ts';

/** A Markdown file of the project. */
export interface Document {
  /** From the project's folder, with slashes. */
  readonly path: string;
  readonly text: string;
  readonly headings: readonly { readonly depth: number; readonly title: string; readonly id: string }[];
  /** The targets of its links and pictures, as written. */
  readonly links: readonly string[];
  readonly pictures: readonly string[];
}

/** Without code, in which nothing is a heading or a link. */
const plainOf = (text: string): string =>
  text.replaceAll(/^ *```[^]*?^ *```/gm, '').replaceAll(/^(?: {4}|\t).*$/gm, '');

/** Reads one file; the path is from the project's folder. */
export function readDocument(path: string): Document {
  const text = readFileSync(join(projectDirectory, path), 'utf8');
  const plain = plainOf(text);
  const slugger = new GithubSlugger();
  return {
    path: path.replaceAll('\\', '/'),
    text,
    headings: [...plain.matchAll(/^(#{1,6}) +(.+)$/gm)].map(([, marks = '', written = '']) => {
      const title = written.replaceAll(/[*`]|\]\([^)]*\)|\[/g, '').trim();
      return { depth: marks.length, title, id: slugger.slug(title) };
    }),
    links: [
      ...plain.replaceAll(/`[^`\n]*`/g, '').matchAll(/(?<!!)\[(?:[^[\]]|!\[[^\]]*\]\([^)]*\))*\]\(([^)\s]+)\)/g),
    ].map(([, target = '']) => target),
    pictures: [...plain.matchAll(/!\[[^\]]*\]\(([^)\s]+)\)/g)].map(([, target = '']) => target),
  };
}

/** The pages that a shop reads, in every language. */
export const shopPages = globSync('docs/{en,es,pt-BR}/*.md', { cwd: projectDirectory }).toSorted().map(readDocument);

/** The scenes whose pictures these pages show. */
export const shownScenes: ReadonlySet<string> = new Set(
  shopPages.flatMap(({ pictures }) => pictures.map((picture) => /([\w-]+)\.png$/.exec(picture)?.[1] ?? picture)),
);
