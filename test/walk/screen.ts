// What a person is told by the page, read from Chromium's accessibility tree, told in English. It shares nothing with the
// page: its words stand here a second time.
import type { CDPSession } from 'playwright-core';
import type { Language } from '../../app/contract/basics.ts';
import { stocks } from '../../app/training/data/world.ts';
import { inEnglish, isStrange } from './languages.ts';

/** A node of the accessibility tree, with the texts within it. */
export interface Shown {
  readonly role: string;
  readonly name: string;
  readonly value: string;
  readonly description: string;
  /** All texts within it, in their order. */
  readonly text: string;
  readonly states: Readonly<Record<string, unknown>>;
  readonly children: readonly Shown[];
}

export interface ShownFigure {
  readonly stock: string;
  /** Null where it says that nobody knows it. */
  readonly amount: number | null;
  /** The words on its age; empty where nobody is signed in, and it is not read. */
  readonly age: string;
}

export interface ShownCard extends ShownFigure {
  readonly name: string;
  readonly codes: readonly string[];
  /** Null where nothing can be switched. */
  readonly coupon: { readonly isOn: boolean; readonly words: string } | null;
}

/** The statements of the screen. */
export interface Screen {
  readonly root: Shown;
  /** All that is said, in one line. */
  readonly text: string;
  readonly place: string;
  /** "Online", "Offline since 14:02"; null where nothing is said of it. */
  readonly connection: string | null;
  /** Whoever stands in the header; null for nobody. */
  readonly who: string | null;
  /** The company in the header; null where none is named. */
  readonly company: string | null;
  readonly isPractice: boolean;
  /** Whether it says that the clock is wrong. */
  readonly isClockWrong: boolean;
  readonly card: ShownCard | null;
  /** The coupons of a list. */
  readonly listed: readonly { readonly name: string; readonly isOn: boolean; readonly words: string }[];
  /** The lines of the stock table that are drawn. */
  readonly lines: readonly (ShownFigure & { readonly name: string; readonly codes: readonly string[] })[];
  /** The coupon changes of the queue's list, in words. */
  readonly changes: readonly { readonly name: string; readonly isOn: boolean; readonly status: string }[];
  /** The recent lookups that found a product. */
  readonly recent: readonly { readonly name: string; readonly amount: number }[];
  /** By the badge of the queue; 0 where there is none. */
  readonly waiting: number;
  readonly toDecide: number;
  /** "2 changes wait for their users to sign in: …"; 0 where there are none. */
  readonly waitingForUsers: { readonly count: number; readonly emails: readonly string[] };
  /** By the company that they wait for. */
  readonly waitingForCompanies: Readonly<Record<string, number>>;
  /** "Products on this terminal: …"; null where it is not said. */
  readonly copy: string | null;
  readonly dialogs: readonly string[];
  /** Texts that are read out by themselves. */
  readonly notes: readonly string[];
  readonly focused: Shown | null;
  /** Texts in another language than the page's. */
  readonly strange: readonly string[];
}

type Nodes = Awaited<ReturnType<typeof askTree>>;

const askTree = async (session: CDPSession) => (await session.send('Accessibility.getFullAXTree')).nodes;

function buildTree(nodes: Nodes, language: Language): Shown {
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const build = (id: string): readonly Shown[] => {
    const node = byId.get(id);
    if (node === undefined || node.role?.value === 'InlineTextBox') {
      return [];
    }
    const children = (node.childIds ?? []).flatMap(build);
    if (node.ignored) {
      return children;
    }
    const role = String(node.role?.value ?? '');
    const name = inEnglish(String(node.name?.value ?? ''), language);
    const text = role === 'StaticText' ? name : children.map((child) => child.text).join(' ');
    const states = Object.fromEntries((node.properties ?? []).map((property) => [property.name, property.value.value]));
    return [
      {
        role,
        name,
        value: String(node.value?.value ?? ''),
        description: inEnglish(String(node.description?.value ?? ''), language),
        text: text.replaceAll(/\s+/g, ' ').trim(),
        states,
        children,
      },
    ];
  };
  const [root] = build(nodes[0]?.nodeId ?? '');
  return root ?? { role: '', name: '', value: '', description: '', text: '', states: {}, children: [] };
}

/** All nodes below this one that fit. */
export function findAll(from: Shown, fits: (node: Shown) => boolean): readonly Shown[] {
  return from.children.flatMap((child) => [...(fits(child) ? [child] : []), ...findAll(child, fits)]);
}

const find = (from: Shown, fits: (node: Shown) => boolean): Shown | null => findAll(from, fits)[0] ?? null;

