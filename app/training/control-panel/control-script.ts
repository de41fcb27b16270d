import type { PanelLanguage, PanelWords } from './control-words.ts';

interface Option {
  readonly of?: readonly (string | number | boolean)[];
  readonly from?: number;
  readonly to?: number;
  readonly says: string;
}

type Values = Readonly<Record<string, string | number | boolean>>;

interface State {
  readonly platformUrl: string;
  readonly applications: readonly { readonly clientId: string; readonly clientSecret: string }[];
  readonly companies: readonly { readonly id: string; readonly name: string }[];
  readonly stocks: readonly { readonly id: string; readonly name: string }[];
  readonly users: readonly {
    readonly id: string;
    readonly email: string;
    readonly password: string;
    readonly isActive: boolean;
    readonly canBeDeleted: boolean;
  }[];
  readonly firstProductId: string | null;
  readonly variants: Values;
  readonly variantTable: Readonly<Record<string, Option>>;
  readonly conditions: Values;
  readonly conditionTable: Readonly<Record<string, Option>>;
  readonly arrivals: readonly {
    readonly at: number;
    readonly method: string;
    readonly path: string;
    readonly query: string;
    readonly status: number | null;
    readonly isReplayed: boolean;
    readonly idempotencyKey: string | null;
    readonly fault: string | null;
  }[];
}

