import type { ReactElement } from 'react';
import type { ScanRead } from '../../app/contract/scan.ts';
import type { CodeFact } from '../../app/domain/codes/code-facts.ts';
import { useWords } from '../stores/context.tsx';
import { formatFact, passedDeadline } from '../formats/code-facts.ts';
import { useNow } from '../dom/clock.ts';

/** Ways that a person need not be shown: they scanned or typed it so. */
const plainWays = ['barcode', 'productCode', 'search'] as const;
type ShownWay = Exclude<ScanRead['as'], (typeof plainWays)[number]>;

function isShownWay(as: ScanRead['as']): as is ShownWay {
  return !plainWays.some((way) => way === as);
}

function Fact({ fact }: { readonly fact: CodeFact }): ReactElement {
  const { t, language } = useWords();
  const passed = passedDeadline(fact, useNow());
  return (
    <li className="chip code-fact" data-passed={passed ?? 'none'}>
      <span>{fact.kind === 'other' ? `(${fact.identifier}) ${fact.title}` : t(`lookup.read.fact.${fact.kind}`)}</span>{' '}
      <strong>{formatFact(fact, language)}</strong>
      {passed !== null && <strong className="code-passed"> · {t(`lookup.read.passed.${passed}`)}</strong>}
    </li>
  );
}

/** A line on how the code was read, and a chip for each fact in it. */
export function CodeRead({ read }: { readonly read: ScanRead | undefined }): ReactElement | null {
  const { t } = useWords();
  if (read === undefined || !isShownWay(read.as)) {
    return null;
  }
  const { as, ofCase, layout, facts, fault } = read;
  return (
    <section className="code-read" aria-label={t('lookup.read.title')}>
      <p className="code-way">
        {t(`lookup.read.as.${as}`)}
        {ofCase !== null && <span className="mono"> {ofCase}</span>}
      </p>
      {facts.length > 0 && (
        <ul className="chips wrap">
          {facts.map((fact, index) => (
            <Fact key={`${fact.kind}-${index}`} fact={fact} />
          ))}
        </ul>
      )}
      {layout !== null && (
        <details>
          <summary>{t('lookup.read.how')}</summary>
          <p>
            {t('lookup.read.layout')} <span className="mono">{layout}</span>
          </p>
        </details>
      )}
      {fault !== null && (
        <p className="code-fault">
          {t('lookup.read.rest')} {t(`lookup.miss.unreadable.${fault.why}`, { about: fault.about ?? '' })}
        </p>
      )}
    </section>
  );
}