/** By its name, or by its number where the platform has not named it yet. */
const isStock = (text: string): boolean => stocks.some(({ id, name }) => text === name || text.endsWith(` ${id}`));
const isAge = (text: string): boolean => /^(?:Live|From the copy|Last asked live|No figure known)/.test(text);
const isAgeNode = ({ role, name }: Shown): boolean => role === 'StaticText' && isAge(name);

/** The number that these words begin with; null where they begin with none. */
function readAmount(words: string): number | null {
  const figure = /^-?[\d,]+(?:\.\d+)?/.exec(words.replace('−', '-'))?.[0];
  return figure === undefined ? null : Number(figure.replaceAll(',', ''));
}

/** The texts within a node, in their order. Chromium leaves paragraphs out at will; the texts alone are sure. */
const textsOf = (node: Shown): readonly string[] =>
  findAll(node, ({ role, name }) => role === 'StaticText' && name.trim() !== '').map(({ name }) => name);

/** The cells of the table of this name, by the words of their columns. */
function readTable(main: Shown, table: string): readonly Readonly<Record<string, string>>[] {
  const grid = find(main, ({ role, name }) => role === 'grid' && name === table);
  const columns = grid === null ? [] : findAll(grid, ({ role }) => role === 'columnheader').map(({ name }) => name);
  return (grid === null ? [] : findAll(grid, ({ role }) => role === 'row'))
    .map((row) => row.children.filter(({ role }) => role === 'gridcell'))
    .filter((cells) => cells.length === columns.length && cells.length > 0)
    .map((cells) => Object.fromEntries(cells.map(({ text }, place) => [columns[place] ?? '', text])));
}

const readLines = (main: Shown): Screen['lines'] =>
  readTable(main, 'Products in stock').flatMap(({ Name: name, Code, Balance = '', 'As of': age, Stock: stock }) =>
    name === undefined || Code === undefined || age === undefined || stock === undefined
      ? []
      : [{ name, codes: [Code], stock, amount: readAmount(Balance), age }],
  );

const changeStatuses =
  /^(?:Waiting|Tried, waiting|Sending|Delivered|Needs a decision|Replaced by a newer one|Discarded|Undone)$/;

const readChanges = (main: Shown): Screen['changes'] =>
  findAll(main, ({ role, name }) => role === 'region' && name === 'Changes')
    .flatMap((region) => findAll(region, ({ role }) => role === 'listitem'))
    .flatMap((row) => {
      const [name = '', ...texts] = textsOf(row);
      const setting = texts
        .map((text) => /^switch coupon (on|off)$/.exec(text)?.[1])
        .find((found) => found !== undefined);
      const status = texts.findLast((text) => changeStatuses.test(text));
      return setting === undefined || status === undefined ? [] : [{ name, isOn: setting === 'on', status }];
    });

const readRecent = (main: Shown): Screen['recent'] =>
  findAll(main, ({ role, name }) => role === 'complementary' && name === 'Recent')
    .flatMap((recent) => findAll(recent, ({ role }) => role === 'button'))
    .flatMap((button) => {
      const [name = '', , figure = ''] = textsOf(button);
      const amount = readAmount(figure);
      return amount === null ? [] : [{ name, amount }];
    });

function readCoupon(region: Shown): ShownCard['coupon'] {
  const couponSwitch = find(region, ({ role, name }) => role === 'switch' && name === 'Consumption coupon');
  return couponSwitch === null
    ? null
    : {
        isOn: couponSwitch.states['checked'] === 'true',
        words: couponSwitch.text.replace('Consumption coupon', '').trim(),
      };
}

function readCard(main: Shown): ShownCard | null {
  const region = find(
    main,
    ({ role, children }) =>
      role === 'region' &&
      find({ ...main, children }, (node) => node.role === 'heading') !== null &&
      /(?:^| )(?:Live|From the copy|Last asked live|No figure known)/.test(children.map(({ text }) => text).join(' ')),
  );
  if (region === null) {
    return null;
  }
  const texts = textsOf(region);
  const [agePlace, minimumPlace] = [texts.findIndex(isAge), texts.findIndex((text) => /\bminimum\b/i.test(text))];
  const codesPlace = texts.findLastIndex((text, place) => place < minimumPlace && /^(?:Code|Barcode) ?$/.test(text));
  const isRead = minimumPlace > 0 && minimumPlace < agePlace;
  return {
    name: region.name,
    codes: findAll(region, ({ role, text }) => role === 'listitem' && /^\W*(?:Code|Barcode) \S+$/.test(text)).map(
      ({ text }) => text.replace(/^.* /, ''),
    ),
    stock: isRead ? (texts[codesPlace + 2] ?? '') : '',
    amount: isRead ? readAmount(texts.slice(minimumPlace + 1, agePlace).join('')) : null,
    age: isRead ? (texts[agePlace] ?? '') : '',
    coupon: readCoupon(region),
  };
}

