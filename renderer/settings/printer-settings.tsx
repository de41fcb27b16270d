import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useEffect, useState, type ReactElement, type SubmitEvent } from 'react';
import { printerDpis } from '../../app/domain/labels/dots.ts';
import { printerLanguages } from '../../app/domain/labels/languages.ts';
import type { LabelPrinter } from '../../app/domain/labels/printer.ts';
import { baudRates, defaultBaudRate } from '../../app/domain/scanner-device.ts';
import { useStore } from 'zustand';
import { useStores, useTerminal, useWords } from '../stores/context.tsx';
import { useSetting } from '../stores/use-setting.ts';
import { FailureNotice } from '../ui/failure-text.tsx';
import { readFigure } from '../ui/figure-field.tsx';
import { lazyPart } from '../ui/lazy-part.tsx';
import { SettingsPart } from '../ui/settings-part.tsx';

const TrialLabel = lazyPart(async () => (await import('../labels/trial-label.tsx')).TrialLabel);

const kinds = ['dialog', 'system', 'network', 'serial'] as const satisfies readonly LabelPrinter['kind'][];
const usualPort = 9100;

/** The form's fields. */
const fieldNames = ['kind', 'name', 'host', 'port', 'path', 'baudRate', 'language', 'dpi'] as const;
type Typed = Readonly<Record<(typeof fieldNames)[number], string>> & { readonly kind: LabelPrinter['kind'] };

const draftOf = (field: keyof Typed): string => `labelPrinter.${field}`;
const kindOf = (text: string | undefined): LabelPrinter['kind'] | undefined => kinds.find((kind) => kind === text);

function typedOf(printer: LabelPrinter): Typed {
  return {
    kind: printer.kind,
    name: printer.kind === 'system' ? printer.name : '',
    host: printer.kind === 'network' ? printer.host : '',
    port: String(printer.kind === 'network' ? printer.port : usualPort),
    path: printer.kind === 'serial' ? printer.path : '',
    baudRate: String(printer.kind === 'serial' ? printer.baudRate : defaultBaudRate),
    language: 'language' in printer ? printer.language : 'zpl',
    dpi: String('dpi' in printer ? printer.dpi : 203),
  };
}

/** The printer that the fields say; null where one of them is wrong. */
function printerOf({ kind, name, host, port, path, baudRate, language, dpi }: Typed): LabelPrinter | null {
  const commands = {
    language: printerLanguages.find((one) => one === language) ?? 'zpl',
    dpi: printerDpis.find((one) => String(one) === dpi) ?? 203,
  };
  switch (kind) {
    case 'dialog':
      return { kind };
    case 'system':
      return name === '' ? null : { kind, name };
    case 'network': {
      const figure = readFigure(port, { min: 1, max: 65_535 });
      // One colon alone parts a port from the address, and has a field of its own.
      const isHost =
        /^[A-Za-z0-9]([A-Za-z0-9._:-]*[A-Za-z0-9])?$/.test(host.trim()) && !/^[^:]*:[^:]*$/.test(host.trim());
      return figure === null || !isHost ? null : { kind, host: host.trim(), port: figure, ...commands };
    }
    case 'serial': {
      const rate = baudRates.find((one) => String(one) === baudRate) ?? defaultBaudRate;
      const isPath = /^(\/dev\/[A-Za-z0-9._/-]{1,100}|COM\d{1,3})$/.test(path.trim()) && !path.includes('..');
      return isPath ? { kind, path: path.trim(), baudRate: rate, ...commands } : null;
    }
  }
}

interface FieldsProps {
  readonly typed: Typed;
  readonly isWrong: boolean;
  readonly type: (part: Partial<Typed>) => void;
}

function SystemFields({ typed, isWrong, type }: FieldsProps): ReactElement {
  const { t } = useWords();
  const { bridge } = useStores();
  const [names, setNames] = useState<readonly string[] | null>(null);
  useEffect(() => {
    void bridge.call('printer:list', {}).then((listed) => setNames(listed.ok ? listed.value : []));
  }, [bridge]);
  const all = [...new Set([...(names ?? []), typed.name])].filter((name) => name !== '');
  return names !== null && all.length === 0 ? (
    <p className="notice" data-kind="warn">
      {t('settings.printer.noneThere')}
    </p>
  ) : (
    <NativeSelect
      label={t('settings.printer.name')}
      size="md"
      data={[{ value: '', label: t('settings.printer.choose') }, ...all.map((name) => ({ value: name, label: name }))]}
      data-place
      value={typed.name}
      error={isWrong ? t('settings.printer.nameWrong') : undefined}
      onChange={(event) => type({ name: event.currentTarget.value })}
    />
  );
}

