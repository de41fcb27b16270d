import type { KeyboardEvent, ReactElement } from 'react';
import { maxHits } from '../../app/contract/limits/lookup.ts';
import { useLookup, useStockIds, useWords } from '../stores/context.tsx';
import { walkByArrows } from '../dom/focus.ts';
import { formatNumber } from '../formats/numbers.ts';
import { numberedLines, useNumberChoice } from '../dom/number-choice.ts';
import { asksWhich, groupHits, type HitGroup, type Question } from '../formats/products.ts';
import { CodeRead } from './code-read.tsx';
import { ProductLine } from './product-line.tsx';

/** "2 products share this code", "12 products found", or that there may be more than are listed. */
export function useSeveralTitle(): (answer: Question) => string {
  const { t } = useWords();
  return (answer) => {
    const products = groupHits(answer.hits).length;
    if (answer.hits.length >= maxHits) {
      return t('lookup.several.titleCut', { number: products });
    }
    return t(asksWhich(answer) && answer.read?.as !== 'scaleLabel' ? 'lookup.card.shared' : 'lookup.several.title', {
      count: products,
    });
  };
}

/** The same keys as in the suggestions; from the field's own arrow key one comes here. */
function walkLines(event: KeyboardEvent<HTMLButtonElement>): void {
  if (event.key === 'Escape') {
    event.preventDefault();
    document.querySelector<HTMLElement>('.finder-input')?.focus();
  } else {
    walkByArrows(event, '.several .line-button', '.finder-input');
  }
}

interface LinesProps {
  readonly groups: readonly HitGroup[];
  /** Whether a code names them, and a digit chooses a line; others are opened. */
  readonly isAsking?: boolean;
}

/** Buttons that the arrow keys walk through. */
function Lines({ groups, isAsking = false }: LinesProps): ReactElement {
  const take = useLookup((lookup) => (isAsking ? lookup.choose : lookup.open));
  const stockIds = useStockIds();
  const choose = (group: HitGroup | undefined): void => {
    if (group !== undefined) {
      void take(group.first, stockIds);
    }
  };
  useNumberChoice(Math.min(groups.length, numberedLines), isAsking ? (place) => choose(groups[place]) : null);
  return (
    <ul className="lines">
      {groups.map((group, place) => (
        <li key={group.first.productId}>
          <button
            type="button"
            className="line line-button"
            aria-keyshortcuts={isAsking && place < numberedLines ? String(place + 1) : undefined}
            onClick={() => choose(group)}
            onKeyDown={walkLines}
          >
            <ProductLine group={group} hasAges place={isAsking ? place : null} />
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Products that a typed text that was not found may have meant. */
export function Similar(): ReactElement | null {
  const { t } = useWords();
  const similar = useLookup((lookup) => lookup.similar);
  return similar.length === 0 ? null : (
    <section className="several miss-similar" aria-label={t('lookup.miss.similar')}>
      <h3>{t('lookup.miss.similar')}</h3>
      <Lines groups={similar} />
    </section>
  );
}

/** Why a scale's label is asked about, below its list. */
export function WhyAsked({ read }: Pick<Question, 'read'>): ReactElement | null {
  const { t } = useWords();
  return read?.as === 'scaleLabel' ? <p className="hint">{t(`lookup.several.${read.doubt ?? 'scaleLabel'}`)}</p> : null;
}

/** Products to choose from; of those that a code names, none is shown before it is chosen. */
export function Several({ answer }: { readonly answer: Question }): ReactElement {
  const { t, language } = useWords();
  const title = useSeveralTitle()(answer);
  const groups = groupHits(answer.hits);
  const unread = answer.unreadAnswered !== undefined && (
    <p className="hint">{t('lookup.miss.unread', { unread: formatNumber(answer.unreadAnswered, language) })}</p>
  );
  if (!asksWhich(answer)) {
    return (
      <section className="panel several" aria-label={title}>
        <h2>{title}</h2>
        {unread}
        <Lines groups={groups} />
      </section>
    );
  }
  return (
    <>
      {answer.read?.as !== 'scaleLabel' && <CodeRead read={answer.read} />}
      <section className="panel several asking" aria-label={title} data-asks="">
        <h2>{title}</h2>
        {groups.length > 1 && <p>{t('lookup.several.which')}</p>}
        <Lines groups={groups} isAsking />
        <WhyAsked read={answer.read} />
        {unread}
      </section>
    </>
  );
}

/** Above the card of one that was chosen: that there was a choice, and the way back to it. */
export function ChosenOf(): ReactElement | null {
  const { t } = useWords();
  const count = useLookup((lookup) => lookup.chosenOf);
  const chooseAgain = useLookup((lookup) => lookup.chooseAgain);
  return count === 0 ? null : (
    <p className="chosen-of">
      <span>{t('lookup.several.chosen', { count })}</span>
      <button type="button" className="text-button" onClick={() => void chooseAgain()}>
        {t('lookup.several.other')}
      </button>
    </p>
  );
}
