import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { connectionStepSchema } from '../../../app/contract/connection.ts';
import { lookupAnswerSchema } from '../../../app/contract/lookup.ts';
import { noticeSchema, queueStateSchema } from '../../../app/contract/terminal-state.ts';
import { updateStatusSchema } from '../../../app/contract/queue.ts';
import { barcodeTypes } from '../../../app/domain/codes/barcode-types.ts';
import { failureKinds, hasOwnWords, platformCodes } from '../../../app/domain/failure.ts';
import { languages as offered } from '../../../app/domain/language.ts';
import { unitsOfMeasure } from '../../../app/domain/units.ts';
import englishHosts from '../../../app/hosts/words.en.json' with { type: 'json' };
import spanishHosts from '../../../app/hosts/words.es.json' with { type: 'json' };
import portugueseHosts from '../../../app/hosts/words.pt-BR.json' with { type: 'json' };
import englishTypes from '../../../renderer/locales/barcode-types.en.json' with { type: 'json' };
import spanishTypes from '../../../renderer/locales/barcode-types.es.json' with { type: 'json' };
import portugueseTypes from '../../../renderer/locales/barcode-types.pt-BR.json' with { type: 'json' };
import englishPanel from '../../../renderer/locales/panel.en.json' with { type: 'json' };
import spanishPanel from '../../../renderer/locales/panel.es.json' with { type: 'json' };
import portuguesePanel from '../../../renderer/locales/panel.pt-BR.json' with { type: 'json' };
import english from '../../../renderer/locales/en.json' with { type: 'json' };
import englishScreens from '../../../renderer/locales/screens.en.json' with { type: 'json' };
import englishUnits from '../../../renderer/locales/units.en.json' with { type: 'json' };
import spanishUnits from '../../../renderer/locales/units.es.json' with { type: 'json' };
import portugueseUnits from '../../../renderer/locales/units.pt-BR.json' with { type: 'json' };
import { firstLanguage } from '../../../renderer/formats/i18n.ts';
import { createEveryWord, sentences } from '../../support/sentences.ts';

const renderer = join(import.meta.dirname, '../../../renderer');
const plural = /_(zero|one|two|few|many|other)$/;

function flatten(node: object, path = ''): [string, string][] {
  return Object.entries(node).flatMap(([key, value]: [string, unknown]) =>
    typeof value === 'object' && value !== null
      ? flatten(value, `${path}${key}.`)
      : [[`${path}${key}`, String(value)] as [string, string]],
  );
}

const languages = {
  en: new Map(flatten({ ...sentences.en, ...englishPanel })),
  'pt-BR': new Map(flatten({ ...sentences['pt-BR'], ...portuguesePanel })),
  es: new Map(flatten({ ...sentences.es, ...spanishPanel })),
} as const;
/** The pages' and the hosts'. */
const everySentence = {
  en: new Map([...languages.en, ...flatten(englishHosts, 'hosts.')]),
  'pt-BR': new Map([...languages['pt-BR'], ...flatten(portugueseHosts, 'hosts.')]),
  es: new Map([...languages.es, ...flatten(spanishHosts, 'hosts.')]),
} as const;
const translations = ['pt-BR', 'es'] as const;
const baseKeys = (words: ReadonlyMap<string, string>): string[] =>
  [...new Set([...words.keys()].map((key) => key.replace(plural, '')))].sort();
const sources = readdirSync(renderer, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => readFileSync(join(renderer, file), 'utf8'))
  .join('\n');

