import { Button, TextInput } from '@mantine/core';
import { useState, type ReactElement } from 'react';
import type { Failure } from '../../app/domain/failure.ts';
import { copyText } from '../dom/copy-text.ts';
import { useStores, useTerminal, useWords } from '../stores/context.tsx';
import { LockSign } from '../ui/lock-sign.tsx';
import { FailureNotice } from '../ui/failure-text.tsx';

/** Shows a token that has just been made, this once. */
function NewToken({ token, done }: { readonly token: string; readonly done: () => void }): ReactElement {
  const { t } = useWords();
  const [outcome, setOutcome] = useState<'copied' | 'refused' | null>(null);
  return (
    <>
      <TextInput
        readOnly
        label={t('settings.programs.token.label')}
        description={t('settings.programs.token.once')}
        value={token}
        classNames={{ input: 'mono' }}
        onFocus={(event) => event.currentTarget.select()}
      />
      <div className="buttons">
        <Button onClick={() => setOutcome(copyText(token) ? 'copied' : 'refused')}>
          {t('settings.programs.token.copy')}
        </Button>
        <Button variant="default" onClick={done}>
          {t('settings.programs.token.done')}
        </Button>
        <span role="status">{outcome !== null && t(`lookup.card.${outcome}`)}</span>
      </div>
    </>
  );
}

/** The token that programs bring: made, shown once, and made anew. */
export function ProgramToken(): ReactElement {
  const { t } = useWords();
  const { bridge } = useStores();
  const hasToken = useTerminal((state) => state.localApiTokenHash !== null);
  const [token, setToken] = useState<string | null>(null);
  const [isAsking, setAsking] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const make = async (): Promise<void> => {
    setAsking(false);
    const made = await bridge.call('localApi:makeToken', {});
    setToken(made.ok ? made.value.token : null);
    setFailure(made.ok ? null : made.failure);
  };
  if (token !== null) {
    return (
      <div className="setting stack-2">
        <NewToken token={token} done={() => setToken(null)} />
      </div>
    );
  }
  return (
    <div className="setting stack-2">
      <p>
        {t('settings.programs.token.label')} <LockSign kind="tokens" />
      </p>
      <p className="hint">{t(hasToken ? 'settings.programs.token.has' : 'settings.programs.token.hasNone')}</p>
      {isAsking ? (
        <>
          <p role="alert">{t('settings.programs.token.ends')}</p>
          <div className="buttons">
            <Button onClick={() => void make()}>{t('settings.programs.token.makeNew')}</Button>
            <Button variant="default" onClick={() => setAsking(false)}>
              {t('settings.programs.token.keep')}
            </Button>
          </div>
        </>
      ) : (
        <div className="buttons">
          <Button variant={hasToken ? 'default' : 'filled'} onClick={() => (hasToken ? setAsking(true) : void make())}>
            {t(hasToken ? 'settings.programs.token.makeNew' : 'settings.programs.token.make')}
          </Button>
        </div>
      )}
      <FailureNotice failure={failure} />
    </div>
  );
}
