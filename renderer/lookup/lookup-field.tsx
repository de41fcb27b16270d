import { Loader } from '@mantine/core';
import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactElement } from 'react';
import { useLookup, useStockIds, useStores, useWords } from '../stores/context.tsx';
import { isDialogOpen } from '../dom/dialogs.ts';
import { arrowStep, useTypedInto } from '../dom/focus.ts';
import type { HitGroup } from '../formats/products.ts';
import { useShortcut } from '../stores/use-shortcut.ts';
import { ariaKeysOf } from '../stores/shortcuts.ts';
import { CrossIcon, ScanIcon } from '../ui/icons.tsx';
import { KeyCaps } from '../ui/keys.tsx';
import { isUntouchedQuestion } from './choosing.ts';
import { ProductLine } from './product-line.tsx';

/** Puts every character that is typed outside of another field into this one, and selects what was answered. */
function useReadyField() {
  const field = useRef<HTMLInputElement>(null);
  const { lookup: store, earlyPin } = useStores();
  // The text that was answered last: as long as it stands in the field, what is typed next replaces it.
  const settled = useRef('');
  const answered = useLookup((lookup) => lookup.answered);
  const sequence = useLookup((lookup) => lookup.sequence);
  useTypedInto(field);
  useEffect(() => {
    if (store.getState().isTypedOver()) {
      return;
    }
    settled.current = store.getState().text;
    if (!isDialogOpen() && !earlyPin.isAwaited()) {
      field.current?.focus({ preventScroll: true });
      field.current?.select();
    }
  }, [answered, sequence, store, earlyPin]);
  const selectSettled = (): void => {
    if (field.current?.value === settled.current) {
      field.current.select();
    }
  };
  return { field, selectSettled };
}

interface SuggestionsProps {
  readonly listId: string;
  readonly chosen: number;
  readonly onOpen: (product: HitGroup) => void;
}

/** The list box below the field. */
function Suggestions({ listId, chosen, onOpen }: SuggestionsProps): ReactElement {
  const { t } = useWords();
  const {
    text,
    suggestions,
    suggestionsFound: found,
    hasMoreSuggestions: hasMore,
    areMeant,
    find,
  } = useLookup((lookup) => lookup);
  return (
    <div className="finder-list">
      {areMeant && <p className="finder-more">{t('lookup.miss.similar')}</p>}
      <div className="finder-options" tabIndex={0}>
        <ul id={listId} role="listbox" aria-label={t(areMeant ? 'lookup.miss.similar' : 'lookup.suggestions')}>
          {suggestions.map((product, index) => (
            <li
              key={product.first.productId}
              id={`${listId}-${index}`}
              role="option"
              aria-selected={index === chosen}
              className="finder-option"
              // Keeps the focus in the field, whose blur would close the list before the click arrives.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => onOpen(product)}
            >
              <ProductLine group={product} />
            </li>
          ))}
        </ul>
      </div>
      {/* Below the part that scrolls, so that it is seen however many there are. */}
      {(found > suggestions.length || hasMore) && (
        <button
          type="button"
          className="finder-all"
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => void find(text, 'typed')}
        >
          <span>
            {t(hasMore ? 'lookup.suggestionsOfMore' : 'lookup.suggestionsOf', { shown: suggestions.length, found })}
          </span>
          <strong>{t(hasMore ? 'lookup.showMore' : 'lookup.showAll')}</strong>
          <span className="key-hint" aria-hidden="true">
            <KeyCaps keys={['Enter']} />
          </span>
        </button>
      )}
    </div>
  );
}

/** The text box "Barcode, code or name", with a list box below while a person types. */
export function LookupField(): ReactElement {
  const { t } = useWords();
  const { field, selectSettled } = useReadyField();
  const listId = useId();
  const { text, answered, sequence, suggestions, isNothingFitting, areMeant } = useLookup((lookup) => lookup);
  const { type, find, open, clear, dropSuggestions, holdsFormer } = useLookup((lookup) => lookup);
  const lendsDigits = useLookup(isUntouchedQuestion);
  const stockIds = useStockIds();
  useShortcut('search', () => {
    field.current?.focus({ preventScroll: true });
    field.current?.select();
  });
  const [chosen, setChosen] = useState(-1);
  const isOpen = suggestions.length > 0;
  useEffect(() => setChosen(-1), [suggestions]);
  useEffect(() => {
    document.getElementById(`${listId}-${chosen}`)?.scrollIntoView({ block: 'nearest' });
  }, [listId, chosen]);

  const openProduct = ({ first }: HitGroup): void => {
    dropSuggestions();
    void open(first, stockIds);
  };

  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.nativeEvent.isComposing) {
      return;
    }
    const step = arrowStep(event.key);
    if (step !== 0 && isOpen) {
      event.preventDefault();
      // One place more than there are suggestions: the field itself.
      const places = suggestions.length + 1;
      setChosen((before) => ((before + 1 + step + places) % places) - 1);
    } else if (step !== 0) {
      const lines = [...document.querySelectorAll<HTMLElement>('.several .line-button')];
      const line = lines.at(step === 1 ? 0 : -1);
      if (line !== undefined) {
        event.preventDefault();
        line.focus();
      }
    } else if (event.key === 'Enter') {
      event.preventDefault();
      const product = suggestions[chosen];
      if (holdsFormer()) {
        return;
      }
      if (product !== undefined) {
        openProduct(product);
      } else if (text.trim() !== '') {
        void find(text, 'typed');
        // What is typed next takes its place, also before it is answered.
        event.currentTarget.select();
      }
    } else if (event.key === 'Escape') {
      // Once is enough, whether suggestions are open or not: what is typed next must not stand behind what was there.
      event.preventDefault();
      clear();
    }
  };

  return (
    <div
      className="finder"
      onBlur={(event) => (event.currentTarget.contains(event.relatedTarget) ? undefined : dropSuggestions())}
    >
      <div className="finder-box line-3">
        <ScanIcon size={32} />
        <input
          ref={field}
          className="finder-input"
          type="text"
          aria-label={t('lookup.field')}
          aria-keyshortcuts={ariaKeysOf('search')}
          placeholder={t('lookup.field')}
          aria-autocomplete="list"
          aria-haspopup="listbox"
          aria-controls={isOpen ? listId : undefined}
          aria-activedescendant={isOpen && chosen >= 0 ? `${listId}-${chosen}` : undefined}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          maxLength={4096}
          data-lends-digits={lendsDigits ? '' : undefined}
          value={text}
          onChange={(event) => type(event.currentTarget.value)}
          onKeyDown={onKeyDown}
          onFocus={selectSettled}
        />
        {answered !== sequence && <Loader size="sm" />}
        {text !== '' && (
          <button type="button" className="icon-button" aria-label={t('lookup.clear')} onClick={clear}>
            <CrossIcon />
          </button>
        )}
      </div>
      {isOpen && <Suggestions listId={listId} chosen={chosen} onOpen={openProduct} />}
      {isNothingFitting && (
        <div className="finder-list" aria-hidden="true">
          <p className="finder-more">{t('lookup.nothingFits')}</p>
        </div>
      )}
      <p className="visually-hidden" role="status">
        {isNothingFitting && t('lookup.nothingFits')}
        {!isNothingFitting && isOpen && areMeant && `${t('lookup.miss.similar')}: `}
        {!isNothingFitting && isOpen && t('lookup.suggestionCount', { count: suggestions.length })}
      </p>
    </div>
  );
}
