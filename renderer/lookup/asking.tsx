import { Loader } from '@mantine/core';
import type { ReactElement } from 'react';
import { useBlockedBy, useLookup, useWords } from '../stores/context.tsx';
import { formatNumber } from '../formats/numbers.ts';
import { FailureText } from '../ui/failure-text.tsx';
import { usePauseWords } from '../ui/quantity.tsx';

interface AskingProps {
  readonly asked: boolean;
  readonly finding: 'asked' | 'notFoundYet';
  /** How much of the answer could not be read: then nobody knows that the platform does not have it. */
  readonly unread: number | undefined;
}

/** One line on whether the platform was asked as well. */
export function Asking({ asked, finding, unread }: AskingProps): ReactElement {
  const { t, language } = useWords();
  const improvement = useLookup((lookup) => lookup.improvement);
  const failure = useLookup((lookup) => lookup.improvementFailure);
  const blockedBy = useBlockedBy();
  const pause = usePauseWords();
  if (improvement === 'asking') {
    return (
      <p className="miss-asking">
        <Loader size="sm" /> {pause ?? t('lookup.miss.asking')}
      </p>
    );
  }
  if (failure !== null) {
    return (
      <div className="miss-asking">
        <p>{t('lookup.miss.notAsked')}</p>
        <FailureText failure={failure} />
      </div>
    );
  }
  if (asked && unread !== undefined) {
    return <p className="miss-asking">{t('lookup.miss.unread', { unread: formatNumber(unread, language) })}</p>;
  }
  const unasked = blockedBy === null ? '' : t(`lookup.miss.${blockedBy}`);
  return <p className="miss-asking">{asked ? t(`lookup.miss.${finding}`) : unasked}</p>;
}
