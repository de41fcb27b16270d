import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const folder = join(import.meta.dirname, '../../../renderer');
const maxLines = 400;
const sheets = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.css'));
const mantine = join(import.meta.dirname, '../../../node_modules/@mantine/core/styles');
const tokens = readFileSync(join(folder, 'styles/tokens.css'), 'utf8');

/** Colours by name, as CSS has them, that a rule might be tempted to use. */
const namedColour = /\b(?:white|black|red|green|blue|gr[ae]y|yellow|orange|silver|gold|navy|teal|purple|brown|pink)\b/i;
const rawColour = /#[\da-f]{3,8}\b|\b(?:rgba?|hsla?|oklch|oklab|lab|lch|hwb|color)\(/i;
/** A hairline is not spacing. */
const thickestHairlinePx = 3;

interface Declaration {
  readonly property: string;
  readonly value: string;
  readonly line: number;
}

function declarationsOf(sheet: string): Declaration[] {
  const plain = sheet.replaceAll(/\/\*[^]*?\*\//g, (comment) => comment.replaceAll(/[^\n]/g, ' '));
  return [...plain.matchAll(/(?<=[;{]\s*)([\w-]+):([^;{}]+);/g)].map(({ 1: property = '', 2: value = '', index }) => ({
    property,
    value: value.trim(),
    line: plain.slice(0, index).split('\n').length,
  }));
}

interface Rule {
  /** The enclosing rules, such as a media query, and the selectors. */
  readonly around: string;
  readonly selector: string;
  /** Its declarations in the order of the alphabet. */
  readonly body: readonly string[];
}

/** The rules of a sheet that have declarations and nothing else. */
function rulesOf(sheet: string): Rule[] {
  const plain = sheet.replaceAll(/\/\*[^]*?\*\//g, '').replaceAll(/\s+/g, ' ');
  const around: string[] = [];
  return [...plain.matchAll(/([^{}]*)([{}])/g)].flatMap(({ 1: text = '', 2: brace }) => {
    if (brace === '{') {
      around.push((text.split(';').at(-1) ?? '').trim());
      return [];
    }
    const selector = around.pop() ?? '';
    const body = text
      .split(';')
      .map((one) => one.trim())
      .filter((one) => one !== '')
      .toSorted();
    return around.some((one) => one.startsWith('@keyframes')) ? [] : [{ around: around.join(' '), selector, body }];
  });
}

/** Rules of a sheet, of two declarations and more, that repeat the body of another of it, or a shared shape. */
function repeatsOf(sheet: string, known: readonly Rule[]): string[] {
  const nameOf = ({ around, body }: Rule): string => [around, ...body].join('; ');
  const seen = new Map(known.map((shape) => [nameOf(shape), shape.selector]));
  return rulesOf(sheet)
    .filter(({ body }) => body.length > 1)
    .flatMap((rule) => {
      const first = seen.get(nameOf(rule));
      seen.set(nameOf(rule), first ?? rule.selector);
      return first === undefined ? [] : [`${rule.selector} says what ${first} does`];
    });
}

/** Shapes that any part may have: a class alone, and what is said of it wherever it stands. */
const shapesOf = (sheet: string): Rule[] =>
  rulesOf(sheet).filter(({ around, selector }) => around === '' && /^\.[\w-]+(?:, |$)/.test(selector));

/** The value of a declaration that is none of the language's. */
function strayOf({ property, value }: Declaration): string | null {
  if (
    rawColour.test(value) ||
    (/color|background|border|outline|shadow|fill|stroke/.test(property) && namedColour.test(value))
  ) {
    return 'a colour of its own';
  }
  const lengths = [...value.matchAll(/(?<![\w-])-?([\d.]+)(px|rem)\b/g)].map(({ 1: figure = '', 2: unit = '' }) => ({
    figure: Number(figure),
    unit,
  }));
  if (
    /^(?:padding|margin|gap|row-gap|column-gap)/.test(property) &&
    lengths.some(({ figure, unit }) => unit === 'rem' || figure > thickestHairlinePx)
  ) {
    return 'a step of its own';
  }
  if (property === 'font-size' && lengths.length > 0) {
    return 'a size of letters of its own';
  }
  return property.endsWith('radius') && lengths.some(({ figure }) => figure > 0) ? 'a corner of its own' : null;
}

/** The roles of a block of tokens.css, by name. */
function rolesOf(selector: string, after = 0): Map<string, string> {
  const start = tokens.indexOf(`${selector} {`, after);
  const block = tokens.slice(start, tokens.indexOf('}', start));
  return new Map(declarationsOf(`${block}}`).map(({ property, value }) => [property, value]));
}

const root = ':root';
const darkRoot = ":root[data-mantine-color-scheme='dark']";
const light = rolesOf(root);
const dark = new Map([...light, ...rolesOf(darkRoot)]);
const moreFrom = tokens.indexOf('prefers-contrast');
const lightMore = new Map([...light, ...rolesOf(root, moreFrom)]);
const darkMore = new Map([...dark, ...rolesOf(root, moreFrom), ...rolesOf(darkRoot, moreFrom)]);

/** Relative luminance (WCAG 2.2, glossary). */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return channel <= 0.040_45 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(roles: ReadonlyMap<string, string>, ink: string, ground: string): number {
  const [one, other] = [ink, ground].map((role) => luminance(roles.get(`--${role}`) ?? ''));
  return (Math.max(one ?? 0, other ?? 0) + 0.05) / (Math.min(one ?? 0, other ?? 0) + 0.05);
}

const onPage = ['page', 'surface', 'sunken'];
const words: readonly (readonly [string, readonly string[]])[] = [
  ['ink', [...onPage, 'accent-soft', 'warn-soft', 'bad-soft', 'calm-soft']],
  ['ink-soft', [...onPage, 'warn-soft', 'bad-soft', 'calm-soft']],
  ['accent', onPage],
  ['accent-ink', ['accent-soft']],
  ['good', onPage],
  ['warn', [...onPage, 'warn-soft']],
  ['bad', [...onPage, 'bad-soft']],
  ['calm', [...onPage, 'calm-soft']],
  ['deep-ink', ['deep', 'deep-soft']],
  ['deep-ink-soft', ['deep', 'deep-soft']],
  ['deep-good', ['deep']],
  ['deep-warn', ['deep']],
  ['deep-warn-ink', ['deep-warn-soft']],
  ['practice-ink', ['practice', 'practice-soft']],
  ['practice-band-ink', ['practice-band', 'practice-stripe']],
  ['paper-ink-soft', ['paper']],
];
const shapes: readonly (readonly [string, readonly string[]])[] = [
  ['line-strong', onPage],
  ['focus', onPage],
  ...['session', 'person', 'queue', 'catalogue'].map((lane) => [`lane-${lane}`, ['surface']] as const),
];

describe('a stylesheet', () => {
  it.each(sheets.filter((file) => file !== join('styles', 'tokens.css')))(
    '%s names the language’s roles and steps, and nothing of its own',
    (file) => {
      const found = declarationsOf(readFileSync(join(folder, file), 'utf8')).flatMap((one) => {
        const stray = strayOf(one);
        return stray === null ? [] : [`${file}:${one.line} ${one.property}: ${one.value} has ${stray}`];
      });
      expect(found).toEqual([]);
    },
  );

  it.each(sheets)('%s can be taken in at once', (file) => {
    expect(readFileSync(join(folder, file), 'utf8').split('\n').length).toBeLessThanOrEqual(maxLines + 1);
  });

  it.each(sheets)('%s names no role that there is not', (file) => {
    const sheet = readFileSync(join(folder, file), 'utf8');
    const own = new Set([...sheet.matchAll(/(--[\w-]+)\s*:/g)].map((match) => match[1]));
    const named = [...sheet.matchAll(/var\((--[\w-]+)/g)]
      .map((match) => match[1] ?? '')
      .filter((role) => !role.startsWith('--mantine-') && !role.startsWith('--button-') && !own.has(role));
    expect(named.filter((role) => !light.has(role))).toEqual([]);
  });

  // The control panel is a page of its own, without the shared sheets.
  it.each(sheets.filter((file) => !file.startsWith('training-panel')))('%s says nothing twice', (file) => {
    const shared = ['base', 'shapes'].map((name) => join('styles', `${name}.css`)).filter((name) => name !== file);
    const known = shared.flatMap((name) => shapesOf(readFileSync(join(folder, name), 'utf8')));
    expect(repeatsOf(readFileSync(join(folder, file), 'utf8'), known)).toEqual([]);
  });

  it('that says something twice would be found', () => {
    const twice = 'a { top: 0; left: 0 } /* b */ @media print { c { left: 0; top: 0; } } d { left: 0; top: 0; }';
    expect(repeatsOf(twice, [])).toEqual(['d says what a does']);
    const known = shapesOf('.stack, .form { display: grid; gap: 0; } .a .b { left: 0; top: 0; }');
    expect(repeatsOf('.x { gap: 0; display: grid; } .y { left: 0; top: 0; } .z { gap: 0; }', known)).toEqual([
      '.x says what .stack, .form does',
    ]);
  });

  it('that has a colour, a step, a letter or a corner of its own would be found', () => {
    const strays = declarationsOf(
      'a { color: #123456; background: rgb(0 0 0 / 1%); border-color: white; padding: 5px var(--gap-2); margin-top: 1rem; font-size: 18px; border-radius: 7px; gap: 2px; width: 90px; }',
    ).map(strayOf);
    expect(strays).toEqual([
      'a colour of its own',
      'a colour of its own',
      'a colour of its own',
      'a step of its own',
      'a step of its own',
      'a size of letters of its own',
      'a corner of its own',
      null,
      null,
    ]);
  });
});

describe('Mantine’s own stylesheets', () => {
  it('come for every part that is used', () => {
    const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file))
      .map((file) => readFileSync(join(folder, file), 'utf8'));
    const used = new Set(
      sources.flatMap((source) =>
        [...source.matchAll(/import \{([^}]*)\} from '@mantine\/core'/g)].flatMap((match) =>
          (match[1] ?? '').split(',').map((name) => name.trim()),
        ),
      ),
    );
    const parts = readFileSync(join(folder, 'styles/mantine-parts.css'), 'utf8');
    expect(used.size).toBeGreaterThan(5);
    expect(
      [...used].filter((name) => existsSync(join(mantine, `${name}.css`)) && !parts.includes(`styles/${name}.css'`)),
    ).toEqual([]);
  });
});

describe('the colour roles', () => {
  it.each([
    ['light', light, 4.5, 3],
    ['dark', dark, 4.5, 3],
    ['light with more contrast', lightMore, 7, 4.5],
    ['dark with more contrast', darkMore, 7, 4.5],
  ] as const)('have their contrast, %s', (_name, roles, leastOfWords, leastOfShapes) => {
    const poor = (pairs: typeof words, least: number): string[] =>
      pairs.flatMap(([ink, grounds]) =>
        grounds.flatMap((ground) =>
          contrast(roles, ink, ground) < least
            ? [`${ink} on ${ground}: ${contrast(roles, ink, ground).toFixed(2)}, and not ${least}`]
            : [],
        ),
      );
    expect([...poor(words, leastOfWords), ...poor(shapes, leastOfShapes)]).toEqual([]);
  });
});
