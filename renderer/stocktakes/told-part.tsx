import { Button } from '@mantine/core';
import type { KeyboardEvent, ReactElement } from 'react';
import type { StocktakeLine } from '../../app/contract/stocktakes.ts';
import { walkByArrows } from '../dom/focus.ts';
import { formatQuantity, formatUnit } from '../formats/units.ts';
import { useStocktakes, useWords } from '../stores/context.tsx';
import { ariaKeysOf } from '../stores/shortcuts.ts';
import { KeyHint } from '../ui/keys.tsx';
import { NumberText } from '../ui/number-text.tsx';
import { differenceWords, figureWords, nameOfLine } from './line-words.ts';
import type { Told } from './stocktakes-store.ts';

/** Hits that a person chooses from; who has more types more. */
const shownHits = 6;

function ToldLine({ line, doubt }: { readonly line: StocktakeLine; readonly doubt: string | null }): ReactElement {
  const { t, language } = useWords();
  const { quantity, unit, miss } = line;
  return (
    <>
      <div className="told-words">
        <p className="told-name">{nameOfLine(line)}</p>
        {miss === null ? (
          <>
            <p>{figureWords(line, t, language)}</p>
            <p className="counted-difference" data-standing={line.standing}>
              {differenceWords(line, t, language)}
            </p>
          </>
        ) : (
          <p className="told-doubt">{t(`stocktakes.miss.${miss}`)}</p>
        )}
        {doubt !== null && <p className="told-doubt">{doubt}</p>}
      </div>
      <p className="told-quantity">
        {quantity === null ? (
          t('stocktakes.notCounted')
        ) : (
          <>
            <span className="quantity-number">
              <NumberText text={formatQuantity(quantity, unit, language)} />
            </span>{' '}
            <span className="quantity-unit">{formatUnit(unit, quantity, language)}</span>
          </>
        )}
      </p>
    </>
  );
}

/** From the field into what fits, through it by the arrow keys, and back. */
export function stepThroughHits(event: KeyboardEvent<HTMLElement>): void {
  walkByArrows(event, '.told-hits button', '.count-field input');
}

/** Offers the products that a typed text names, or to count it as a code. */
function ToldTyped({ told }: { readonly told: Extract<Told, { kind: 'several' | 'none' }> }): ReactElement {
  const { t } = useWords();
  const add = useStocktakes((store) => store.add);
  const scan = useStocktakes((store) => store.scan);
  if (told.kind === 'none') {
    return (
      <div className="told-choice wrap">
        <Button variant="default" onClick={() => void scan(told.text, 'scan')}>
          {t('stocktakes.countCode')}
        </Button>
      </div>
    );
  }
  const products = [...new Map(told.hits.map((hit) => [hit.productId, hit])).values()];
  return (
    <div className="told-choice wrap">
      <ul className="told-hits wrap">
        {products.slice(0, shownHits).map(({ productId, name, code }) => (
          <li key={productId}>
            <Button
              variant="default"
              rightSection={<span className="told-code">{code}</span>}
              onKeyDown={stepThroughHits}
              onClick={() => void add(productId)}
            >
              {name}
            </Button>
          </li>
        ))}
      </ul>
      {products.length > shownHits && <p className="hint">{t('stocktakes.severalMore')}</p>}
    </div>
  );
}

interface ToldPartProps {
  readonly told: Told | null;
  /** Null while there is no line to set the quantity of. */
  readonly edit: (() => void) | null;
  readonly undo: () => void;
}

/** Shows the outcome of the last scan, large enough to be read from the shelf, and the way to correct it. */
export function ToldPart({ told, edit, undo }: ToldPartProps): ReactElement {
  const { t } = useWords();
  const line = told !== null && 'line' in told ? told.line : null;
  const isChoice = told?.kind === 'several' || told?.kind === 'none';
  const doubt = told?.kind === 'counted' && told.doubt !== null ? t(`stocktakes.doubt.${told.doubt}`) : null;
  const plain = (): string => {
    if (told === null) {
      return t('stocktakes.scanFirst');
    }
    return told.kind === 'pieces'
      ? `${t('scanner.scan.pieces')}. ${t('scanner.scan.piecesAdvice')}`
      : t('stocktakes.nothingToUndo');
  };
  return (
    <section className="told" aria-label={t('stocktakes.last')} data-standing={line?.standing} data-kind={told?.kind}>
      <div className="told-news" role="status" aria-atomic="true">
        {told?.kind === 'undone' && line !== null && <p className="told-tag">{t('stocktakes.undone')}</p>}
        {line !== null && <ToldLine line={line} doubt={doubt} />}
        {isChoice && <p className="told-name">{t(`stocktakes.${told.kind}`, { text: told.text })}</p>}
        {line === null && !isChoice && <p className="told-plain">{plain()}</p>}
      </div>
      {isChoice && <ToldTyped told={told} />}
      <div className="told-actions stack-2">
        {edit !== null && (
          <Button
            variant="default"
            aria-keyshortcuts={ariaKeysOf('quantity')}
            rightSection={<KeyHint of="quantity" />}
            onClick={edit}
          >
            {t('stocktakes.setQuantity')}
          </Button>
        )}
        <Button
          variant="default"
          aria-keyshortcuts={ariaKeysOf('undo')}
          rightSection={<KeyHint of="undo" />}
          onClick={undo}
        >
          {t('stocktakes.undo')}
        </Button>
      </div>
    </section>
  );
}
