import {
  useEffect,
  useId,
  useRef,
  useState,
  type KeyboardEvent as ReactKeyboardEvent,
  type ReactElement,
  type ReactNode,
} from 'react';
import { arrowStep } from '../dom/focus.ts';

export interface MenuItem {
  readonly id: string;
  readonly icon: ReactNode;
  readonly label: ReactNode;
  /** The name of its keys for a screen reader; those that are seen are in the label. */
  readonly keys?: string | undefined;
  readonly choose: () => void;
}

interface MenuButtonProps {
  /** The menu's subject, for a screen reader. */
  readonly name: string;
  readonly className: string;
  readonly children: ReactNode;
  /** Above the items, and no item. */
  readonly head?: ReactNode;
  readonly items: readonly MenuItem[];
  /** Another one closes the menu. */
  readonly about?: unknown;
}

/** A button with a menu below it (ARIA's menu button): arrows walk, Escape, Tab and a touch elsewhere close it. */
export function MenuButton({ name, className, children, head, items, about }: MenuButtonProps): ReactElement {
  const [isOpen, setOpen] = useState(false);
  const menuId = useId();
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const itemsNow = (): HTMLElement[] => [...(box.current?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])];

  useEffect(() => setOpen(false), [about]);
  useEffect(() => {
    if (!isOpen) {
      return undefined;
    }
    box.current?.querySelector<HTMLElement>('[role="menuitem"]')?.focus();
    const closeBeside = (event: PointerEvent): void => {
      if (event.target instanceof Node && box.current?.contains(event.target) !== true) {
        setOpen(false);
      }
    };
    window.addEventListener('pointerdown', closeBeside, true);
    return () => window.removeEventListener('pointerdown', closeBeside, true);
  }, [isOpen]);

  const closeToButton = (): void => {
    setOpen(false);
    button.current?.focus();
  };
  const takeKey = (event: ReactKeyboardEvent): void => {
    const all = itemsNow();
    const step = arrowStep(event.key);
    const target: Readonly<Record<string, number>> = { Home: 0, End: all.length - 1 };
    if (event.key === 'Escape' && isOpen) {
      event.preventDefault();
      closeToButton();
    } else if (event.key === 'Tab') {
      setOpen(false);
    } else if (isOpen && (step !== 0 || target[event.key] !== undefined)) {
      event.preventDefault();
      const place = all.findIndex((item) => item === document.activeElement);
      all[target[event.key] ?? (place + step + all.length) % all.length]?.focus();
    } else if (!isOpen && event.key === 'ArrowDown') {
      event.preventDefault();
      setOpen(true);
    }
  };

  return (
    <div ref={box} className="menu-box" onKeyDown={takeKey}>
      <button
        ref={button}
        type="button"
        className={className}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? menuId : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        {children}
      </button>
      {isOpen && (
        <div className="menu-sheet">
          {head}
          <div role="menu" id={menuId} aria-label={name}>
            {items.map(({ id, icon, label, keys, choose }) => (
              <button
                key={id}
                type="button"
                role="menuitem"
                tabIndex={-1}
                className="menu-item line-3"
                data-item={id}
                aria-keyshortcuts={keys}
                onClick={() => {
                  closeToButton();
                  choose();
                }}
              >
                {icon}
                <span>{label}</span>
              </button>
            ))}
          </div>
        </div>
      )}
    </div>
  );
}
