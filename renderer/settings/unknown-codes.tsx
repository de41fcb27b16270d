import { useState, type ReactElement } from 'react';
import type { Failure } from '../../app/domain/failure.ts';
import { SaveList } from '../files/save-list.tsx';
import { formatNumber } from '../formats/numbers.ts';
import { unknownCodes, unknownFile } from '../lookup/unknown-file.ts';
import { useLookup, useWords } from '../stores/context.tsx';
import { FailureNotice } from '../ui/failure-text.tsx';
import { SettingsPart } from '../ui/settings-part.tsx';

/** Codes that customers asked for and the shop does not have, among the recent lookups. */
export function UnknownCodes(): ReactElement {
  const { t, language } = useWords();
  const codes = unknownCodes(useLookup((lookup) => lookup.recent));
  const [failure, setFailure] = useState<Failure | null>(null);
  return (
    <SettingsPart title={t('settings.unknownCodes.title')}>
      <p className="hint">
        {t('settings.unknownCodes.says', { count: codes.length, formatted: formatNumber(codes.length, language) })}
      </p>
      <SaveList
        name="unknown-codes"
        list={() => unknownFile(codes, t)}
        kinds={['xlsx', 'csv']}
        isEmpty={codes.length === 0}
        onFailure={setFailure}
      />
      <FailureNotice failure={failure} />
    </SettingsPart>
  );
}
