// Owns what stands below the field: the found products, the several that fit, or which of the three misses it is. Never
// mixes the misses up: unknown, not copied yet and unreadable differ in shape, colour and words.
import { Progress } from '@mantine/core';
import { useLayoutEffect, useRef, type KeyboardEvent, type ReactElement, type ReactNode } from 'react';
import type { LookupAnswer, ProductHit } from '../../app/contract/contract.ts';
import { useLookup, usePlaceOfHit, useStockIds, useTerminal, useWords } from '../context.tsx';
import { formatNumber } from '../formats/numbers.ts';
import { countProducts, groupByProduct } from '../formats/products.ts';
import { cutText } from '../formats/texts.ts';
import { formatWait } from '../formats/times.ts';
import { useNow } from '../now.ts';
import { Asking } from './asking.tsx';
import { CodeRead } from './code-read.tsx';
import { FailureText } from './failure-text.tsx';
import { CopyingIcon, QuestionIcon, ScanIcon, UnreadableIcon, WarningIcon } from './icons.tsx';
import { Age, Quantity } from './quantity.tsx';
import { ResultCard } from './result-card.tsx';
import { shownCharacters, useSpoken } from './spoken-answer.ts';

type AnswerOf<Kind extends LookupAnswer['kind']> = Extract<LookupAnswer, { kind: Kind }>;

interface MissProps {
  readonly kind: 'unknown' | 'notCopied' | 'unreadable' | 'failed';
  readonly icon: ReactNode;
  readonly title: string;
  readonly text: string;
  readonly children?: ReactNode;
}

function Miss({ kind, icon, title, text, children }: MissProps): ReactElement {
  return (
    <section className="panel miss" data-kind={kind} aria-label={title}>
      <div className="miss-head">
        <span className="miss-icon">{icon}</span>
        <h2>{title}</h2>
      </div>
      {text !== '' && <p className="miss-text mono">{cutText(text, shownCharacters)}</p>}
      {children}
    </section>
  );
}

function NotCopied({ answer }: { readonly answer: AnswerOf<'notCopied'> }): ReactElement {
  const { t, language } = useWords();
  const now = useNow();
  const live = useTerminal((state) => state.catalogue);
  const [copied, total, completeAt] = [Math.max(live.copied, answer.copied), live.total ?? answer.total, live.completeAt];
  return (
    <Miss kind="notCopied" icon={<CopyingIcon size={44} />} title={t('miss.notCopied.title')} text={answer.text}>
      <CodeRead read={answer.read} />
      <p>{t('miss.notCopied.text')}</p>
      <div className="miss-progress">
        <Progress value={total === null || total === 0 ? 0 : Math.min(100, (copied / total) * 100)} size="lg" radius="xl" aria-label={t('copy.title')} />
        <p>
          {total === null ? t('copy.counted', { count: copied, formatted: formatNumber(copied, language) }) : t('copy.of', { copied: formatNumber(copied, language), total: formatNumber(total, language) })}
          {completeAt !== null && <> · {t('copy.left', { wait: formatWait(completeAt, now, language) })}</>}
        </p>
      </div>
      <Asking asked={answer.asked} finding="notFoundYet" />
    </Miss>
  );
}

