import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { failureKinds } from '../../../app/domain/failure.ts';
import { languages } from '../../../app/domain/language.ts';
import { projectDirectory } from '../../../build/project.ts';
import { matchesRow } from '../../../renderer/help/sentence-row.ts';
import { helpPages, screens, sections } from '../../../renderer/stores/navigation.ts';
import { readDocument, shopPages, type Document } from '../../support/docs.ts';
import { drawOutage, outageFile } from '../../ui/outage.ts';
import { sentences } from '../../support/sentences.ts';
import panelEnglish from '../../../renderer/locales/panel.en.json' with { type: 'json' };
import panelSpanish from '../../../renderer/locales/panel.es.json' with { type: 'json' };
import panelPortuguese from '../../../renderer/locales/panel.pt-BR.json' with { type: 'json' };
import hostEnglish from '../../../app/hosts/words.en.json' with { type: 'json' };
import hostSpanish from '../../../app/hosts/words.es.json' with { type: 'json' };
import hostPortuguese from '../../../app/hosts/words.pt-BR.json' with { type: 'json' };

const panelWords = { en: panelEnglish, es: panelSpanish, 'pt-BR': panelPortuguese };
const hostWords = { en: hostEnglish, es: hostSpanish, 'pt-BR': hostPortuguese };

/** Every text of words, however deep. */
const wordsIn = (words: unknown): readonly string[] =>
  typeof words === 'object' && words !== null ? Object.values(words).flatMap(wordsIn) : [String(words)];

const pageOf = (language: string, page: string): Document | undefined =>
  shopPages.find(({ path }) => path === `docs/${language}/${page}.md`);
const everyDocument = globSync('{*.md,{.github,app,assets,build,docs,renderer,test}/**/*.md}', {
  cwd: projectDirectory,
}).map(readDocument);

describe('the pages of what Tillside works with', () => {
  const pages = languages.map((language) => readDocument(`docs/works-with.${language}.md`));

  it.each(pages)('$path has the rows of the others, and the eight operations of API v3', ({ text }) => {
    const rows = (page: string): readonly string[] => page.split('\n').filter((line) => line.startsWith('|'));
    expect(rows(text)).toHaveLength(rows(pages[0]?.text ?? '').length);
    const described = JSON.parse(readFileSync(join(projectDirectory, 'docs/openapi.json'), 'utf8')) as {
      readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId?: string }>>>>;
    };
    const operations = Object.entries(described.paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { operationId }]) =>
        operationId === undefined ? [] : [`| \`${operationId}\` | \`${method.toUpperCase()} ${path}\` |`],
      ),
    );
    // One is a sample call alone.
    expect(operations.filter((row) => !text.includes(row))).toEqual([
      '| `createCategory` | `POST /api/v3/categories` |',
    ]);
    expect(operations).toHaveLength(9);
  });
});

