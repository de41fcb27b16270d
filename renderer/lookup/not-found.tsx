import { Progress } from '@mantine/core';
import type { ReactElement, ReactNode } from 'react';
import type { LookupAnswer } from '../../app/contract/lookup.ts';
import type { Failure } from '../../app/domain/failure.ts';
import { useBlockedBy, useLookup, useTerminal, useWords } from '../stores/context.tsx';
import { formatNumber } from '../formats/numbers.ts';
import { cutText } from '../formats/texts.ts';
import { formatWait } from '../formats/times.ts';
import { useNow } from '../dom/clock.ts';
import { Asking } from './asking.tsx';
import { CodeRead } from './code-read.tsx';
import { FailureText } from '../ui/failure-text.tsx';
import { CopyingIcon, HelpIcon, RefreshIcon, UnreadableIcon, WarningIcon } from '../ui/icons.tsx';
import { Similar } from './results.tsx';
import { shownCharacters, useDoubts, useWhyUnknown } from './spoken-answer.ts';

type MissAnswer = Extract<LookupAnswer, { kind: 'unknown' | 'notCopied' | 'unreadable' }>;
type AnswerOf<Kind extends MissAnswer['kind']> = Extract<MissAnswer, { kind: Kind }>;

interface MissProps {
  readonly kind: 'unknown' | 'notCopied' | 'unreadable' | 'failed';
  readonly icon: ReactNode;
  readonly title: string;
  readonly text: string;
  readonly children?: ReactNode;
}

function Miss({ kind, icon, title, text, children }: MissProps): ReactElement {
  return (
    <section className="panel miss stack-3" data-kind={kind} aria-label={title}>
      <div className="miss-head">
        <span className="miss-icon">{icon}</span>
        <h2>{title}</h2>
      </div>
      {text !== '' && <p className="miss-text mono">{cutText(text, shownCharacters)}</p>}
      {children}
    </section>
  );
}

/** Asks the platform anew; it stands there while it cannot be pressed, too, so that nothing moves. */
function AskAnew(): ReactElement {
  const { t } = useWords();
  const askAnew = useLookup((lookup) => lookup.askAnew);
  const isAsking = useLookup((lookup) => lookup.improvement === 'asking');
  const canAsk = useBlockedBy() === null;
  return (
    <button type="button" className="text-button" disabled={isAsking || !canAsk} onClick={() => void askAnew()}>
      <RefreshIcon size={22} /> {t('lookup.details.again')}
    </button>
  );
}

/** A word that a person typed is no code: to scan it again, or to type its name, is no advice. */
function useIsName(text: string): boolean {
  const isScan = useLookup((lookup) => lookup.scanned === lookup.answered);
  return !isScan && /\p{L}/u.test(text) && (/\s/.test(text) || !/\d/.test(text));
}

function NotCopied({ answer }: { readonly answer: AnswerOf<'notCopied'> }): ReactElement {
  const { t, language } = useWords();
  const now = useNow();
  const live = useTerminal((state) => state.catalogue);
  const isName = useIsName(answer.text);
  const [copied, total, completeAt] = [
    Math.max(live.copied, answer.copied),
    live.total ?? answer.total,
    live.completeAt,
  ];
  return (
    <Miss kind="notCopied" icon={<CopyingIcon size={44} />} title={t('lookup.miss.notCopied.title')} text={answer.text}>
      <CodeRead read={answer.read} />
      <Similar />
      <p>{t(isName ? 'lookup.miss.notCopied.nextName' : 'lookup.miss.notCopied.next')}</p>
      <div className="miss-progress stack-2">
        <Progress
          value={total === null || total === 0 ? 0 : Math.min(100, (copied / total) * 100)}
          size="lg"
          radius="xl"
          aria-label={t('ui.copy.title')}
        />
        <p>
          {total === null
            ? t('ui.copy.counted', { count: copied, formatted: formatNumber(copied, language) })
            : t('ui.copy.of', { copied: formatNumber(copied, language), total: formatNumber(total, language) })}
          {completeAt !== null && <> · {t('ui.copy.left', { wait: formatWait(completeAt, now, language) })}</>}
        </p>
      </div>
      <AskAnew />
      <Asking
        answer={answer}
        why={[t('lookup.miss.notCopied.text'), ...(answer.asked ? [t('lookup.miss.notFoundYet')] : [])]}
      />
    </Miss>
  );
}

/** Where in a GS1 code it is, for a technician: the sentence above does without it. */
function Where({ answer: { why, about } }: { readonly answer: AnswerOf<'unreadable'> }): ReactElement | null {
  const { t } = useWords();
  if (about === undefined || about === null || about === '' || why === 'gs1RunTogether') {
    return null;
  }
  return (
    <details className="failure-details">
      <summary>{t('failure.details')}</summary>
      <p className="mono">GS1: {about}</p>
    </details>
  );
}

/** Which of the three misses it is. */
export function MissedAnswer({ answer }: { readonly answer: MissAnswer }): ReactElement {
  const { t } = useWords();
  const isName = useIsName(answer.text);
  const doubts = useDoubts();
  const whyUnknown = useWhyUnknown();
  switch (answer.kind) {
    case 'unknown':
      return (
        <Miss kind="unknown" icon={<HelpIcon size={44} />} title={t('lookup.miss.unknown.title')} text={answer.text}>
          <CodeRead read={answer.read} />
          <Similar />
          {/* Then nobody knows that the shop does not have it. */}
          {doubts(answer).map((doubt) => (
            <p key={doubt}>{doubt}</p>
          ))}
          <p>{t(isName ? 'lookup.miss.unknown.nextName' : 'lookup.miss.unknown.next')}</p>
          <AskAnew />
          <Asking answer={answer} why={whyUnknown(answer)} />
        </Miss>
      );
    case 'notCopied':
      return <NotCopied answer={answer} />;
    case 'unreadable':
      return (
        <Miss
          kind="unreadable"
          icon={<UnreadableIcon size={44} />}
          title={t('lookup.miss.unreadable.title')}
          text={answer.text}
        >
          <p>{t(`lookup.miss.unreadable.${answer.why}`, { about: answer.about ?? '' })}</p>
          <Where answer={answer} />
          {answer.why === 'checkDigit' && <Asking answer={answer} />}
        </Miss>
      );
  }
}

/** A scan paused so long that its parts cannot be put together. */
export function ScanInPieces(): ReactElement {
  const { t } = useWords();
  return (
    <Miss kind="unreadable" icon={<UnreadableIcon size={44} />} title={t('scanner.scan.pieces')} text="">
      <p>{t('scanner.scan.piecesAdvice')}</p>
    </Miss>
  );
}

/** The question itself failed. */
export function FailedLookup({ failure }: { readonly failure: Failure }): ReactElement {
  const { t } = useWords();
  return (
    <Miss kind="failed" icon={<WarningIcon size={44} />} title={t('lookup.miss.failed')} text="">
      <FailureText failure={failure} />
    </Miss>
  );
}
