/**
 * Whatever can be pressed and is smaller than `least` pixels in either direction, in words; links within a sentence may
 * be (WCAG 2.2, 2.5.8).
 */
export function findSmallTargets(least: number): string[] {
  const selector =
    'a[href], button, summary, select, textarea, input:not([type="hidden"]), [role="button"], [role="link"], [role="option"], [role="tab"], [role="menuitem"]';
  const top = document.querySelector('[aria-modal="true"]') ?? document;
  const inSentence = (element: Element): boolean =>
    element.matches('a') &&
    getComputedStyle(element).display === 'inline' &&
    [...(element.parentElement?.childNodes ?? [])].some(
      (node) => node.nodeType === Node.TEXT_NODE && (node.textContent ?? '').trim() !== '',
    );
  return [...top.querySelectorAll(selector)].flatMap((element) => {
    if (
      !(element instanceof HTMLElement) ||
      !element.checkVisibility({ visibilityProperty: true, opacityProperty: false }) ||
      element.closest('[inert], .visually-hidden') !== null ||
      inSentence(element)
    ) {
      return [];
    }
    // The place to touch of a tick or a switch is its label, too, or the cell that it stands in.
    const cell = element.closest('[role="gridcell"]');
    const parts: Element[] = [
      element,
      ...(element instanceof HTMLInputElement ? (element.labels ?? []) : []),
      ...(cell !== null && getComputedStyle(cell).cursor === 'pointer' ? [cell] : []),
    ];
    const isEnough = (box: { readonly width: number; readonly height: number }): boolean =>
      box.width >= least - 0.1 && box.height >= least - 0.1;
    if (parts.some((part) => isEnough(part.getBoundingClientRect()))) {
      return [];
    }
    // Its reach, as a finger finds it: from its middle outwards for as long as it is what lies there.
    element.scrollIntoView({ block: 'center', inline: 'nearest' });
    const boxes = parts.map((part) => part.getBoundingClientRect()).filter((box) => box.width > 0);
    const isHit = (x: number, y: number): boolean => {
      const hit = document.elementFromPoint(x, y);
      const pressed = hit?.closest('label')?.control ?? hit;
      return hit !== null && (pressed === element || element.contains(hit) || parts.some((part) => part.contains(hit)));
    };
    const reach = (x: number, y: number, stepX: number, stepY: number, most: number): number => {
      let far = 0;
      while (far < most && isHit(x + (far + 1) * stepX, y + (far + 1) * stepY)) {
        far += 1;
      }
      return far;
    };
    /** No further than is enough: most of what is looked at here is large enough, and each look takes a hit test. */
    const across = (x: number, y: number, stepX: number, stepY: number): number => {
      const before = reach(x, y, -stepX, -stepY, least - 1);
      return before + 1 + reach(x, y, stepX, stepY, least - 1 - before);
    };
    const found: { readonly width: number; readonly height: number }[] = [];
    for (const box of boxes) {
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
      const size = { width: across(x, y, 1, 0), height: across(x, y, 0, 1) };
      if (isEnough(size)) {
        return [];
      }
      found.push(size);
    }
    const [first] = found;
    return first === undefined ? [] : [`${element.outerHTML.slice(0, 110)} reaches ${first.width} x ${first.height}`];
  });
}

/**
 * Texts that nobody can read whole: cut off without a title that has them, out of the window and of every scroller,
 * upon another text, or to be typed where half a word has room.
 */
