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
import { isChoice, isUnasked, type CountOutcome } from './stocktakes-store.ts';

/** Hits that a person chooses from; who has more types more. */
const shownHits = 6;

interface OutcomeLineProps {
  readonly line: StocktakeLine;
  /** What undoing has done to it; null where it was counted. */
  readonly tag: string | null;
  readonly doubt: string | null;
}

function OutcomeLine({ line, tag, doubt }: OutcomeLineProps): ReactElement {
  const { t, language } = useWords();
  const { quantity, unit, miss } = line;
  return (
    <>
      <div className="count-outcome-words">
        {tag !== null && <p className="count-outcome-tag">{tag}</p>}
        <p className="count-outcome-name">{nameOfLine(line)}</p>
        {miss === null ? (
          <>
            <p>{figureWords(line, t, language)}</p>
            <p className="counted-difference" data-status={line.state}>
              {differenceWords(line, t, language)}
            </p>
          </>
        ) : (
          <p className="count-outcome-doubt">{t(`stocktakes.miss.${miss}`)}</p>
        )}
        {doubt !== null && <p className="count-outcome-doubt">{doubt}</p>}
      </div>
      <p className="count-outcome-quantity">
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
  walkByArrows(event, '.count-outcome-hits button', '.count-field input');
}

/** Offers the products that a typed text names, or to count it as a code. */
function TypedChoice({
  outcome,
}: {
  readonly outcome: Extract<CountOutcome, { kind: 'several' | 'none' }>;
}): ReactElement | null {
  const { t } = useWords();
  const add = useStocktakes((store) => store.add);
  const scan = useStocktakes((store) => store.scan);
  if (outcome.kind === 'none') {
    // The line that it was asked for has its scans already.
    return outcome.instead !== undefined ? null : (
      <div className="count-outcome-choice wrap">
        <Button variant="default" onClick={() => void scan(outcome.text, 'scan')}>
          {t('stocktakes.countCode')}
        </Button>
      </div>
    );
  }
  const of = outcome.instead === undefined ? {} : { instead: outcome.instead };
  const products = [...new Map(outcome.hits.map((hit) => [hit.productId, hit])).values()];
  return (
    <div className="count-outcome-choice wrap">
      <ul className="count-outcome-hits wrap">
        {products.slice(0, shownHits).map(({ productId, name, code }) => (
          <li key={productId}>
            <Button
              variant="default"
              rightSection={<span className="count-outcome-code">{code}</span>}
              onKeyDown={stepThroughHits}
              onClick={() => void add(productId, of)}
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

/** Asks which product the scans were of, as for a typed code; until one is chosen their line stays. */
function ScannedChoice({ line }: { readonly line: StocktakeLine }): ReactElement {
  const { t } = useWords();
  const scan = useStocktakes((store) => store.scan);
  const ask = (): void => void scan(line.code ?? '', 'typed', { instead: line.id });
  return <Button onClick={ask}>{t('stocktakes.chooseProduct')}</Button>;
}

interface OutcomePartProps {
  readonly outcome: CountOutcome | null;
  /** Null while there is no line to set the quantity of. */
  readonly edit: (() => void) | null;
  /** Null while nothing has been counted. */
  readonly undo: (() => void) | null;
}

/** Shows the outcome of the last scan, large enough to be read from the shelf, and the way to correct it. */
export function OutcomePart({ outcome, edit, undo }: OutcomePartProps): ReactElement {
  const { t } = useWords();
  const line = outcome !== null && 'line' in outcome ? outcome.line : null;
  const doubt = outcome?.kind === 'counted' && outcome.doubt !== null ? t(`stocktakes.doubt.${outcome.doubt}`) : null;
  const tag = outcome?.kind === 'undone' || isUnasked(outcome) ? t(`stocktakes.${outcome.kind}`) : null;
  const plain = (): string => {
    if (outcome === null) {
      return t('stocktakes.scanFirst');
    }
    return outcome.kind === 'pieces'
      ? `${t('scanner.scan.pieces')}. ${t('scanner.scan.piecesAdvice')}`
      : t('stocktakes.nothingToUndo');
  };
  return (
    <section
      className="count-outcome"
      aria-label={t('stocktakes.last')}
      data-status={line?.state}
      data-kind={outcome?.kind}
    >
      <div className="count-outcome-news" role="status" aria-atomic="true">
        {line !== null && <OutcomeLine line={line} tag={tag} doubt={doubt} />}
        {isChoice(outcome) && (
          <p className="count-outcome-name">{t(`stocktakes.${outcome.kind}`, { text: outcome.text })}</p>
        )}
        {line === null && !isChoice(outcome) && <p className="count-outcome-plain">{plain()}</p>}
      </div>
      {isChoice(outcome) && <TypedChoice outcome={outcome} />}
      <div className="count-outcome-actions stack-2">
        {outcome?.kind === 'counted' && line?.miss === 'several' && line.code !== null && <ScannedChoice line={line} />}
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
        {undo !== null && (
          <Button
            variant="default"
            aria-keyshortcuts={ariaKeysOf('undo')}
            rightSection={<KeyHint of="undo" />}
            onClick={undo}
          >
            {t('ui.form.undo')}
          </Button>
        )}
      </div>
    </section>
  );
}
