import type { ReactElement } from 'react';
import { useTerminal, useWords } from '../stores/context.tsx';
import { ScanIcon } from '../ui/icons.tsx';
import { PracticeSamples } from '../practice/practice-samples.tsx';

/** Says that no click is needed. */
export function Invitation(): ReactElement {
  const { t } = useWords();
  const isPractice = useTerminal((state) => state.practice !== null);
  return (
    <section className="invitation stack-3">
      {!isPractice && (
        <span className="invitation-mark">
          <ScanIcon size={72} />
        </span>
      )}
      <h2>{t('lookup.inviteTitle')}</h2>
      <p>{t(isPractice ? 'practice.samples.lead' : 'lookup.inviteText')}</p>
      {isPractice && <PracticeSamples />}
    </section>
  );
}