function Several({ answer }: { readonly answer: AnswerOf<'several'> }): ReactElement {
  const { t } = useWords();
  const open = useLookup((lookup) => lookup.open);
  const stockIds = useStockIds();
  const placeOf = usePlaceOfHit();
  const openHit = (hit: ProductHit): void => void open(hit, stockIds);
  // The same keys as in the suggestions; from the field's own arrow key one comes here.
  const onKeyDown = (event: KeyboardEvent<HTMLButtonElement>): void => {
    const lines = [...document.querySelectorAll<HTMLElement>('.several .line-button')];
    const place = lines.indexOf(event.currentTarget);
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step === 0 && event.key !== 'Escape') {
      return;
    }
    event.preventDefault();
    const next = step === 0 ? undefined : lines[place + step];
    (next ?? document.querySelector<HTMLElement>('.finder-input'))?.focus();
  };
  const title = t('several.title', { count: countProducts(answer.hits) });
  return (
    <section className="panel several" aria-label={title}>
      <h2>{title}</h2>
      <ul className="lines">
        {answer.hits.map((hit) => (
          <li key={`${hit.stockId}-${hit.productId}`}>
            <button type="button" className="line line-button" onClick={() => openHit(hit)} onKeyDown={onKeyDown}>
              <span className="line-name">
                {hit.name}
                <span className="hit-code">{placeOf(hit)}</span>
              </span>
              <Age balance={hit.balance} isShort />
              <Quantity balance={hit.balance} unit={hit.unit} />
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Invitation(): ReactElement {
  const { t } = useWords();
  return (
    <section className="invitation">
      <span className="invitation-mark">
        <ScanIcon size={72} />
      </span>
      <h2>{t('lookup.inviteTitle')}</h2>
      <p>{t('lookup.inviteText')}</p>
      <ul className="tips">
        <li>
          <kbd>Enter</kbd> {t('lookup.tipEnter')}
        </li>
        <li>
          <kbd>↑</kbd> <kbd>↓</kbd> {t('lookup.tipArrows')}
        </li>
        <li>
          <kbd>Esc</kbd> {t('lookup.tipEscape')}
        </li>
      </ul>
    </section>
  );
}

function Shown({ answer }: { readonly answer: LookupAnswer }): ReactElement {
  const { t } = useWords();
  const stockIds = useStockIds();
  const chosenStockId = useLookup((lookup) => lookup.chosenStockId);
  switch (answer.kind) {
    case 'found': {
      const groups = groupByProduct(answer.cards, stockIds, chosenStockId);
      return (
        <>
          <CodeRead read={answer.read} />
          {groups.length > 1 && <p className="shared">{t('card.shared', { count: groups.length })}</p>}
          {groups.map((group, place) => (
            <ResultCard key={group.productId} group={group} isFirst={place === 0} />
          ))}
        </>
      );
    }
    case 'several':
      return <Several answer={answer} />;
    case 'unknown':
      return (
        <Miss kind="unknown" icon={<QuestionIcon size={44} />} title={t('miss.unknown.title')} text={answer.text}>
          <CodeRead read={answer.read} />
          <p>{t('miss.unknown.text')}</p>
          <Asking asked={answer.asked} finding="asked" />
        </Miss>
      );
    case 'notCopied':
      return <NotCopied answer={answer} />;
    case 'unreadable':
      return (
        <Miss kind="unreadable" icon={<UnreadableIcon size={44} />} title={t('miss.unreadable.title')} text={answer.text}>
          <p>{t(`miss.unreadable.${answer.why}`, { about: answer.about ?? '' })}</p>
          {answer.why === 'checkDigit' && <Asking asked={answer.asked === true} finding="notFoundYet" />}
        </Miss>
      );
  }
}

/** The answer of the newest scan. */
export function Answer(): ReactElement {
  const { t } = useWords();
  const answer = useLookup((lookup) => lookup.answer);
  const failure = useLookup((lookup) => lookup.failure);
  const isOlder = useLookup((lookup) => lookup.answered !== lookup.sequence);
  const answered = useLookup((lookup) => lookup.answered);
  const spoken = useSpoken(answer);
  const box = useRef<HTMLDivElement>(null);
  // A new answer is read from its top, however far the last one was read; in a small window the screen scrolls as a whole.
  useLayoutEffect(() => {
    for (const scrolled of [box.current, box.current?.closest('.lookup')]) {
      scrolled?.scrollTo(0, 0);
    }
  }, [answered]);
  return (
    <div ref={box} className="answer" aria-busy={isOlder} data-older={isOlder}>
      <p className="visually-hidden" aria-live="polite">
        {spoken}
      </p>
      {failure !== null ? (
        <Miss kind="failed" icon={<WarningIcon size={44} />} title={t('miss.failed')} text="">
          <FailureText failure={failure} />
        </Miss>
      ) : answer === null ? (
        <Invitation />
      ) : (
        <Shown answer={answer} />
      )}
    </div>
  );
}