function PlaceFields({ typed, isWrong, type }: FieldsProps): ReactElement {
  const { t } = useWords();
  if (typed.kind === 'network') {
    return (
      <>
        <TextInput
          label={t('settings.printer.host')}
          description={t('settings.printer.hostHelp')}
          error={isWrong ? t('settings.printer.hostWrong') : undefined}
          size="md"
          spellCheck={false}
          maxLength={253}
          data-place
          value={typed.host}
          onChange={(event) => type({ host: event.currentTarget.value })}
        />
        <TextInput
          label={t('settings.printer.port')}
          size="md"
          inputMode="numeric"
          maxLength={5}
          value={typed.port}
          onChange={(event) => type({ port: event.currentTarget.value })}
        />
      </>
    );
  }
  return (
    <>
      <TextInput
        label={t('settings.printer.path')}
        description={t('settings.printer.pathHelp')}
        error={isWrong ? t('settings.printer.pathWrong') : undefined}
        size="md"
        spellCheck={false}
        maxLength={110}
        data-place
        value={typed.path}
        onChange={(event) => type({ path: event.currentTarget.value })}
      />
      <NativeSelect
        label={t('scanner.device.baudRate')}
        size="md"
        data={baudRates.map(String)}
        value={typed.baudRate}
        onChange={(event) => type({ baudRate: event.currentTarget.value })}
      />
    </>
  );
}

function CommandFields(props: FieldsProps): ReactElement {
  const { t } = useWords();
  const { typed, type } = props;
  return (
    <>
      <PlaceFields {...props} />
      <NativeSelect
        label={t('settings.printer.language')}
        description={t('settings.printer.languageHelp')}
        size="md"
        data={printerLanguages.map((value) => ({ value, label: t(`settings.printer.languages.${value}`) }))}
        value={typed.language}
        onChange={(event) => type({ language: event.currentTarget.value })}
      />
      <NativeSelect
        label={t('settings.printer.dpi')}
        size="md"
        data={printerDpis.map((dpi) => ({ value: String(dpi), label: t(`settings.printer.dpis.${dpi}`) }))}
        value={typed.dpi}
        onChange={(event) => type({ dpi: event.currentTarget.value })}
      />
    </>
  );
}

/** Which printer prints labels. */
export function PrinterSettings(): ReactElement {
  const { t } = useWords();
  const host = useTerminal((state) => state.host);
  const { value: kept, failure, save } = useSetting('labelPrinter', (state) => state.labelPrinter);
  const { drafts } = useStores();
  const drafted = useStore(drafts, (state): Readonly<Partial<Record<string, string>>> => state.typed);
  const [isWrong, setWrong] = useState(false);
  const before = typedOf(kept);
  const typed: Typed = {
    ...(Object.fromEntries(fieldNames.map((field) => [field, drafted[draftOf(field)] ?? before[field]])) as Typed),
    kind: kindOf(drafted[draftOf('kind')]) ?? before.kind,
  };
  const isUnsaved = JSON.stringify(printerOf(typed)) !== JSON.stringify(kept);
  const type = (part: Partial<Typed>): void => {
    for (const [field, text] of Object.entries(part)) {
      drafts.getState().type(draftOf(field as keyof Typed), text);
    }
    setWrong(false);
  };
  const submit = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const printer = printerOf(typed);
    if (printer === null) {
      setWrong(true);
      event.currentTarget.querySelector<HTMLElement>('[data-place]')?.focus();
      return;
    }
    // The button goes.
    event.currentTarget.querySelector('select')?.focus();
    if (await save(printer)) {
      drafts.getState().drop(fieldNames.map(draftOf));
    }
  };
  const fields = { typed, isWrong, type };
  return (
    <SettingsPart title={t('settings.printer.title')} lock="settings">
      <form className="form" noValidate onSubmit={(event) => void submit(event)}>
        <NativeSelect
          label={t('settings.printer.kind')}
          size="md"
          data={kinds
            .filter((kind) => kind !== 'system' || host === 'electron' || kept.kind === 'system')
            .map((value) => ({ value, label: t(`settings.printer.kinds.${value}`) }))}
          value={typed.kind}
          onChange={(event) => type({ kind: kindOf(event.currentTarget.value) ?? 'dialog' })}
        />
        {host === 'browser' && <p className="hint">{t('settings.printer.notSilentHere')}</p>}
        {typed.kind === 'system' && <SystemFields {...fields} />}
        {(typed.kind === 'network' || typed.kind === 'serial') && <CommandFields {...fields} />}
        {isUnsaved && (
          <div className="form-save">
            <Button type="submit">{t('settings.printer.use')}</Button>
            <span className="hint" role="status">
              {t('settings.printer.notUsed')}
            </span>
          </div>
        )}
      </form>
      <FailureNotice failure={failure()} />
      <TrialLabel isOffered={!isUnsaved} />
    </SettingsPart>
  );
}
