import type { ReactElement } from 'react';
import { planGraceRange } from '../../app/contract/limits/coupon-sets.ts';
import { queueLimitsRange as range } from '../../app/contract/limits/queue.ts';
import { useWords } from '../stores/context.tsx';
import { useSetting } from '../stores/use-setting.ts';
import { FigureFields, readFigure } from '../ui/figure-fields.tsx';
import { SettingsPart } from '../ui/settings-part.tsx';

const fields = ['historyDays', 'askAfterHours'] as const;

export function QueueLimits(): ReactElement {
  const { t } = useWords();
  const { value: kept, failure, save } = useSetting('queueLimits', (state) => state.queueLimits);
  return (
    <SettingsPart title={t('settings.queueLimits')} lock="settings">
      <FigureFields
        fields={fields}
        kept={kept}
        read={({ historyDays, askAfterHours }) => ({
          historyDays: readFigure(historyDays, range.historyDays),
          askAfterHours: readFigure(askAfterHours, range.askAfterHours),
        })}
        wordsOf={(field) => ({
          label: t(`settings.${field}.label`),
          ...(field === 'askAfterHours' ? { help: t('settings.askAfterHours.help') } : {}),
          wrong: t(`settings.${field}.wrong`),
        })}
        save={save}
        failure={failure}
      />
    </SettingsPart>
  );
}

const graceFields = ['planGraceMinutes'] as const;

/** For how long a planned time is made up for. */
export function PlanGrace(): ReactElement {
  const { t } = useWords();
  const { value: kept, failure, save } = useSetting('planGraceMinutes', (state) => state.planGraceMinutes);
  return (
    <SettingsPart title={t('settings.planGrace')} lock="settings" about={[t('settings.planGraceMinutes.help')]}>
      <FigureFields
        fields={graceFields}
        kept={{ planGraceMinutes: kept }}
        read={({ planGraceMinutes }) => ({ planGraceMinutes: readFigure(planGraceMinutes, planGraceRange) })}
        wordsOf={(field) => ({
          label: t(`settings.${field}.label`),
          wrong: t(`settings.${field}.wrong`, planGraceRange),
        })}
        save={({ planGraceMinutes }) => save(planGraceMinutes)}
        failure={() => failure()}
      />
    </SettingsPart>
  );
}