export function findLostTexts(): string[] {
  const lost = new Set<string>();
  const root = document.documentElement;
  const modal = document.querySelector('[aria-modal="true"]');
  /** What is read of an element, once for all texts in it: nothing changes meanwhile. */
  const lookAt = (element: Element) => {
    const { display, position, overflowX, overflowY, backgroundColor } = getComputedStyle(element);
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const isLaidOver = ['fixed', 'absolute', 'sticky'].includes(position) && backgroundColor !== 'rgba(0, 0, 0, 0)';
    return { display, isFixed: position === 'fixed', isLaidOver, overflowX, overflowY, left, right, top, bottom };
  };
  const looks = new Map<Element, ReturnType<typeof lookAt>>();
  const lookOf = (element: Element): ReturnType<typeof lookAt> => {
    const look = looks.get(element) ?? lookAt(element);
    looks.set(element, look);
    return look;
  };
  /** The nearest around it that is laid over the page and hides what is below. */
  const layerOf = (element: Element): Element | null => {
    for (let around: Element | null = element; around !== null; around = around.parentElement) {
      if (lookOf(around).isLaidOver) {
        return around;
      }
    }
    return null;
  };
  const isClip = (flow: string): boolean => flow === 'hidden' || flow === 'clip';
  const seen: {
    readonly element: Element;
    readonly left: number;
    readonly right: number;
    readonly upper: number;
    readonly lower: number;
    readonly text: string;
    readonly height: number;
  }[] = [];
  const walker = document.createTreeWalker(modal ?? document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const text = (node.textContent ?? '').trim();
    const element = node.parentElement;
    if (
      text === '' ||
      element === null ||
      !element.checkVisibility({ visibilityProperty: true }) ||
      element.closest('.visually-hidden, option, script, style, svg, [inert]') !== null
    ) {
      continue;
    }
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const line of range.getClientRects()) {
      if (line.width === 0 || line.height === 0) {
        continue;
      }
      let [left, right, upper, lower] = [line.left, line.right, line.top, line.bottom];
      let [reachX, reachY, isFixed] = [false, false, false];
      let hasWords = false;
      for (
        let around: Element | null = element;
        around !== null && around !== document.body && !isFixed;
        around = around.parentElement
      ) {
        const look = lookOf(around);
        hasWords ||= (around.getAttribute('title') ?? '').includes(text);
        isFixed = look.isFixed;
        if (look.display === 'inline' || look.display === 'contents') {
          continue;
        }
        // The line's own height may stand out of the letters.
        const [isOutX, isOutY] = [
          left < look.left - 1.5 || right > look.right + 1.5,
          upper < look.top - line.height * 0.3 || lower > look.bottom + line.height * 0.3,
        ];
        if (
          ((isOutX && isClip(look.overflowX) && !reachX) || (isOutY && isClip(look.overflowY) && !reachY)) &&
          !hasWords
        ) {
          lost.add(`cut off by ${around.getAttribute('class')?.slice(0, 40) ?? around.tagName}: ${text.slice(0, 60)}`);
        }
        reachX ||= ['auto', 'scroll'].includes(look.overflowX);
        reachY ||= ['auto', 'scroll'].includes(look.overflowY);
        if (look.overflowX !== 'visible' || look.overflowY !== 'visible') {
          [left, right, upper, lower] = [
            Math.max(left, look.left),
            Math.min(right, look.right),
            Math.max(upper, look.top),
            Math.min(lower, look.bottom),
          ];
        }
      }
      if (right <= left || lower <= upper) {
        continue;
      }
      if ((left < -1 || right > root.clientWidth + 1) && !hasWords) {
        lost.add(`beside the window: ${text.slice(0, 60)}`);
      }
      if ((upper < -1 || lower > root.clientHeight + 1) && !reachY) {
        lost.add(`below the window: ${text.slice(0, 60)}`);
      }
      seen.push({ element, left, right, upper, lower, text, height: line.height });
    }
  }
  const downwards = seen.toSorted((one, other) => one.upper - other.upper);
  downwards.forEach((one, place) => {
    for (let next = place + 1; next < downwards.length; next += 1) {
      const other = downwards[next];
      // All that follow begin below it.
      if (other === undefined || other.upper >= one.lower) {
        break;
      }
      const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const down = Math.min(one.lower, other.lower) - Math.max(one.upper, other.upper);
      // Lines of one paragraph touch, by a share of their whole height, however much of them is in sight; what lies
      // over the page on a ground of its own covers by intention.
      if (
        across > 3 &&
        down > 0.35 * Math.min(one.height, other.height) &&
        !one.element.contains(other.element) &&
        !other.element.contains(one.element) &&
        layerOf(one.element) === layerOf(other.element)
      ) {
        lost.add(`upon each other: ${one.text.slice(0, 40)} | ${other.text.slice(0, 40)}`);
      }
    }
  });
  const all = (modal ?? document).querySelectorAll('*');
  for (const element of modal === null ? all : [modal, ...all]) {
    if (
      element instanceof HTMLInputElement &&
      element.placeholder !== '' &&
      element.checkVisibility({ visibilityProperty: true })
    ) {
      const { paddingLeft, paddingRight, fontSize } = getComputedStyle(element);
      const room = element.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
      if (room < 4 * Number.parseFloat(fontSize)) {
        lost.add(`no room for what is typed: ${element.placeholder} ${room}`);
      }
    }
    if (
      element.scrollWidth > element.clientWidth + 1 &&
      element.clientWidth > 0 &&
      ['auto', 'scroll'].includes(getComputedStyle(element).overflowX)
    ) {
      lost.add(
        `scrolls sideways: ${(element.getAttribute('class') ?? '').slice(0, 60)} ${element.scrollWidth} in ${element.clientWidth}`,
      );
    }
  }
  return [...lost];
}