describe('the pages that a shop reads', () => {
  it('are the same in every language', () => {
    expect(shopPages.map(({ path }) => path)).toEqual(
      languages.flatMap((language) => helpPages.map((page) => `docs/${language}/${page}.md`)).toSorted(),
    );
  });

  it.each(helpPages)('%s has the same headings and pictures in every language, and one title', (page) => {
    const outline = (language: string): object => {
      const document = pageOf(language, page);
      return {
        depths: document?.headings.map(({ depth }) => depth),
        pictures: document?.pictures.map((picture) => picture.replace(`1024-light-${language}`, 'LOOK')),
      };
    };
    expect(outline('pt-BR')).toEqual(outline('en'));
    expect(outline('es')).toEqual(outline('en'));
    expect(pageOf('en', page)?.headings.filter(({ depth }) => depth === 1)).toHaveLength(1);
    expect(pageOf('en', page)?.text.startsWith('# ')).toBe(true);
  });

  it.each(shopPages)('$path shows pictures of its own language alone, and links to such pages alone', (document) => {
    const language = document.path.split('/')[1] ?? '';
    const looks = new RegExp(String.raw`^\.\./\.\./test/ui/pictures/1024-light-${language}/[\w-]+\.png$`);
    expect(document.pictures.filter((picture) => !looks.test(picture))).toEqual([]);
    expect(document.links.filter((link) => !/^(?:\w+\.md)?(?:#.+)?$/.test(link))).toEqual([]);
    // Neither the app nor the website makes markup of them.
    expect(document.text.replaceAll(/`[^`]*`/g, '')).not.toMatch(/<\/?[a-z]/i);
  });

  it.each(languages)('tell every screen and every section of the settings by its name in %s', (language) => {
    const { settings, shell } = sentences[language];
    const reported = shopPages.filter(({ path }) => path.startsWith(`docs/${language}/`)).map(({ text }) => text);
    const names = [
      ...([...screens, 'rateLimit'] as const).map((name) => shell.screen[name]),
      ...sections.map((name) => settings.section[name]),
    ];
    expect(names.filter((name) => !reported.some((text) => text.includes(`**${name}**`)))).toEqual([]);
  });

  it.each(languages)('write bold what stands on a screen, or what a paragraph begins with, in %s', (language) => {
    const oneLine = (text: string): string => text.replaceAll('’', "'").replaceAll(/\s+/g, ' ').trim();
    const said = wordsIn([sentences[language], panelWords[language], hostWords[language]]).map(oneLine);
    const whole = new Set(said.map((text) => text.replace(/[:.]$/, '')));
    const filled = said
      .filter((text) => text.includes('{{'))
      .map(
        (text) =>
          new RegExp(
            `^${text
              .split(/\{\{.*?\}\}/)
              .map((part) => part.replaceAll(/[\^$.*+?()[\]{}|/]/g, String.raw`\$&`))
              .join('.+')}$`,
          ),
      );
    const unknown = shopPages
      .filter(({ path }) => path.startsWith(`docs/${language}/`))
      .flatMap(({ path, text }) =>
        [...text.replaceAll(/^ *```[^]*?^ *```/gm, '').matchAll(/\*\*([^]+?)\*\*([:.]?)/g)].flatMap(
          ([, bold = '', mark]) => {
            const name = oneLine(bold);
            const isBeginning = mark !== '' || /[:.?]$/.test(name);
            const isOnScreen = whole.has(name.replace(/[:.]$/, '')) || filled.some((pattern) => pattern.test(name));
            return isOnScreen || isBeginning ? [] : [`${path}: ${name}`];
          },
        ),
      );
    expect(unknown).toEqual([]);
  });

  it.each(languages)('answer everything that fails in one row each, to which the screen leads, in %s', (language) => {
    const { connection, failure, hub, queue, scanner, signIn, ui } = sentences[language];
    const rows = [...(pageOf(language, 'questions')?.text.matchAll(/^\| (.+?) \|/gm) ?? [])].map(([, row = '']) => row);
    const says = [
      ...failureKinds.map((kind) => failure[kind]),
      ...Object.values(failure.code),
      ...Object.values(queue.restoreRefused),
      queue.productGone,
      ...Object.values(connection.report.wrong),
      signIn.notHere,
    ].map((words) => words.says);
    const { refused, unsuited } = scanner.device.connection;
    const others = [...Object.values(ui.notice), ...Object.values(hub.failure), hub.wrongAddress, refused, unsuited];
    // Of a browser host, and of trials, are the others.
    const notHere = ['portInUse', 'practiceGone', 'practiceTill'];
    const starts = Object.entries(hostWords[language].start).flatMap(([name, words]) =>
      notHere.includes(name) ? [] : [words],
    );
    const answers = [...says, ...others, ...starts]
      .map((sentence) => sentence.replace('{{detail}}', 'queue.db').replace('{directory}', '/till'))
      .map((sentence) => [sentence, rows.filter((row) => matchesRow(sentence, row)).length]);
    expect(answers.length).toBeGreaterThan(failureKinds.length + 50);
    expect(answers.filter(([, count]) => count !== 1)).toEqual([]);
  });
});

/** The digests of a PNG's chunks, their pixels unpacked: how well they are packed depends on the machine. */
function chunksOf(file: Buffer): readonly string[] {
  const chunks: string[] = [];
  for (let at = 8; at < file.length; at += 12 + file.readUInt32BE(at)) {
    const type = file.toString('latin1', at + 4, at + 8);
    const content = file.subarray(at + 8, at + 8 + file.readUInt32BE(at));
    const numbered = type === 'fdAT' ? 4 : 0;
    const unpacked = /IDAT|fdAT/.test(type) ? inflateSync(content.subarray(numbered)) : content;
    chunks.push(`${type} ${createHash('sha256').update(unpacked).digest('hex')}`);
  }
  return chunks;
}

it('the moving picture of the README is made of the kept pictures, and is light', () => {
  const kept = readFileSync(outageFile);
  expect(chunksOf(kept)).toEqual(chunksOf(drawOutage()));
  expect(kept.length).toBeLessThan(500_000);
});

describe('every document', () => {
  it.each(everyDocument)('$path has no dead link, anchor or picture', ({ path, links, pictures }) => {
    const dead = [...links, ...pictures].filter((target) => {
      // From the project's folder, GitHub's own pages of whatever repository holds it.
      const isGitHubs =
        !path.includes('/') && /^\.\.\/\.\.\/(?:releases\/latest|security\/advisories\/new)$/.test(target);
      if (isGitHubs || /^(?:https?:|mailto:)/.test(target)) {
        return false;
      }
      const [file = '', anchor] = target.split('#');
      const aimed = file === '' ? path : posix.join(posix.dirname(path), decodeURIComponent(file));
      if (!existsSync(join(projectDirectory, aimed))) {
        return true;
      }
      return anchor !== undefined && !readDocument(aimed).headings.some(({ id }) => id === decodeURIComponent(anchor));
    });
    expect(dead).toEqual([]);
  });
});
