import { Button, NativeSelect } from '@mantine/core';
import { useEffect, useState, type ReactElement } from 'react';
import type { LookupAnswer } from '../../app/contract/lookup.ts';
import { defaultScanner } from '../../app/contract/limits/scanner.ts';
import type { TerminalState } from '../../app/contract/terminal-state.ts';
import type { Failure } from '../../app/domain/failure.ts';
import {
  baudRates,
  defaultBaudRate,
  isSameScannerDevice,
  type ScannerDevice as Device,
  type ScannerDeviceChoice,
  type ScannerReading,
} from '../../app/domain/scanner-device.ts';
import { useStores, useTerminal, useWords } from '../stores/context.tsx';
import { useSetting } from '../stores/use-setting.ts';
import { cutText } from '../formats/texts.ts';
import { codeOf } from './use-scans.ts';
import { symbologyName, visibleText } from './scanner-report.ts';
import { FailureNotice } from '../ui/failure-text.tsx';
import { HelpLink } from '../ui/help-link.tsx';
import { useAnswerWords } from './scanner-trial.tsx';
import { SettingsPart } from '../ui/settings-part.tsx';

const maxShownCharacters = 200;
const connectionKinds: Readonly<Partial<Record<NonNullable<TerminalState['scannerDevice']>['connection'], string>>> = {
  connected: 'good',
  connecting: 'calm',
};
const hex = (number: number): string => number.toString(16).padStart(4, '0');

/** The device's name and what tells it from another of its make. */
function useDeviceWords(): (device: Device) => string {
  const { t } = useWords();
  return ({ kind, name, vendorId, productId, serialNumber }) => {
    const model = vendorId === null || productId === null ? null : `${hex(vendorId)}:${hex(productId)}`;
    return [name === '' ? t('scanner.device.unnamed') : name, t(`scanner.device.kind.${kind}`), serialNumber ?? model]
      .filter((part) => part !== null)
      .join(' · ');
  };
}

interface Read {
  readonly reading: ScannerReading;
  /** Null until the copy has answered. */
  readonly answer: LookupAnswer | null;
}

/** The last reading while this is shown, and this terminal's answer for it; nothing is noted as looked up. */
function useLastRead(): Read | null {
  const { bridge, terminal } = useStores();
  const [read, setRead] = useState<Read | null>(null);
  useEffect(
    () =>
      bridge.subscribe({
        'scanner:read': (reading) => {
          setRead({ reading, answer: null });
          void bridge
            .call('lookup:find', {
              text: codeOf(reading, terminal.getState().state?.scanner ?? defaultScanner),
              source: 'scan',
              isAgain: true,
            })
            .then((found) => {
              setRead((now) => (now?.reading === reading && found.ok ? { reading, answer: found.value } : now));
            });
        },
      }),
    [terminal, bridge],
  );
  return read;
}

