// What a person is told by the page, read from Chromium's accessibility tree, in English. It shares nothing with the
// page: its words stand here a second time.
import type { CDPSession } from 'playwright-core';

/** A node of the accessibility tree, with the texts within it. */
export interface Shown {
  readonly role: string;
  readonly name: string;
  readonly value: string;
  /** All texts within it, in their order. */
  readonly text: string;
  readonly states: Readonly<Record<string, unknown>>;
  readonly children: readonly Shown[];
}

export interface ShownCard {
  readonly name: string;
  readonly codes: readonly string[];
  readonly stock: string;
  /** Null where it says that nobody knows it. */
  readonly amount: number | null;
  /** The words on its age; empty where nobody is signed in, and it is not read. */
  readonly age: string;
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
  readonly card: ShownCard | null;
  /** By the badge of the queue; 0 where there is none. */
  readonly waiting: number;
  readonly toDecide: number;
  /** "Products on this terminal: …"; null where it is not said. */
  readonly copy: string | null;
  readonly dialogs: readonly string[];
  /** Texts that are read out by themselves. */
  readonly notes: readonly string[];
  readonly focused: Shown | null;
}

type Nodes = Awaited<ReturnType<typeof askTree>>;

const askTree = async (session: CDPSession) => (await session.send('Accessibility.getFullAXTree')).nodes;

function buildTree(nodes: Nodes): Shown {
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
    const name = String(node.name?.value ?? '');
    const text = role === 'StaticText' ? name : children.map((child) => child.text).join(' ');
    const states = Object.fromEntries((node.properties ?? []).map((property) => [property.name, property.value.value]));
    return [
      {
        role,
        name,
        value: String(node.value?.value ?? ''),
        text: text.replaceAll(/\s+/g, ' ').trim(),
        states,
        children,
      },
    ];
  };
  const [root] = build(nodes[0]?.nodeId ?? '');
  return root ?? { role: '', name: '', value: '', text: '', states: {}, children: [] };
}

/** All nodes below this one that fit. */
export function findAll(from: Shown, fits: (node: Shown) => boolean): readonly Shown[] {
  return from.children.flatMap((child) => [...(fits(child) ? [child] : []), ...findAll(child, fits)]);
}

const find = (from: Shown, fits: (node: Shown) => boolean): Shown | null => findAll(from, fits)[0] ?? null;

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
  // Chromium leaves paragraphs out at will: the texts alone are sure, in their order.
  const texts = findAll(region, ({ role, name }) => role === 'StaticText' && name.trim() !== '').map(
    ({ name }) => name,
  );
  const isAge = (text: string): boolean => /^(?:Live|From the copy|Last asked live|No figure known)/.test(text);
  const [agePlace, minimumPlace] = [texts.findIndex(isAge), texts.findIndex((text) => /\bminimum\b/i.test(text))];
  const codesPlace = texts.findLastIndex((text, place) => place < minimumPlace && /^(?:Code|Barcode) ?$/.test(text));
  const isRead = minimumPlace > 0 && minimumPlace < agePlace;
  const number = isRead
    ? texts
        .slice(minimumPlace + 1, agePlace)
        .join('')
        .replace('−', '-')
    : '';
  const figure = /^-?[\d,]+(?:\.\d+)?/.exec(number)?.[0] ?? null;
  const couponSwitch = find(region, ({ role, name }) => role === 'switch' && name === 'Consumption coupon');
  return {
    name: region.name,
    codes: findAll(region, ({ role, text }) => role === 'listitem' && /^\W*(?:Code|Barcode) \S+$/.test(text)).map(
      ({ text }) => text.replace(/^.* /, ''),
    ),
    stock: isRead ? (texts[codesPlace + 2] ?? '') : '',
    amount: figure === null ? null : Number(figure.replaceAll(',', '')),
    age: isRead ? (texts[agePlace] ?? '') : '',
    coupon:
      couponSwitch === null
        ? null
        : {
            isOn: couponSwitch.states['checked'] === 'true',
            words: couponSwitch.text.replace('Consumption coupon', '').trim(),
          },
  };
}

/** Reads what the page says now. */
export async function readScreen(session: CDPSession): Promise<Screen> {
  const root = buildTree(await askTree(session));
  const main = find(root, ({ role }) => role === 'main');
  const navigation = find(root, ({ role, name }) => role === 'navigation' && name === 'Main');
  const number = (pattern: RegExp): number => Number(pattern.exec(navigation?.text ?? '')?.[1] ?? 0);
  const account = find(root, ({ role, name }) => role === 'button' && /^\S+@\S+$/.test(name.trim()));
  return {
    root,
    text: root.text,
    place: main?.name ?? '',
    connection: find(root, ({ role, name }) => role === 'status' && name === 'Connection')?.text ?? null,
    who: account?.name.trim() ?? null,
    card: main === null ? null : readCard(main),
    waiting: number(/(\d+) waiting/),
    toDecide: number(/(\d+) needs? a decision/),
    copy: find(root, ({ role, text }) => role === 'paragraph' && /roducts? on this terminal/.test(text))?.text ?? null,
    dialogs: findAll(root, ({ role }) => role === 'dialog' || role === 'alertdialog').map(({ name }) => name),
    notes: findAll(root, ({ role }) => role === 'status' || role === 'alert')
      .map(({ text }) => text)
      .filter((text) => text !== ''),
    focused: find(root, ({ states, role }) => states['focused'] === true && role !== 'RootWebArea'),
  };
}