/**
 * Titles, which are for a mouse alone, with words that neither the element, its name nor the line that it stands in
 * tells otherwise. Left out: what a short unit is short for, how a column is sorted (`aria-sort` tells it), what the
 * bar is moved by, and the platform's own names of a batch's fields.
 */
export function findHoverOnly(): string[] {
  const plain = (text: string | null | undefined): string => (text ?? '').replaceAll(/\s+/g, ' ').trim().toLowerCase();
  return [
    ...document.querySelectorAll('[title]:not(.quantity-unit, .stock-sort, .bar-handle, .batch [title])'),
  ].flatMap((element) => {
    // In brackets stands the shortcut, which the list of keys has.
    const words = plain(element.getAttribute('title')).replace(/ \([^)]*\)$/, '');
    const line = element.closest('li, tr, dl > *, p, button, a, label, [role="row"]');
    const namers = [
      element.textContent,
      element.getAttribute('aria-label'),
      element.nextElementSibling?.textContent,
      line?.textContent,
    ];
    return words === '' || namers.some((text) => plain(text).includes(words))
      ? []
      : [`${words}: ${element.outerHTML.slice(0, 110)}`];
  });
}

/**
 * Text that means something to a technician alone, outside of what is folded: a status of HTTP, a code of the platform,
 * a line of a stack.
 */