function LastRead({ read }: { readonly read: Read | null }): ReactElement {
  const { t } = useWords();
  const answerWords = useAnswerWords();
  if (read === null) {
    return <p className="hint">{t('scanner.device.tryIt')}</p>;
  }
  const { text, symbology } = read.reading;
  const named = symbology === null ? [t('scanner.device.noSymbology')] : [symbology, symbologyName(symbology)];
  const facts = [
    [t('scanner.fact.text'), cutText(visibleText(text).replaceAll(/\p{Cc}/gu, '\ufffd'), maxShownCharacters)],
    [t('scanner.fact.symbology'), named.filter((part) => part !== null).join(' · ')],
    [t('scanner.fact.product'), answerWords(read.answer)],
  ] as const;
  return (
    <dl className="facts trial-facts">
      {facts.map(([label, value]) => (
        <div key={label} className="trial-fact">
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Chosen({
  choice,
  connection,
  update,
}: NonNullable<TerminalState['scannerDevice']> & {
  readonly choice: ScannerDeviceChoice;
  readonly update: (next: ScannerDeviceChoice | null) => void;
}): ReactElement {
  const { t } = useWords();
  const deviceWords = useDeviceWords();
  const read = useLastRead();
  return (
    <>
      <p>
        <strong>{deviceWords(choice)}</strong>
      </p>
      <p
        role="status"
        className="notice"
        data-kind={connectionKinds[connection] ?? 'warn'}
        data-connection={connection}
      >
        {t(`scanner.device.connection.${connection}`)}
      </p>
      {(connection === 'refused' || connection === 'unsuited') && (
        <HelpLink sentence={t(`scanner.device.connection.${connection}`)} />
      )}
      {choice.kind === 'serial' && (
        <>
          <NativeSelect
            label={t('scanner.device.baudRate')}
            data={baudRates.map((rate) => ({ value: String(rate), label: String(rate) }))}
            value={String(choice.baudRate)}
            onChange={(event) => {
              const baudRate = baudRates.find((rate) => String(rate) === event.currentTarget.value) ?? choice.baudRate;
              update({ ...choice, baudRate });
            }}
          />
          <p className="hint">{t('scanner.device.serialHint')}</p>
        </>
      )}
      <div role="status">
        <LastRead read={read} />
      </div>
      <div>
        <Button variant="default" onClick={() => update(null)}>
          {t('scanner.device.stop')}
        </Button>
      </div>
    </>
  );
}

interface PresentProps {
  readonly devices: readonly Device[];
  readonly choice: ScannerDeviceChoice | null;
  readonly use: (device: Device) => void;
}

function Present({ devices, choice, use }: PresentProps): ReactElement {
  const { t } = useWords();
  const deviceWords = useDeviceWords();
  const others = devices.filter((device) => choice === null || !isSameScannerDevice(choice, device));
  if (others.length === 0) {
    return <p>{t(choice === null ? 'scanner.device.none' : 'scanner.device.noOther')}</p>;
  }
  return (
    <ul className="scanner-devices stack-2">
      {others.map((device) => (
        <li key={JSON.stringify(device)}>
          <span>{deviceWords(device)}</span>
          <Button
            variant="default"
            aria-label={t('scanner.device.useNamed', { name: deviceWords(device) })}
            onClick={() => use(device)}
          >
            {t('scanner.device.use')}
          </Button>
        </li>
      ))}
    </ul>
  );
}

/** Where no device can be held it says so. */
export function ScannerDevice(): ReactElement {
  const { t } = useWords();
  const { bridge } = useStores();
  const connection = useTerminal(({ scannerDevice }) => scannerDevice?.connection);
  const {
    value: choice,
    failure: notSaved,
    save,
  } = useSetting('scannerDevice', ({ scannerDevice }) => scannerDevice?.choice ?? null);
  const isSafeMode = useTerminal((terminal) => terminal.isSafeMode);
  const [devices, setDevices] = useState<readonly Device[] | null>(null);
  const [isLooking, setLooking] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  if (connection === undefined) {
    return (
      <SettingsPart title={t('scanner.device.title')}>
        <p className="hint">{t(isSafeMode ? 'scanner.device.notInSafeMode' : 'scanner.device.notHere')}</p>
      </SettingsPart>
    );
  }
  const look = async (): Promise<void> => {
    setLooking(true);
    const listed = await bridge.call('scanner:listDevices', {});
    setLooking(false);
    setFailure(listed.ok ? null : listed.failure);
    if (listed.ok) {
      setDevices(listed.value);
    }
  };
  return (
    <SettingsPart title={t('scanner.device.title')} lock="settings" about={[t('scanner.device.lead')]}>
      {choice !== null && <Chosen choice={choice} connection={connection} update={(next) => void save(next)} />}
      <div role="status">
        {devices !== null && (
          <Present
            devices={devices}
            choice={choice}
            use={(device) => void save({ ...device, baudRate: choice?.baudRate ?? defaultBaudRate })}
          />
        )}
      </div>
      <div>
        <Button variant="default" data-look loading={isLooking} onClick={() => void look()}>
          {t(devices === null ? 'scanner.device.look' : 'scanner.device.lookAgain')}
        </Button>
      </div>
      <FailureNotice failure={notSaved() ?? failure} />
    </SettingsPart>
  );
}