/** The whole panel. */
export function runPanel(words: Readonly<Record<PanelLanguage, PanelWords>>): void {
  const key = location.hash.slice(1);
  const root = document.querySelector('#panel');
  const spoken = navigator.language.toLowerCase();
  let language: PanelLanguage = spoken.startsWith('pt') ? 'pt-BR' : spoken.startsWith('es') ? 'es' : 'en';
  let state: State | null = null;
  /** Called with each new state, to bring what is shown up to it. */
  let updates: ((now: State) => void)[] = [];
  let isArrivalsOpen = false;
  const t = (): PanelWords => words[language];

  function make<Name extends keyof HTMLElementTagNameMap>(
    name: Name,
    properties: Partial<HTMLElementTagNameMap[Name]> = {},
    ...children: (Node | string)[]
  ): HTMLElementTagNameMap[Name] {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...children);
    return element;
  }

  async function exchange(path: string, body?: unknown): Promise<State | string> {
    const response = await fetch(path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as State & { readonly message?: string };
    if (response.ok) {
      return answer;
    }
    return response.status === 401 ? t().noKey : (answer.message ?? String(response.status));
  }

  const message = make('p', { className: 'message' });
  message.setAttribute('role', 'status');

  function show(now: State): void {
    const isFirst = state === null;
    state = now;
    if (isFirst) {
      build(now);
    }
    for (const update of updates) {
      update(now);
    }
  }

  function alertWith(text: string): void {
    const panel = make('p', { className: 'alert' }, text);
    panel.setAttribute('role', 'alert');
    state = null;
    root?.replaceChildren(make('main', {}, panel));
  }

  async function send(change: unknown): Promise<void> {
    try {
      const answer = await exchange('/control/change', change);
      message.textContent = typeof answer === 'string' ? answer : t().done;
      message.classList.toggle('bad', typeof answer === 'string');
      if (typeof answer !== 'string') {
        show(answer);
      }
    } catch {
      alertWith(t().lost);
    }
  }

  function field(name: string, kind: 'conditions' | 'variants', option: Option): HTMLInputElement | HTMLSelectElement {
    const commit = (value: string | number | boolean): void => {
      void send({ [kind]: { [name]: value } });
    };
    const isSwitch = option.of?.every((value) => typeof value === 'boolean') === true;
    if (option.of !== undefined && !isSwitch) {
      const select = make(
        'select',
        { id: name },
        ...option.of.map((value) => make('option', { value: String(value) }, String(value))),
      );
      select.addEventListener('change', () => {
        commit(select.value);
      });
      updates.push((now) => {
        select.value = String(now[kind][name]);
      });
      return select;
    }
    const input = make(
      'input',
      isSwitch
        ? { id: name, type: 'checkbox' }
        : { id: name, type: 'number', min: String(option.from), max: String(option.to), step: '1' },
    );
    input.addEventListener('change', () => {
      commit(isSwitch ? input.checked : Number(input.value));
    });
    updates.push((now) => {
      if (isSwitch) {
        input.checked = now[kind][name] === true;
      } else if (document.activeElement !== input) {
        // What a person is typing is theirs.
        input.value = String(now[kind][name]);
      }
    });
    return input;
  }

  function conditionRow(name: string, now: State): HTMLElement {
    const label = make('label', { htmlFor: name }, t()[name as keyof PanelWords]);
    return make(
      'div',
      { className: 'row' },
      label,
      field(name, 'conditions', now.conditionTable[name] ?? { says: '' }),
    );
  }

  function group(title: string, ...children: Node[]): HTMLElement {
    return make('section', {}, make('h2', {}, title), ...children);
  }

  function button(text: string, press: () => void): HTMLButtonElement {
    const element = make('button', { type: 'button' }, text);
    element.addEventListener('click', press);
    return element;
  }

  function byHand(now: State): HTMLElement {
    const product = make('input', { id: 'product', value: now.firstProductId ?? '', inputMode: 'numeric' });
    const quantity = make('input', { id: 'quantity', type: 'number', value: '0', step: 'any' });
    const stock = make(
      'select',
      { id: 'stock' },
      ...now.stocks.map(({ id, name }) => make('option', { value: id }, `${name} (${id})`)),
    );
    const act = (action: Readonly<Record<string, unknown>>) => (): void => {
      void send({ actions: [{ productId: product.value.trim(), ...action }] });
    };
    const labelled = (text: string, control: HTMLElement): HTMLElement => make('label', {}, text, control);
    return group(
      t().byHand,
      make(
        'div',
        { className: 'fields' },
        labelled(t().product, product),
        labelled(t().stock, stock),
        labelled(t().quantity, quantity),
      ),
      make(
        'div',
        { className: 'buttons' },
        button(t().setQuantity, () => {
          act({ do: 'changeBalance', stockId: stock.value, amount: Number(quantity.value) })();
        }),
        button(t().couponOn, act({ do: 'changeCoupon', isEnabled: true })),
        button(t().couponOff, act({ do: 'changeCoupon', isEnabled: false })),
        button(t().takeAway, act({ do: 'removeProduct', isRemoved: true })),
        button(t().bringBack, act({ do: 'removeProduct', isRemoved: false })),
      ),
    );
  }

  function userList(): HTMLElement {
    const list = make('div');
    let shown = '';
    updates.push(({ users }) => {
      // Made anew only when somebody came or went, so that a button keeps the focus.
      const standing = JSON.stringify(users);
      if (standing !== shown) {
        shown = standing;
        const rows = users.map(({ id, email, isActive, canBeDeleted }) => {
          const name = make('span', {}, `${id} · ${email} · ${isActive ? t().active : t().deleted}`);
          const again = button(t().deleteAgain, () => void send({ actions: [{ do: 'deleteUser', userId: id }] }));
          return make('div', { className: 'row' }, name, ...(canBeDeleted && isActive ? [again] : []));
        });
        list.replaceChildren(...rows);
      }
    });
    return group(t().users, list);
  }

  function arrivalList(): HTMLElement {
    const body = make('tbody');
    const none = make('p', {}, t().nothingArrived);
    const head = make('tr', {}, ...[t().at, t().request, t().answer, t().note].map((text) => make('th', {}, text)));
    const time = new Intl.DateTimeFormat(language, { timeStyle: 'medium', hourCycle: 'h23' });
    updates.push(({ arrivals }) => {
      none.hidden = arrivals.length > 0;
      const rows = arrivals.toReversed().map((arrival) => {
        const notes = [
          arrival.isReplayed ? t().replayed : '',
          arrival.fault ?? '',
          arrival.idempotencyKey ?? '',
        ].filter((note) => note !== '');
        const isBad = arrival.status === null || arrival.status >= 400;
        return make(
          'tr',
          {},
          make('td', {}, time.format(arrival.at)),
          make('td', {}, `${arrival.method} ${arrival.path}${arrival.query}`),
          make(
            'td',
            { className: isBad ? 'bad' : '' },
            arrival.status === null ? t().lostOnTheWay : String(arrival.status),
          ),
          make('td', {}, notes.join(' · ')),
        );
      });
      body.replaceChildren(...rows);
    });
    const scroll = make(
      'div',
      { className: 'scroll', tabIndex: 0 },
      make('table', {}, make('thead', {}, head), body),
      none,
    );
    scroll.setAttribute('role', 'region');
    scroll.setAttribute('aria-label', t().arrived);
    // Requests as programs write them: for whoever asks.
    const fold = make('details', { open: isArrivalsOpen }, make('summary', {}, t().arrived), scroll);
    fold.addEventListener('toggle', () => {
      isArrivalsOpen = fold.open;
    });
    return fold;
  }

  function variantList(now: State): HTMLElement {
    const rows = Object.entries(now.variantTable).map(([name, option]) => {
      const label = make('label', { htmlFor: name }, name, make('small', { lang: 'en' }, option.says));
      return make('div', { className: 'row wide' }, label, field(name, 'variants', option));
    });
    const { platformUrl, applications, companies, stocks, users } = now;
    const credentials = JSON.stringify({ platformUrl, applications, companies, stocks, users }, null, 2);
    const link = make('a', { href: '/openapi.json' }, t().description);
    return make(
      'details',
      {},
      make('summary', {}, t().integrators),
      make('p', {}, t().integratorsText),
      make('p', {}, link),
      ...rows,
      make('h2', {}, t().credentials),
      make('pre', {}, credentials),
    );
  }

  function languageButton(code: PanelLanguage, name: string): HTMLButtonElement {
    const chosen = button(name, () => {
      language = code;
      if (state !== null) {
        const now = state;
        state = null;
        show(now);
        document.querySelector<HTMLElement>(`[lang="${code}"]`)?.focus();
      }
    });
    chosen.lang = code;
    chosen.setAttribute('aria-pressed', String(language === code));
    return chosen;
  }

  function build(now: State): void {
    updates = [];
    document.documentElement.lang = language;
    document.title = t().title;
    const network = group(
      t().network,
      ...['isNetworkDown', 'latencyMs', 'answerLatencyMs', 'lossPercent'].map((name) => conditionRow(name, now)),
    );
    updates.push(({ conditions }) => network.classList.toggle('down', conditions['isNetworkDown'] === true));
    const platform = group(
      t().platform,
      ...['tooManyPercent', 'serverErrorPercent', 'doServerErrorsTakeEffect'].map((name) => conditionRow(name, now)),
    );
    const others = group(
      t().others,
      ...['movementsPerMinute', 'productChangesPerMinute', 'couponChangesPerMinute'].map((name) =>
        conditionRow(name, now),
      ),
    );
    const signIn = group(
      t().signIn,
      make(
        'div',
        { className: 'buttons' },
        button(t().expireAccessTokens, () => void send({ actions: [{ do: 'expireAccessTokens' }] })),
        button(t().revokeRefreshTokens, () => void send({ actions: [{ do: 'revokeRefreshTokens' }] })),
      ),
    );
    root?.replaceChildren(
      make('aside', { className: 'band' }, t().subtitle),
      make(
        'header',
        {},
        make('h1', {}, t().title),
        message,
        languageButton('en', 'English'),
        languageButton('pt-BR', 'Português'),
        languageButton('es', 'Español'),
        button(t().reset, () => void send({ actions: [{ do: 'reset' }] })),
      ),
      make(
        'main',
        {},
        make('div', { className: 'column' }, network, platform, others),
        make('div', { className: 'column' }, arrivalList(), signIn, byHand(now), userList()),
        variantList(now),
      ),
    );
  }

  const ask = async (): Promise<void> => {
    let isOver = false;
    try {
      if (document.visibilityState === 'visible') {
        const answer = await exchange('/control/state');
        if (typeof answer === 'string') {
          isOver = true;
          alertWith(answer);
        } else {
          show(answer);
        }
      }
    } catch {
      isOver = true;
      alertWith(t().lost);
    }
    if (!isOver) {
      setTimeout(() => void ask(), 1000);
    }
  };
  void ask();
}
