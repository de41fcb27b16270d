import { Loader } from '@mantine/core';
import type { ReactElement } from 'react';
import { useBlockedBy, useLookup, useWords } from '../stores/context.tsx';
import { FailureText } from '../ui/failure-text.tsx';
import { usePauseWords } from '../ui/quantity.tsx';

interface AskingProps {
  readonly asked: boolean;
  readonly finding: 'asked' | 'notFoundYet';
}

/** One line on whether the platform was asked as well. */
export function Asking({ asked, finding }: AskingProps): ReactElement {
  const { t } = useWords();
  const improvement = useLookup((lookup) => lookup.improvement);
  const failure = useLookup((lookup) => lookup.improvementFailure);
  const blockedBy = useBlockedBy();
  const pause = usePauseWords();
  if (improvement === 'asking') {
    return (
      <p className="miss-asking">
        <Loader size="sm" /> {pause ?? t('miss.asking')}
      </p>
    );
  }
  if (failure !== null) {
    return (
      <div className="miss-asking">
        <p>{t('miss.notAsked')}</p>
        <FailureText failure={failure} />
      </div>
    );
  }
  const unasked = blockedBy === null ? '' : t(`miss.${blockedBy}`);
  return <p className="miss-asking">{asked ? t(`miss.${finding}`) : unasked}</p>;
}
