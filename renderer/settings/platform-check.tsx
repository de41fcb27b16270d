import { Button } from '@mantine/core';
import { useCallback, useEffect, useState, type ReactElement } from 'react';
import type { PlatformCheck as Reading } from '../../app/contract/platform-check.ts';
import type { Failure } from '../../app/domain/failure.ts';
import { succeed } from '../../app/domain/result.ts';
import { later } from '../dom/clock.ts';
import { useFocusedAnswer } from '../dom/focus.ts';
import { formatNumber } from '../formats/numbers.ts';
import { formatFullMoment } from '../formats/times.ts';
import { useStores, useWords } from '../stores/context.tsx';
import { FailureNotice } from '../ui/failure-text.tsx';
import { LockSign } from '../ui/lock-sign.tsx';
import { SaveText } from '../ui/save-text.tsx';
import { SettingsPart } from '../ui/settings-part.tsx';
import { WorkProgress } from '../ui/work-progress.tsx';

const everyMs = 1_000;
const verdicts = ['broken', 'untold', 'kept'] as const;

function Found({ found }: { readonly found: Extract<Reading, { readonly state: 'ended' }> }): ReactElement {
  const { t, language } = useWords();
  const { lines, endedAt, file } = found;
  const of = (verdict: (typeof verdicts)[number]) => lines.filter((line) => line.verdict === verdict);
  const broken = of('broken').length;
  const kept = formatNumber(of('kept').length, language);
  return (
    <>
      <div role="status">
        <p>
          <strong className={broken > 0 ? 'warn-words' : undefined}>
            {broken > 0
              ? t('settings.platformCheck.deviations', { count: broken, formatted: formatNumber(broken, language) })
              : t('settings.platformCheck.kept', { kept, all: formatNumber(lines.length, language) })}
          </strong>
        </p>
        <p className="hint">{formatFullMoment(endedAt, language)}</p>
      </div>
      <details className="fold">
        <summary>{t('settings.platformCheck.lines')}</summary>
        <dl className="facts">
          {verdicts
            .filter((verdict) => of(verdict).length > 0)
            .map((verdict) => (
              <div key={verdict} className="fact-pair">
                <dt>{t(`settings.platformCheck.verdict.${verdict}`)}</dt>
                <dd>
                  {of(verdict).map(({ id, title, why }) => (
                    <span key={id} className="fact-line anywhere">
                      {title}
                      {verdict === 'broken' && <span className="fact-line hint">{why}</span>}
                    </span>
                  ))}
                </dd>
              </div>
            ))}
        </dl>
      </details>
      <SaveText
        read={() => Promise.resolve(succeed(file))}
        label={t('settings.platformCheck.save')}
        type="text/plain"
        variant="default"
      />
    </>
  );
}

/** Whether the open shop's platform keeps its document, line by line. */
export function PlatformCheck(): ReactElement {
  const { t, language } = useWords();
  const { bridge } = useStores();
  const [reading, setReading] = useState<Reading>({ state: 'none' });
  const [failure, setFailure] = useState<Failure | null>(null);
  const [hasPressed, setPressed] = useState(false);
  // The button that was pressed goes.
  const box = useFocusedAnswer(hasPressed ? reading.state : null);
  const read = useCallback(async (): Promise<void> => {
    const answer = await bridge.call('platformCheck:read', { language });
    setFailure(answer.ok ? null : answer.failure);
    setReading(answer.ok ? answer.value : { state: 'none' });
  }, [bridge, language]);
  const press = async (channel: 'platformCheck:start' | 'platformCheck:stop'): Promise<void> => {
    setPressed(true);
    const answer = await bridge.call(channel, {});
    if (answer.ok) await read();
    else setFailure(answer.failure);
  };
  useEffect(() => void read(), [read]);
  useEffect(() => (reading.state === 'running' ? later(everyMs, () => void read()) : undefined), [reading, read]);
  return (
    <SettingsPart title={t('settings.platformCheck.title')} about={[t('settings.platformCheck.about')]}>
      <div ref={box} tabIndex={-1} className="answer-place stack-4">
        {reading.state === 'running' ? (
          <WorkProgress
            words={t('settings.platformCheck.running')}
            done={reading.done}
            of={reading.all === 0 ? null : reading.all}
            stop={() => void press('platformCheck:stop')}
          />
        ) : (
          <div className="buttons">
            <Button
              variant="default"
              leftSection={<LockSign kind="settings" />}
              onClick={() => void press('platformCheck:start')}
            >
              {t('settings.platformCheck.start')}
            </Button>
          </div>
        )}
        {reading.state === 'ended' && <Found found={reading} />}
        <FailureNotice failure={failure ?? (reading.state === 'failed' ? reading.failure : null)} />
      </div>
    </SettingsPart>
  );
}
