import { useLayoutEffect, useRef, type ReactElement } from 'react';
import type { LookupAnswer } from '../../app/contract/lookup.ts';
import type { Failure } from '../../app/domain/failure.ts';
import { useLookup, useStockIds } from '../stores/context.tsx';
import { groupCards } from '../formats/products.ts';
import { Announcement } from './announcement.tsx';
import { CodeRead } from './code-read.tsx';
import { Invitation } from './invitation.tsx';
import { LabelChoice } from './label-choice.tsx';
import { FailedLookup, MissedAnswer, ScanInPieces } from './not-found.tsx';
import { ResultCard } from './result-card.tsx';
import { useAnswerKeys } from './use-answer-keys.ts';
import { ChosenOf, Several } from './results.tsx';

function Shown({ answer }: { readonly answer: LookupAnswer }): ReactElement {
  const stockIds = useStockIds();
  const chosenStockId = useLookup((lookup) => lookup.chosenStockId);
  if (answer.kind === 'several') {
    return <Several answer={answer} />;
  }
  if (answer.kind !== 'found') {
    return <MissedAnswer answer={answer} />;
  }
  const group = groupCards(answer.cards, stockIds, chosenStockId);
  return (
    <>
      <ChosenOf />
      <CodeRead read={answer.read} />
      {answer.read?.chosenAt !== undefined && <LabelChoice at={answer.read.chosenAt} />}
      {group !== null && <ResultCard key={group.productId} group={group} />}
    </>
  );
}

interface OutcomeProps {
  readonly answer: LookupAnswer | null;
  readonly failure: Failure | null;
  readonly isInPieces: boolean;
}

function Outcome({ answer, failure, isInPieces }: OutcomeProps): ReactElement {
  if (failure !== null) {
    return <FailedLookup failure={failure} />;
  }
  if (answer !== null) {
    return <Shown answer={answer} />;
  }
  return isInPieces ? <ScanInPieces /> : <Invitation />;
}

/** The answer of the newest scan. */
export function Answer(): ReactElement {
  const answer = useLookup((lookup) => lookup.answer);
  const failure = useLookup((lookup) => lookup.failure);
  const isInPieces = useLookup((lookup) => lookup.inPieces === lookup.answered);
  const isOlder = useLookup((lookup) => lookup.answered !== lookup.sequence);
  const answered = useLookup((lookup) => lookup.answered);
  const box = useRef<HTMLDivElement>(null);
  useAnswerKeys();
  // A new answer is read from its top, however far the last one was read; in a small window the screen scrolls as a
  // whole.
  useLayoutEffect(() => {
    for (const scrolled of [box.current, box.current?.closest('.lookup')]) {
      scrolled?.scrollTo(0, 0);
    }
  }, [answered]);
  return (
    <div ref={box} className="answer" aria-busy={isOlder} data-older={isOlder}>
      <Announcement />
      <Outcome answer={answer} failure={failure} isInPieces={isInPieces} />
    </div>
  );
}