export function findTechnical(): string[] {
  const found: string[] = [];
  for (const element of document.body.querySelectorAll('*')) {
    // A sentence may lie in several texts of one element.
    const text = [...element.childNodes]
      .filter((node) => node.nodeType === Node.TEXT_NODE)
      .map((node) => node.textContent)
      .join('');
    if (
      /\bHTTP \d{3}\b|\b[a-z]+_[a-z_]+\b|\bat \w+ \(/.test(text) &&
      element.closest('details, script, style') === null &&
      element.checkVisibility({ visibilityProperty: true })
    ) {
      found.push(text.trim().slice(0, 110));
    }
  }
  return found;
}

/** Elements, and what CSS adds before and after them, that move or change for longer than `maxSeconds`. */
export function findMotion(maxSeconds: number): string[] {
  const seconds = (list: string): number =>
    Math.max(...list.split(',').map((one) => Number.parseFloat(one) * (one.trim().endsWith('ms') ? 0.001 : 1)));
  return [...document.querySelectorAll('*')].flatMap((element) =>
    [null, '::before', '::after'].flatMap((pseudo) => {
      const { animationName, animationDuration, transitionDuration, transitionProperty } = getComputedStyle(
        element,
        pseudo,
      );
      const isMoving =
        (animationName !== 'none' && seconds(animationDuration) > maxSeconds) ||
        (transitionProperty !== 'none' && seconds(transitionDuration) > maxSeconds);
      return isMoving
        ? [
            `${element.tagName} ${element.getAttribute('class') ?? ''}${pseudo ?? ''}: ${animationName} ${animationDuration}, ${transitionProperty} ${transitionDuration}`,
          ]
        : [];
    }),
  );
}

/**
 * Puts `window.focusProbe` into the page: what all that the keyboard reaches looks like without the focus, to be
 * compared with how it looks with it. Answers how much that is.
 */
export function installFocusProbe(): number {
  const selector =
    'a[href], button:not(:disabled), summary, select:not(:disabled), textarea:not(:disabled), input:not(:disabled), [tabindex]:not([tabindex="-1"])';
  const top = document.querySelector('[aria-modal="true"]') ?? document;
  const isReachable = (element: HTMLElement): boolean =>
    element.tabIndex >= 0 &&
    element.checkVisibility({ visibilityProperty: true }) &&
    element.closest('[inert]') === null &&
    !(element instanceof HTMLInputElement && element.type === 'radio' && !element.checked);
  const look = (element: Element): string =>
    [
      element,
      element.parentElement,
      element.nextElementSibling,
      element.querySelector(`#${CSS.escape(element.getAttribute('aria-activedescendant') ?? 'none')}`),
      ...(element instanceof HTMLInputElement ? (element.labels ?? []) : []),
    ]
      .flatMap((part) =>
        part === null ? [] : [null, '::before', '::after'].map((pseudo) => getComputedStyle(part, pseudo)),
      )
      .map(
        ({ outlineStyle, outlineWidth, outlineColor, boxShadow, borderColor, borderWidth }) =>
          (outlineStyle === 'none' ? '' : `${outlineStyle} ${outlineWidth} ${outlineColor}`) +
          boxShadow +
          borderColor +
          borderWidth,
      )
      .join('|');
  const reachable = [...top.querySelectorAll<HTMLElement>(selector)].filter(isReachable);
  // From the beginning of the page, or, where a dialog holds the focus, from where it put it.
  const start = top === document ? document.body : document.activeElement;
  if (document.activeElement instanceof HTMLElement) {
    document.activeElement.blur();
  }
  const looks = new Map(reachable.map((element) => [element, look(element)]));
  if (start instanceof HTMLElement) {
    const isBody = start === document.body;
    start.tabIndex = isBody ? -1 : start.tabIndex;
    start.focus();
    if (isBody) {
      start.removeAttribute('tabindex');
    }
  }
  const reached = new Set<Element>();
  const faults: string[] = [];
  let [isAround, isAtStart, isJudged] = [false, true, true];
  /** The fault of this place; null when there is none. */
  const faultOf = (element: HTMLElement): string | null => {
    const name = element.outerHTML.slice(0, 120);
    const [before, now] = [looks.get(element), look(element)];
    const box = (
      element instanceof HTMLInputElement ? (element.labels?.[0] ?? element) : element
    ).getBoundingClientRect();
    const hit = document.elementFromPoint(
      Math.min(innerWidth - 1, Math.max(0, box.x + box.width / 2)),
      Math.min(innerHeight - 1, Math.max(0, box.y + Math.min(box.height / 2, 40))),
    );
    const isOver =
      hit !== null &&
      (element.contains(hit) ||
        hit.contains(element) ||
        (hit.closest('label')?.control ?? null) === element ||
        hit.parentElement?.contains(element) === true);
    if (before === now) {
      return `looks the same with the focus: ${name}`;
    }
    return box.bottom < 0 || box.top > innerHeight || !isOver ? `has the focus out of sight: ${name}` : null;
  };
  /** Judges the place where the focus is, unless all has been gone through, or this place just before. */
  const judge = (): void => {
    if (isJudged || isAround) {
      return;
    }
    isJudged = true;
    const element = document.activeElement;
    const isNowhere = !(element instanceof HTMLElement) || element === document.body;
    if (isNowhere && reached.size === 0) {
      // Where a page has one stop alone, the way around leads through the window's own.
      faults.push(...(isAtStart ? [] : ['nowhere']));
    } else if (isNowhere || reached.has(element)) {
      isAround = true;
    } else {
      reached.add(element);
      const fault = faultOf(element);
      faults.push(...(fault === null ? [] : [fault]));
    }
    isAtStart = false;
  };
  const leave = (event: KeyboardEvent): void => {
    if (event.key === 'Tab') {
      judge();
      isJudged = false;
    }
  };
  window.addEventListener('keydown', leave, true);
  Object.assign(window, {
    focusProbe: {
      /** Judges the last place; whether all has been gone through. */
      arrive: (): boolean => {
        judge();
        return isAround;
      },
      /** The faults, the elements that can be reached and were not among them. */
      end: (): string[] => {
        window.removeEventListener('keydown', leave, true);
        return [
          ...faults,
          ...reachable
            .filter((element) => element.isConnected && isReachable(element) && !reached.has(element))
            .map((element) => `is never reached: ${element.outerHTML.slice(0, 120)}`),
        ];
      },
    },
  });
  return reachable.length;
}
