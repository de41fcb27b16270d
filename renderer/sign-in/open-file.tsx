import { useEffect, useRef, useState, type ReactElement } from 'react';
import { maxOpenedLength } from '../../app/contract/limits/support.ts';
import type { Failure } from '../../app/domain/failure.ts';
import { readChosenText } from '../files/chosen-file.ts';
import { FileInput } from '../files/file-input.tsx';
import { useStores, useWords } from '../stores/context.tsx';
import { FailureText } from '../ui/failure-text.tsx';
import { FileSecrets } from './file-secrets.tsx';
import { fillIn, leftOutOf } from './left-out.ts';

/** The outcome of opening the file. */
interface Opened {
  readonly name: string;
  /** Null for one that cannot be read. */
  readonly problems: readonly string[] | null;
  readonly failure: Failure | null;
}

function Refused({ opened: { name, problems, failure } }: { readonly opened: Opened }): ReactElement {
  const { t } = useWords();
  const box = useRef<HTMLDivElement>(null);
  // It stands below all the ways, where a low window ends.
  useEffect(() => {
    box.current?.scrollIntoView({ block: 'nearest' });
  }, [name, problems, failure]);
  return (
    <div ref={box} className="panel open-file-refused" role="alert">
      {failure !== null && <FailureText failure={failure} />}
      {problems === null && <p>{t('files.import.fault.notRead')}</p>}
      {problems !== null && problems.length > 0 && (
        <>
          <p>{t('signIn.openFile.refused', { name })}</p>
          <ul>
            {problems.map((problem) => (
              <li key={problem} className="anywhere">
                {problem}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

/** Sets this terminal up by a provisioning file that a person chooses. */
export function OpenFile({ isDisabled }: { readonly isDisabled: boolean }): ReactElement {
  const { t } = useWords();
  const { bridge } = useStores();
  const input = useRef<HTMLInputElement>(null);
  const [opened, setOpened] = useState<Opened | null>(null);
  const [asking, setAsking] = useState<{ readonly name: string; readonly text: string } | null>(null);
  const [isReading, setReading] = useState(false);

  const send = async (text: string | null): Promise<Omit<Opened, 'name'>> => {
    if (text === null) {
      return { problems: null, failure: null };
    }
    const answer = await bridge.call('provisioning:open', { text: text.slice(0, maxOpenedLength) });
    return answer.ok ? { ...answer.value, failure: null } : { problems: [], failure: answer.failure };
  };

  const take = async (name: string, text: string | null): Promise<void> => {
    setAsking(null);
    setReading(true);
    setOpened({ name, ...(await send(text)) });
    setReading(false);
  };

  const open = async (file: File): Promise<void> => {
    const { name } = file;
    const text = await readChosenText(file, maxOpenedLength);
    if (text !== null && leftOutOf(text).length > 0) {
      setOpened(null);
      setAsking({ name, text });
    } else {
      await take(name, text);
    }
  };

  const isRefused = opened !== null && (opened.failure !== null || opened.problems?.length !== 0);
  return (
    <>
      <p className="open-file">
        {t('signIn.openFile.lead')}{' '}
        <button
          type="button"
          className="text-button"
          disabled={isDisabled || isReading}
          onClick={() => input.current?.click()}
        >
          {t('signIn.openFile.choose')}
        </button>
      </p>
      <FileInput input={input} accept=".json,application/json" onChoose={(file) => void open(file)} />
      {asking !== null && (
        <FileSecrets
          leftOut={leftOutOf(asking.text)}
          close={() => setAsking(null)}
          fill={(secrets) => void take(asking.name, fillIn(asking.text, secrets))}
        />
      )}
      {isRefused && <Refused opened={opened} />}
    </>
  );
}
