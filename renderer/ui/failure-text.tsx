import type { ReactElement } from 'react';
import { hasOwnWords, type Failure, type FailureKind } from '../../app/domain/failure.ts';
import { useWords } from '../stores/context.tsx';
import { keptOf } from '../formats/failure-kept.ts';
import { wordsOf } from '../formats/field-problems.ts';
import { HelpLink } from './help-link.tsx';

/**
 * Only these carry words of the platform's; any other message is the system's or this app's own, and means nothing to a
 * cashier.
 */
const answered: ReadonlySet<FailureKind> = new Set<FailureKind>([
  'badRequest',
  'unauthorized',
  'forbidden',
  'notFound',
  'unprocessable',
  'tooManyRequests',
  'platformFailed',
  'refused',
  'signInNeeded',
  'credentialsRejected',
  'renewalFailed',
]);

interface FailureTextProps {
  readonly failure: Failure;
  /** The platform's own words open at once, where they are the answer to the person's question. */
  readonly withReason?: boolean;
  /**
   * The sentence and the advice where those of the platform's code and of the kind would say too little; without the
   * reason they say it all, and the fields are a detail.
   */
  readonly words?: { readonly says: string; readonly advice: string } | undefined;
  /** False on the companion bar's page, which has no help. */
  readonly hasHelp?: boolean;
}

/** The sentence, the advice, the way to the help and, where there are any, the platform's own words. */
export function FailureText({
  failure,
  withReason = false,
  words: given,
  hasHelp = true,
}: FailureTextProps): ReactElement {
  const { t } = useWords();
  const fields = failure.fields ?? [];
  const { code } = failure;
  const words =
    given ??
    (hasOwnWords(code)
      ? { says: t(`failure.code.${code}.says`), advice: t(`failure.code.${code}.advice`) }
      : {
          says: t(`failure.${failure.kind}.says`),
          advice: t(`failure.${failure.kind}.advice`, { name: failure.message }),
        });
  // Whoever has words of their own for it says in them what was kept.
  const kept = given === undefined ? keptOf(failure.kind) : null;
  const isReasonOpen = withReason && answered.has(failure.kind);
  const technical = [failure.status === undefined ? null : `HTTP ${failure.status}`, failure.code ?? null].filter(
    (part) => part !== null,
  );
  const areFieldsFolded = given !== undefined && !withReason;
  const fieldList = fields.length > 0 && (
    <ul className="failure-fields" aria-label={t('failure.fields')}>
      {fields.map((problem, index) => (
        <li key={`${problem.field}-${index}`} className="mono">
          {problem.validations.length === 0
            ? problem.field
            : t('failure.rule', { field: problem.field, rules: wordsOf(problem) })}
        </li>
      ))}
    </ul>
  );
  return (
    <div className="failure-text">
      <p className="failure-says">{words.says}</p>
      <p className="failure-advice">
        {kept !== null && <>{t(`failure.kept.${kept}`)} </>}
        {words.advice}
      </p>
      {isReasonOpen && failure.message !== undefined && (
        <p className="failure-reason">
          {t('failure.platformSays')} <q>{failure.message}</q>
        </p>
      )}
      {!areFieldsFolded && fieldList}
      <div className="failure-more">
        {hasHelp && <HelpLink sentence={words.says} />}
        {(technical.length > 0 || areFieldsFolded || (!isReasonOpen && failure.message !== undefined)) && (
          <details className="failure-details">
            <summary>{t('failure.details')}</summary>
            {technical.length > 0 && <p className="mono">{technical.join(' · ')}</p>}
            {!isReasonOpen && failure.message !== undefined && <p className="mono">{failure.message}</p>}
            {areFieldsFolded && fieldList}
          </details>
        )}
      </div>
    </div>
  );
}

/**
 * The same as a notice that is read out at once; nothing while nothing has failed. Whoever gives up the question for
 * the PIN knows it.
 */
export function FailureNotice({ failure }: { readonly failure: Failure | null }): ReactElement | null {
  return failure === null || failure.kind === 'locked' ? null : (
    <div className="notice" data-kind="bad" role="alert">
      <FailureText failure={failure} />
    </div>
  );
}
