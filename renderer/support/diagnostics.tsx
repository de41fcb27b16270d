import { Button } from '@mantine/core';
import { useCallback, useEffect, useState, type ReactElement } from 'react';
import type { Diagnostics as Reading } from '../../app/contract/support.ts';
import type { Failure } from '../../app/domain/failure.ts';
import { useStores, useTerminal, useWords } from '../stores/context.tsx';
import { formatBytes } from '../formats/bytes.ts';
import { formatNumber } from '../formats/numbers.ts';
import { formatFullMoment, formatSpan } from '../formats/times.ts';
import { toDecideOf, waitingOf } from '../../app/contract/waiting.ts';
import { ConnectionTest } from '../connection/connection-test.tsx';
import { CopyLine, CopyProgress } from '../ui/sync-progress.tsx';
import { FailureNotice } from '../ui/failure-text.tsx';
import { SaveText } from '../ui/save-text.tsx';
import { SettingsPart } from '../ui/settings-part.tsx';
import { QueueDay } from './queue-day.tsx';
import { ShopFileAddress } from './shop-file-address.tsx';

/** A clock that is off by more than this is worth a word: codes and sign-ins begin to depend on it. */
const clockOffMs = 90_000;

function ClockLine({ clock }: { readonly clock: Reading['clock'] }): ReactElement {
  const { t, language } = useWords();
  if (clock === null) {
    return <>{t('support.clock.unknown')}</>;
  }
  const { aheadMs } = clock;
  return Math.abs(aheadMs) <= clockOffMs ? (
    <>{t('support.clock.right')}</>
  ) : (
    <strong className="warn-words">
      {t(aheadMs > 0 ? 'support.clock.ahead' : 'support.clock.behind', {
        wait: formatSpan(Math.abs(aheadMs), language),
      })}
    </strong>
  );
}

function Facts({ reading }: { readonly reading: Reading }): ReactElement {
  const { t, language } = useWords();
  const host = useTerminal((state) => state.host);
  const { versions, machine, clock, keychain, statusFile } = reading;
  return (
    <dl className="facts">
      <dt>{t('support.readAt')}</dt>
      <dd>{formatFullMoment(reading.readAt, language)}</dd>
      <dt>{t('support.versions')}</dt>
      <dd>
        {versions.map(({ name, version }) => (
          <span key={name} className="fact-line">
            {name} <span className="mono">{version}</span>
          </span>
        ))}
      </dd>
      <dt>{t('settings.runsIn')}</dt>
      <dd>{t(`settings.host.${host}`)}</dd>
      <dt>{t('support.clock.title')}</dt>
      <dd>
        <ClockLine clock={clock} />
      </dd>
      <dt>{t('support.keychain.title')}</dt>
      <dd>
        {t(`support.keychain.${keychain.state}`)}
        {keychain.message !== null && <span className="fact-line mono">{keychain.message}</span>}
      </dd>
      {machine !== null && (
        <>
          <dt>{t('support.system')}</dt>
          <dd>{machine.system}</dd>
          <dt>{t('support.memory')}</dt>
          <dd>
            {t('support.freeOf', {
              free: formatBytes(machine.freeMemoryBytes, language),
              all: formatBytes(machine.memoryBytes, language),
            })}
          </dd>
          {machine.freeDiskBytes !== null && (
            <>
              <dt>{t('support.disk')}</dt>
              <dd>{t('support.free', { free: formatBytes(machine.freeDiskBytes, language) })}</dd>
            </>
          )}
          <dt>{t('support.folder')}</dt>
          <dd className="mono anywhere">{machine.dataDirectory}</dd>
        </>
      )}
      {statusFile !== null && (
        <>
          <dt>{t('support.statusFile.title')}</dt>
          <dd>
            <StatusFileLine file={statusFile} />
          </dd>
        </>
      )}
    </dl>
  );
}

function StatusFileLine({ file }: { readonly file: NonNullable<Reading['statusFile']> }): ReactElement {
  const { t, language } = useWords();
  const { path, writtenAt, failure } = file;
  return (
    <>
      <span className="mono anywhere">{path}</span>
      <span className="fact-line">
        {failure !== null && (
          <strong className="warn-words">{t('support.statusFile.failed', { reason: failure })}</strong>
        )}
        {failure === null && writtenAt !== null && (
          <>{t('support.statusFile.written', { at: formatFullMoment(writtenAt, language) })}</>
        )}
      </span>
    </>
  );
}