/** Whether these sources name a sentence, or have a template that does. */
function sayers(text: string): (key: string) => boolean {
  const templates = [...text.matchAll(/`([a-zA-Z]+(?:\.(?:\$\{[^`]*?\}|[a-zA-Z]+))*)`/g)]
    .map((match) => match[1] ?? '')
    .filter((template) => template.includes('${'))
    .map(
      (template) =>
        new RegExp(`^${template.replaceAll('.', '\\.').replaceAll(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, '\\w+')}$`),
    );
  return (key) => text.includes(`'${key}'`) || templates.some((template) => template.test(key));
}

/** The sentences that every screen may have to show. */
const ofEveryScreen = ['failure'];

/** As a section of sentences is called. */
const sectionOf = (name: string): string => name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

it('the sentences of the hosts stand under the name of a folder or a file of theirs', () => {
  const names = readdirSync(join(renderer, '../app/hosts')).map((name) => sectionOf(name.replace(/\.ts$/, '')));
  expect(Object.keys(englishHosts).filter((section) => !names.includes(section))).toEqual([]);
});

it('the sentences of a feature stand under the name of its folder', () => {
  const folders = readdirSync(renderer, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => sectionOf(name));
  const sections = [english, englishScreens, englishPanel].flatMap((words) => Object.keys(words));
  expect(sections.filter((section) => ![...folders, ...ofEveryScreen].includes(section))).toEqual([]);
});

describe('all languages', () => {
  it.each(translations)('%s has the same sentences as English', (language) => {
    expect(baseKeys(everySentence[language])).toEqual(baseKeys(everySentence.en));
  });

  it.each(translations)('%s has the same gaps in each sentence, in every plural form', (language) => {
    const gaps = (text: string): string[] => [...text.matchAll(/\{+\w+\}+|\*/g)].map(([gap]) => gap).sort();
    for (const [key, text] of everySentence[language]) {
      const original = everySentence.en.get(key) ?? everySentence.en.get(key.replace(/_many$/, '_other'));
      expect(gaps(text), key).toEqual(original === undefined ? null : gaps(original));
    }
  });

  it.each(offered)('%s has every plural form of its counted sentences, and no empty sentence', (language) => {
    const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories.toSorted();
    const forms = Map.groupBy(
      [...everySentence[language].keys()].filter((key) => plural.test(key)),
      (key) => key.replace(plural, ''),
    );
    for (const [key, keys] of forms) {
      expect(keys.map((one) => one.slice(key.length + 1)).sort(), key).toEqual(categories);
    }
    expect([...everySentence[language]].filter(([, text]) => text.trim() === '')).toEqual([]);
  });

  it.each(translations)('%s leaves no sentence in English', (language) => {
    const wordsOf = (text: string): number => text.replaceAll(/\{\{\w+\}\}/g, '').match(/\p{L}+/gu)?.length ?? 0;
    const inEnglish = (key: string): string | undefined =>
      everySentence.en.get(key) ?? everySentence.en.get(key.replace(/_many$/, '_other'));
    // Shorter ones may be the same: `Total`, a volume, GS1's own names.
    expect([...everySentence[language]].filter(([key, text]) => wordsOf(text) >= 4 && text === inEnglish(key))).toEqual(
      [],
    );
  });

  it.each([englishUnits, portugueseUnits, spanishUnits])(
    'name every unit that the platform lists (API v3 §2 "Units of measure"), alone, several and short',
    (names) => {
      expect(Object.keys(names)).toEqual(Object.keys(unitsOfMeasure));
      expect(
        Object.entries(names).filter(([, forms]) => forms.length !== 3 || forms.some((form) => form.trim() === '')),
      ).toEqual([]);
    },
  );

  it.each([englishTypes, portugueseTypes, spanishTypes])(
    'name every barcode type that the platform lists (API v3 §2 "Barcode types"), each differently',
    (names) => {
      expect(Object.keys(names)).toEqual(Object.keys(barcodeTypes));
      expect(new Set(Object.values(names)).size).toBe(Object.keys(barcodeTypes).length);
    },
  );
});

describe('a sentence exists for', () => {
  const has = (key: string): boolean => languages.en.has(key);
  it.each(failureKinds)('the failure %s, with an advice', (kind) => {
    expect(has(`failure.${kind}.says`) && has(`failure.${kind}.advice`)).toBe(true);
  });

  it.each(Object.entries(platformCodes))(
    'the code %s, with advice in every language: its own, or that of its kind %s (API v3 §7)',
    (code, kind) => {
      const room = hasOwnWords(code) ? `failure.code.${code}` : `failure.${kind}`;
      for (const language of offered) {
        expect(languages[language].has(`${room}.says`) && languages[language].has(`${room}.advice`), language).toBe(
          true,
        );
      }
    },
  );

  it('no code that the platform does not have', () => {
    expect(Object.keys(sentences.en.failure.code).toSorted()).toEqual(
      Object.keys(platformCodes).filter(hasOwnWords).toSorted(),
    );
  });

  it('every notice, status, hold, step and kind of answer', () => {
    const needed = [
      ...noticeSchema.shape.kind.options.map((kind) => `ui.notice.${kind}`),
      ...updateStatusSchema.options.map((status) => `queue.status.${status}`),
      ...queueStateSchema.shape.heldBy.unwrap().options.map((reason) => `queue.held.${reason}`),
      ...connectionStepSchema.shape.step.options.flatMap((step) => [
        `connection.report.step.${step}`,
        `connection.report.wrong.${step}.says`,
        `connection.report.wrong.${step}.advice`,
      ]),
      ...connectionStepSchema.shape.outcome.options.map((outcome) => `connection.report.outcome.${outcome}`),
      ...lookupAnswerSchema.options.map((option) => `lookup.recent.${option.shape.kind.value}`),
      ...lookupAnswerSchema.options[4].shape.why.options.map((why) => `lookup.miss.unreadable.${why}`),
    ];
    expect(needed.filter((key) => !has(key))).toEqual([]);
  });
});

describe('the accessible names that scripts rely on', () => {
  it.each([
    ['signIn.connect.platformUrl.label', 'Platform address'],
    ['signIn.connect.clientId.label', 'Client ID'],
    ['signIn.connect.clientSecret.label', 'Client secret'],
    ['signIn.connect.companyId.label', 'Company ID'],
    ['signIn.connect.stockIds.label', 'Stock IDs'],
    ['signIn.email', 'E-mail'],
    ['signIn.password', 'Password'],
    ['lookup.field', 'Barcode, code or name'],
    ['signIn.firstRun.practice', 'Practice store'],
    ['signIn.firstRun.connect', 'Connect to a platform'],
    ['signIn.connect.continue', 'Continue'],
    ['signIn.button', 'Sign in'],
    ['shell.signOut.button', 'Sign out'],
    ['queue.retry', 'Retry'],
    ['queue.discard', 'Discard'],
    ['shell.screen.lookup', 'Lookup'],
    ['shell.screen.coupons', 'Coupons'],
    ['shell.screen.queue', 'Queue'],
    ['shell.screen.settings', 'Settings'],
    ['coupons.label', 'Consumption coupon'],
    ['connection.name', 'Connection'],
    ['connection.online', 'Online'],
    ['connection.offline', 'Offline'],
  ])('%s is %j', (key, name) => {
    expect(languages.en.get(key)).toBe(name);
  });
});

/** The sources that a page reads at once: nothing that is imported when it is needed. */
function readAtOnce(entry: string, known = new Set<string>()): Set<string> {
  if (!known.has(entry) && /\.tsx?$/.test(entry)) {
    known.add(entry);
    for (const [, from] of readFileSync(entry, 'utf8').matchAll(/^(?:import|export|\}) [^;]*?'(\.[^']+)'/gm)) {
      readAtOnce(join(dirname(entry), from ?? ''), known);
    }
  }
  return known;
}

describe('the sentences that are read later', () => {
  const keysOf = (words: object): string[] => baseKeys(new Map(flatten(words)));

  it('are in no source of the first screen, nor of the companion bar', () => {
    const first = [...readAtOnce(join(renderer, 'main.tsx')), ...readAtOnce(join(renderer, 'companion.tsx'))];
    expect(first.length).toBeGreaterThan(100);
    const saidIn = sayers(first.map((file) => readFileSync(file, 'utf8')).join('\n'));
    expect(keysOf(englishScreens).filter(saidIn)).toEqual([]);
  });

  it('are no sentence of the first screen as well', () => {
    const first = new Set(keysOf(english));
    expect(keysOf(englishScreens).filter((key) => first.has(key))).toEqual([]);
  });
});

describe('no sentence', () => {
  it('is there for nobody: each is named in the renderer, or by a template that the renderer has', () => {
    const isSaid = sayers(sources);
    expect(baseKeys(languages.en).filter((key) => !isSaid(key))).toEqual([]);
  });

  it('is asked for and missing', () => {
    const asked = [...sources.matchAll(/\bt\(\s*'([^']+)'/g)].map((match) => match[1] ?? '');
    expect(asked.length).toBeGreaterThan(100);
    const known = new Set(baseKeys(languages.en));
    expect(asked.filter((key) => !known.has(key))).toEqual([]);
  });
});

describe('the words', () => {
  it('count in the language that is set', async () => {
    const words = await createEveryWord('en');
    expect(words.t('lock.minutes', { count: 1 })).toBe('1 minute');
    expect(words.t('lock.minutes', { count: 2 })).toBe('2 minutes');
    await words.changeLanguage('pt-BR');
    expect(words.t('lock.minutes', { count: 2 })).toBe('2 minutos');
    expect(words.t('stock.count', { count: 0, formatted: '0' })).toBe('0 produtos');
    expect(words.t('stock.count', { count: 1, formatted: '1' })).toBe('1 produto');
    expect(words.t('stock.lines', { count: 0, formatted: '0', stocks: '2' })).toBe('0 linhas em 2 estoques');
    expect(words.t('ui.copy.already', { count: 2_000_000, formatted: '2.000.000' })).toBe(
      'Já dá para consultar 2.000.000 de produtos.',
    );
    await words.changeLanguage('es');
    expect(words.t('lock.minutes', { count: 2 })).toBe('2 minutos');
    expect(words.t('ui.copy.already', { count: 2_000_000, formatted: '2.000.000' })).toBe(
      'Ya se pueden consultar 2.000.000 de productos.',
    );
  });

  it('begin in the language that the browser prefers', () => {
    expect([
      firstLanguage(['pt-PT', 'en']),
      firstLanguage(['PT']),
      firstLanguage(['en-GB', 'pt']),
      firstLanguage(['es-419', 'en']),
      firstLanguage(['ES']),
      firstLanguage(['est']),
      firstLanguage([]),
    ]).toEqual(['pt-BR', 'pt-BR', 'en', 'es', 'es', 'en', 'en']);
  });
});

it.each(Object.values(languages))(
  'a refused sign-in is not called one of e-mail and password, which may be right',
  (words) => {
    const said = words.get('failure.credentialsRejected.says') ?? '';
    expect(said).not.toMatch(/mail|correo|passw|senha|contraseña/i);
    expect(said).not.toBe('');
  },
);
