import type { ReactElement } from 'react';
import { queueLimitsRange as range } from '../../app/contract/limits/queue.ts';
import { useWords } from '../stores/context.tsx';
import { useSetting } from '../stores/use-setting.ts';
import { FigureField } from '../ui/figure-field.tsx';
import { SettingsPart } from '../ui/settings-part.tsx';

export function QueueLimits(): ReactElement {
  const { t } = useWords();
  const { value: kept, failure, save } = useSetting('queueLimits', (state) => state.queueLimits);
  return (
    <SettingsPart title={t('settings.queueLimits')} lock="settings">
      <FigureField
        label={t('settings.historyDays.label')}
        kept={kept.historyDays}
        range={range.historyDays}
        wrong={t('settings.historyDays.wrong')}
        save={(historyDays) => save({ ...kept, historyDays })}
        failure={failure('historyDays')}
      />
    </SettingsPart>
  );
}