function Files({ reading }: { readonly reading: Reading }): ReactElement | null {
  const { t, language } = useWords();
  const files = reading.machine?.files ?? [];
  return files.length === 0 ? null : (
    <details className="fold">
      <summary>{t('support.files', { count: files.length })}</summary>
      <dl className="facts">
        {files.map(({ name, bytes }) => (
          <div key={name} className="fact-pair">
            <dt className="mono anywhere">{name}</dt>
            <dd>{formatBytes(bytes, language)}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

function LogLines({ lines }: { readonly lines: readonly string[] }): ReactElement | null {
  const { t } = useWords();
  return lines.length === 0 ? null : (
    <details className="fold">
      <summary>{t('support.log', { count: lines.length })}</summary>
      <pre className="log-lines" tabIndex={0} role="region" aria-label={t('support.logTitle')}>
        {lines.toReversed().join('\n')}
      </pre>
    </details>
  );
}

/** The terminal's state, gathered from its own screens for whoever is on the telephone. */
function TerminalState(): ReactElement {
  const { t, language } = useWords();
  const { limit, used } = useTerminal((state) => state.rateLimit);
  const connection = useTerminal((state) => state.connection.state);
  const waiting = useTerminal((state) => waitingOf(state.queue));
  const parked = useTerminal((state) => toDecideOf(state.queue));
  return (
    <SettingsPart title={t('support.state')}>
      <dl className="facts">
        <dt>{t('connection.name')}</dt>
        <dd>{t(`connection.${connection}`)}</dd>
        <dt>{t('settings.rateLimit')}</dt>
        <dd>
          {t('settings.rateLimitText', { used: formatNumber(used, language), limit: formatNumber(limit, language) })}
        </dd>
        <dt>{t('shell.screen.queue')}</dt>
        <dd>
          {t('queue.badge.waiting', { count: waiting })}, {t('queue.badge.parked', { count: parked })}{' '}
          <a href="#queue">{t('support.see')}</a>
        </dd>
        <dt>{t('settings.catalogue')}</dt>
        <dd>
          <CopyLine />
          <CopyProgress />
        </dd>
        <dt>{t('settings.section.scanner')}</dt>
        <dd>
          <a className="target" href="#settings/scanner">
            {t('support.seeScanner')}
          </a>
        </dd>
      </dl>
      <QueueDay />
      <ConnectionTest />
    </SettingsPart>
  );
}

/** Everything; `isWorkspaceOpen` is false where no workspace is open, which then has nothing to show. */
export function Diagnostics({ isWorkspaceOpen }: { readonly isWorkspaceOpen: boolean }): ReactElement {
  const { t } = useWords();
  const { bridge } = useStores();
  const [reading, setReading] = useState<Reading | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);

  const read = useCallback(async (): Promise<void> => {
    const answer = await bridge.call('support:diagnose', {});
    setFailure(answer.ok ? null : answer.failure);
    if (answer.ok) {
      setReading(answer.value);
    }
  }, [bridge]);
  useEffect(() => void read(), [read]);

  return (
    <>
      <SettingsPart title={t('support.bundle.title')}>
        <p>{t('support.bundle.text')}</p>
        <SaveText read={() => bridge.call('support:readBundle', {})} label={t('support.bundle.save')} />
      </SettingsPart>
      {isWorkspaceOpen && <TerminalState />}
      <SettingsPart title={t('support.terminal')}>
        {reading !== null && (
          <>
            <Facts reading={reading} />
            <Files reading={reading} />
            <LogLines lines={reading.log} />
          </>
        )}
        <FailureNotice failure={failure} />
        <div className="buttons">
          <Button variant="default" onClick={() => void read()}>
            {t('support.readAgain')}
          </Button>
        </div>
      </SettingsPart>
      {reading !== null && reading.shopFile !== null && <ShopFileAddress file={reading.shopFile} onRead={read} />}
    </>
  );
}
