import { Loader } from '@mantine/core';
import type { ReactElement } from 'react';
import { useBlockedBy, useLookup, useWords } from '../stores/context.tsx';
import { formatNumber } from '../formats/numbers.ts';
import { FailureText } from '../ui/failure-text.tsx';
import { usePauseWords } from '../ui/quantity.tsx';

interface AskingProps {
  readonly answer: {
    readonly asked?: boolean | undefined;
    /** How much of the answer could not be read: then nobody knows that the platform does not have it. */
    readonly unreadAnswered?: number | undefined;
  };
  /** Why nothing was found, for whoever wants to know; by itself that the platform did not find it either. */
  readonly why?: readonly string[];
}

/** One line on what may still come of the platform; when nothing may, why nothing was found, folded. */
export function Asking({ answer: { asked = false, unreadAnswered: unread }, why: given }: AskingProps): ReactElement {
  const { t, language } = useWords();
  const why = given ?? (asked ? [t('lookup.miss.notFoundYet')] : []);
  const improvement = useLookup((lookup) => lookup.improvement);
  const failure = useLookup((lookup) => lookup.improvementFailure);
  const blockedBy = useBlockedBy();
  const pause = usePauseWords();
  if (improvement === 'asking') {
    return (
      <p className="miss-asking line-wrap">
        <Loader size="sm" /> {pause ?? t('lookup.details.asking')}
      </p>
    );
  }
  if (failure !== null) {
    return (
      <div className="miss-asking line-wrap">
        <p>{t('lookup.miss.notAsked')}</p>
        <FailureText failure={failure} />
      </div>
    );
  }
  if (asked && unread !== undefined) {
    return (
      <p className="miss-asking line-wrap">{t('lookup.miss.unread', { unread: formatNumber(unread, language) })}</p>
    );
  }
  const words = asked || blockedBy === null ? '' : t(`lookup.miss.${blockedBy}`);
  if (words !== '' || why.length === 0) {
    return <p className="miss-asking line-wrap">{words}</p>;
  }
  return (
    <details className="miss-why">
      <summary>{t('lookup.miss.why')}</summary>
      {why.map((reason) => (
        <p key={reason}>{reason}</p>
      ))}
    </details>
  );
}
