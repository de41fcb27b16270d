// Owns the two ways in: the practice store and a real platform. Never asks for anything that the chosen way does not need.
import { useState, type ReactElement, type ReactNode } from 'react';
import type { Failure } from '../../app/domain/failure.ts';
import { Working } from '../components/connection-report.tsx';
import { FailureText } from '../components/failure-text.tsx';
import { LinkIcon, StoreIcon } from '../components/icons.tsx';
import { useNavigation, useStores, useWords } from '../context.tsx';
import { ConnectForm } from './connect-form.tsx';
import { Entry } from './entry.tsx';

interface WayProps {
  readonly name: string;
  readonly text: string;
  readonly hint: string;
  readonly icon: ReactNode;
  readonly isDisabled: boolean;
  readonly kind: 'practice' | 'platform';
  readonly choose: () => void;
}

function Way({ name, text, hint, icon, isDisabled, kind, choose }: WayProps): ReactElement {
  return (
    <button type="button" className="way" data-kind={kind} aria-labelledby={`way-${kind}`} aria-describedby={`way-${kind}-text`} disabled={isDisabled} onClick={choose}>
      <span className="way-icon">{icon}</span>
      <span className="way-name" id={`way-${kind}`}>
        {name}
      </span>
      <span className="way-text" id={`way-${kind}-text`}>
        {text}
      </span>
      <span className="way-hint">{hint}</span>
    </button>
  );
}

/** First run: two large choices, or the form of the second. */
export function FirstRun(): ReactElement {
  const { t } = useWords();
  const { wall } = useStores();
  const left = useNavigation((navigation) => navigation.left);
  const [isConnecting, setConnecting] = useState(left !== null);
  const [isStarting, setStarting] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);

  const practise = async (): Promise<void> => {
    setStarting(true);
    setFailure(null);
    const started = await wall.call('practice:start', {});
    setStarting(false);
    setFailure(started.ok ? null : started.failure);
  };

  if (isConnecting) {
    return (
      <Entry>
        <ConnectForm back={() => setConnecting(false)} />
      </Entry>
    );
  }
  return (
    <Entry>
      <div className="welcome">
        <h1>{t('firstRun.title')}</h1>
        <p className="lead">{t('firstRun.lead')}</p>
        <div className="ways">
          <Way kind="practice" icon={<StoreIcon size={40} />} name={t('firstRun.practice')} text={t('firstRun.practiceText')} hint={t('firstRun.practiceHint')} isDisabled={isStarting} choose={() => void practise()} />
          <Way kind="platform" icon={<LinkIcon size={40} />} name={t('firstRun.connect')} text={t('firstRun.connectText')} hint={t('firstRun.connectHint')} isDisabled={isStarting} choose={() => setConnecting(true)} />
        </div>
        {isStarting && <Working words={t('firstRun.starting')} />}
        {failure !== null && (
          <div className="panel panel-bad" role="alert">
            <FailureText failure={failure} />
          </div>
        )}
      </div>
    </Entry>
  );
}
