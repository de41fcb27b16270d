import { useState, type ReactElement } from 'react';
import type { Failure } from '../../app/domain/failure.ts';
import { useNow } from '../dom/clock.ts';
import { walkByArrows } from '../dom/focus.ts';
import { SaveList } from '../files/save-list.tsx';
import { formatMoment } from '../formats/times.ts';
import { useCounted, useIsSignedIn, useLookup, useNavigation, useWords } from '../stores/context.tsx';
import { FailureNotice } from '../ui/failure-text.tsx';
import { CheckIcon } from '../ui/icons.tsx';
import { unknownCodes, unknownFile } from './unknown-file.ts';
import './unknown-codes.css';

/** Codes that customers asked for and the shop does not have, among the recent lookups; a press looks one up again. */
export function UnknownCodes(): ReactElement {
  const { t, language } = useWords();
  const now = useNow();
  const write = useCounted();
  const isSignedIn = useIsSignedIn();
  const go = useNavigation((navigation) => navigation.go);
  const find = useLookup((lookup) => lookup.find);
  const codes = unknownCodes(useLookup((lookup) => lookup.recent));
  const [failure, setFailure] = useState<Failure | null>(null);
  return (
    <>
      <div className="unknown-head">
        <p className="hint">{t('stock.unknownCodes.explain')}</p>
        {isSignedIn && (
          <SaveList
            name="unknown-codes"
            list={() => unknownFile(codes, t)}
            isEmpty={codes.length === 0}
            onFailure={setFailure}
          />
        )}
      </div>
      <FailureNotice failure={failure} />
      {codes.length === 0 ? (
        <div className="empty">
          <CheckIcon size={44} />
          <h2>{t('stock.unknownCodes.empty')}</h2>
        </div>
      ) : (
        <ul className="unknown-codes" aria-label={t('stock.view.unknownCodes')}>
          {codes.map(({ code, times, lastAt }) => (
            <li key={code}>
              <button
                type="button"
                className="row row-button"
                onKeyDown={(event) => walkByArrows(event, '.unknown-codes button', '.stock-view select')}
                onClick={() => {
                  go('lookup');
                  void find(code, 'typed');
                }}
              >
                <span className="row-title mono">{code}</span>
                <span>{t('stock.unknownCodes.times', write(times))}</span>
                <span className="row-sub">
                  {t('stock.unknownCodes.last', { moment: formatMoment(lastAt, now, language) })}
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