/** The companion bar's card: the name, the figure and its unit, the stock, how low it is, the age. */
function readBarCard(main: Shown): ShownCard | null {
  const region = find(main, (node) => node.role === 'region' && findAll(node, isAgeNode).length > 0);
  if (region === null) {
    return null;
  }
  const texts = textsOf(region);
  const agePlace = texts.findIndex(isAge);
  const before = texts.slice(1, agePlace);
  const stock = before.findLast((text) => isStock(text)) ?? '';
  return {
    name: region.name,
    codes: [],
    stock,
    amount: readAmount(before.join('')),
    age: texts[agePlace] ?? '',
    coupon: readCoupon(region),
  };
}

/** Reads what a page in this language says now. */
export async function readScreen(session: CDPSession, language: Language): Promise<Screen> {
  const nodes = await askTree(session);
  const root = buildTree(nodes, language);
  const main = find(root, ({ role }) => role === 'main');
  const navigation = find(root, ({ role, name }) => role === 'navigation' && name === 'Main');
  const inNavigation = (pattern: RegExp): readonly RegExpExecArray[] => [...(navigation?.text ?? '').matchAll(pattern)];
  const number = (pattern: RegExp): number => Number(inNavigation(pattern)[0]?.[1] ?? 0);
  const account = find(root, ({ role, name }) => role === 'button' && /^\S+@\S+$/.test(name.trim()));
  return {
    root,
    text: root.text,
    place: main?.name ?? '',
    connection: find(root, ({ role, name }) => role === 'status' && name === 'Connection')?.text ?? null,
    who: account?.name.trim() ?? null,
    company: /Company (\d+)/.exec(find(root, ({ role }) => role === 'banner')?.text ?? '')?.[1] ?? null,
    isPractice: find(root, ({ role, name }) => role === 'complementary' && name === 'Practice store') !== null,
    isClockWrong: /clock is /.test(root.text),
    card: main === null ? null : readCard(main),
    listed: findAll(root, ({ role, name }) => role === 'switch' && name.startsWith('Consumption coupon: ')).map(
      ({ name, states, description }) => ({
        name: name.replace('Consumption coupon: ', ''),
        isOn: states['checked'] === 'true',
        words: description,
      }),
    ),
    lines: main === null ? [] : readLines(main),
    changes: main === null ? [] : readChanges(main),
    recent: main === null ? [] : readRecent(main),
    waiting: number(/(\d+) waiting/g),
    toDecide: number(/(\d+) needs? a decision/g),
    waitingForUsers: {
      count: number(/(\d+) changes? waits? for (?:its|their) users? to sign in/g),
      emails: inNavigation(/to sign in: ((?:\S+@\S+?(?:, |(?=[,\s]|$)))+)/g).flatMap(([, emails = '']) =>
        emails.split(', ').filter((email) => email !== ''),
      ),
    },
    waitingForCompanies: Object.fromEntries(
      inNavigation(/(\d+) changes? for company (\d+) waits?/g).map(([, count, company = '']) => [
        company,
        Number(count),
      ]),
    ),
    copy: find(root, ({ role, text }) => role === 'paragraph' && /roducts? on this terminal/.test(text))?.text ?? null,
    dialogs: findAll(root, ({ role }) => role === 'dialog' || role === 'alertdialog').map(({ name }) => name),
    notes: findAll(root, ({ role }) => role === 'status' || role === 'alert')
      .map(({ text }) => text)
      .filter((text) => text !== ''),
    focused: find(root, ({ states, role }) => states['focused'] === true && role !== 'RootWebArea'),
    strange: nodes
      .filter(({ ignored }) => !ignored)
      .map(({ name }) => String(name?.value ?? '').trim())
      .filter((words) => isStrange(words, language)),
  };
}

/** What the companion bar shows. */
export interface Bar {
  readonly card: ShownCard | null;
  readonly notes: readonly string[];
}

/** Reads what the bar says now. */
export async function readBar(session: CDPSession, language: Language): Promise<Bar> {
  const root = buildTree(await askTree(session), language);
  return {
    card: readBarCard(root),
    notes: findAll(root, ({ role }) => role === 'status' || role === 'alert').map(({ text }) => text),
  };
}
