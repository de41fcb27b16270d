import { Button } from '@mantine/core';
import { useEffect, useLayoutEffect, useState, type ReactElement } from 'react';
import { useStore } from 'zustand';
import type { LookupAnswer } from '../../app/contract/lookup.ts';
import type { ScannerSettings } from '../../app/contract/scanner.ts';
import { useStores, useTerminal, useWords } from '../stores/context.tsx';
import { useSetting } from '../stores/use-setting.ts';
import { copyText } from '../dom/copy-text.ts';
import { cutText } from '../formats/texts.ts';
import { symbologyName, visibleText, type ScannerFinding, type ScannerReport } from './scanner-report.ts';
import { CodeRead } from '../lookup/code-read.tsx';
import { FailureNotice } from '../ui/failure-text.tsx';
import { SettingsPart } from '../ui/settings-part.tsx';

const shownCharacters = 200;
/** Findings that are no warnings. */
const findingKinds: Readonly<Partial<Record<ScannerFinding, string>>> = {
  fine: 'good',
  capsLock: 'calm',
  person: 'calm',
};
const settingNames = [
  'charactersAtLeast',
  'meanGapMs',
  'silenceMs',
  'terminator',
  'prefix',
  'suffix',
  'keyboard',
] as const satisfies readonly (keyof ScannerSettings)[];

/** How a setting's value is written. */
export function useSettingWords(): <Name extends keyof ScannerSettings>(
  name: Name,
  value: ScannerSettings[Name],
) => string {
  const { t } = useWords();
  return (name, value) => {
    switch (name) {
      case 'terminator':
        return t(`scanner.terminator.${value as ScannerSettings['terminator']}`);
      case 'keyboard':
        return t(`scanner.keyboard.${value as ScannerSettings['keyboard']}`);
      default:
        return value === '' ? t('scanner.nothing') : String(value);
    }
  };
}

/** Describes the copy's answer for the code, in a line. */
export function useAnswerWords(): (answer: LookupAnswer | null) => string {
  const { t } = useWords();
  return (answer) => {
    if (answer === null) {
      return t('scanner.try.noAnswer');
    }
    switch (answer.kind) {
      case 'found':
        return answer.cards[0]?.name ?? '';
      case 'unreadable':
        return t(`lookup.miss.unreadable.${answer.why}`, { about: answer.about ?? '' });
      default:
        return t(`lookup.recent.${answer.kind}`);
    }
  };
}

type Fact = readonly [label: string, value: string];

function useFacts(): (report: ScannerReport, answer: LookupAnswer | null) => readonly Fact[] {
  const { t } = useWords();
  const answerWords = useAnswerWords();
  return ({ text, symbology, prefix, suffix, terminators, characters, meanGapMs, maxGapMs }, answer) => [
    [
      t('scanner.fact.text'),
      cutText(visibleText(symbology === null ? text : text.slice(symbology.length)), shownCharacters),
    ],
    [t('scanner.fact.product'), answerWords(answer)],
    // Only what there is: most scanners name no kind, and add nothing.
    ...(symbology === null
      ? []
      : [
          [
            t('scanner.fact.symbology'),
            [symbology, symbologyName(symbology)].filter((part) => part !== null).join(' · '),
          ] as const,
        ]),
    ...(prefix === '' && suffix === ''
      ? []
      : [
          [
            t('scanner.fact.around'),
            t('scanner.fact.beforeAfter', {
              before: prefix === '' ? t('scanner.nothing') : prefix,
              after: suffix === '' ? t('scanner.nothing') : suffix,
            }),
          ] as const,
        ]),
    [t('scanner.fact.end'), terminators.length === 0 ? t('scanner.nothing') : terminators.join(', ')],
    [
      t('scanner.fact.pace'),
      meanGapMs === null
        ? t('scanner.fact.characters', { number: characters })
        : t('scanner.fact.paceText', { number: characters, mean: meanGapMs, longest: maxGapMs ?? meanGapMs }),
    ],
  ];
}

function Findings({ report }: { readonly report: ScannerReport }): ReactElement {
  const { t } = useWords();
  const gaps = {
    mean: report.meanGapMs ?? 0,
    longest: report.maxGapMs ?? 0,
    key: report.terminators[0] ?? '',
    before: report.prefix,
    after: report.suffix,
  };
  return (
    <ul className="stack-2">
      {report.findings.map((finding) => (
        <li key={finding} className="notice" data-kind={findingKinds[finding] ?? 'warn'}>
          <strong>{t(`scanner.finding.${finding}.says`, gaps)}</strong> {t(`scanner.finding.${finding}.advice`, gaps)}
        </li>
      ))}
    </ul>
  );
}

function Proposal({ proposal }: { readonly proposal: ScannerSettings }): ReactElement | null {
  const { t } = useWords();
  const settingWords = useSettingWords();
  const { value: kept, failure, save } = useSetting('scanner', (state) => state.scanner);
  const changed = settingNames.filter((name) => kept[name] !== proposal[name]);
  if (changed.length === 0) {
    return (
      <p className="notice" data-kind="good" role="status">
        {t('scanner.try.taken')}
      </p>
    );
  }
  return (
    <div className="trial-proposal stack-3">
      <h3>{t('scanner.try.proposal')}</h3>
      <dl className="facts">
        {changed.map((name) => (
          <div key={name} className="trial-change">
            <dt>{t(`scanner.field.${name}`)}</dt>
            <dd>
              {settingWords(name, kept[name])} → <strong>{settingWords(name, proposal[name])}</strong>
            </dd>
          </div>
        ))}
      </dl>
      <div>
        <Button onClick={() => void save(proposal)}>{t('scanner.try.take')}</Button>
      </div>
      <FailureNotice failure={failure()} />
    </div>
  );
}

function Keys({ report }: { readonly report: ScannerReport }): ReactElement {
  const { t } = useWords();
  return (
    <details className="trial-keys">
      <summary>{t('scanner.try.keys')}</summary>
      <div className="trial-keys-box" tabIndex={0} role="region" aria-label={t('scanner.try.keys')}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('scanner.key.name')}</th>
              <th scope="col">{t('scanner.key.codePoint')}</th>
              <th scope="col">{t('scanner.key.gap')}</th>
            </tr>
          </thead>
          <tbody>
            {report.keys.map(({ name, codePoint, gapMs }, place) => (
              <tr key={place}>
                <td className="mono">{name}</td>
                <td className="mono">{codePoint ?? '\u2013'}</td>
                <td>{gapMs === null ? '\u2013' : `${gapMs} ms`}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

/** The whole report as text, to be sent to whoever helps. */
function useReportText(): (report: ScannerReport, answer: LookupAnswer | null) => string {
  const { t } = useWords();
  const factsOf = useFacts();
  const settingWords = useSettingWords();
  const version = useTerminal((state) => state.version);
  const host = useTerminal((state) => state.host);
  const kept = useTerminal((state) => state.scanner);
  return (report, answer) =>
    [
      `Tillside ${version} (${host}) \u2013 ${t('scanner.try.title')}`,
      ...factsOf(report, answer).map(([label, value]) => `${label}: ${value}`),
      ...report.findings.map(
        (finding) =>
          `* ${t(`scanner.finding.${finding}.says`, { mean: report.meanGapMs ?? 0, longest: report.maxGapMs ?? 0, key: report.terminators[0] ?? '', before: report.prefix, after: report.suffix })}`,
      ),
      ...settingNames.map((name) => `${t(`scanner.field.${name}`)}: ${settingWords(name, kept[name])}`),
      `${t('scanner.try.keys')}:`,
      ...report.keys.map(({ name, codePoint, gapMs }) =>
        [name, codePoint ?? '-', gapMs === null ? '-' : `${gapMs} ms`].join('  '),
      ),
    ].join('\n');
}

interface ReportTextProps {
  readonly report: ScannerReport;
  readonly answer: LookupAnswer | null;
}

function ReportText({ report, answer }: ReportTextProps): ReactElement {
  const { t } = useWords();
  const { scans } = useStores();
  const factsOf = useFacts();
  const textOf = useReportText();
  const [copied, setCopied] = useState<boolean | null>(null);
  useEffect(() => setCopied(null), [report]);
  return (
    <>
      <Findings report={report} />
      <dl className="facts trial-facts">
        {factsOf(report, answer).map(([label, value]) => (
          <div key={label} className="trial-fact">
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {answer !== null && answer.kind !== 'unreadable' && <CodeRead read={answer.read} />}
      {report.proposal !== null && <Proposal proposal={report.proposal} />}
      <div className="trial-actions">
        <Button variant="default" onClick={() => setCopied(copyText(textOf(report, answer)))}>
          {t('scanner.try.copy')}
        </Button>
        <Button variant="default" onClick={() => scans.getState().lookUp(report.text)}>
          {t('scanner.try.lookUp')}
        </Button>
        <span className="hint" role="status">
          {copied !== null && t(copied ? 'scanner.try.copied' : 'scanner.try.notCopied')}
        </span>
      </div>
      <Keys report={report} />
    </>
  );
}

/** Takes the scans while it is shown. */
export function ScannerTrial(): ReactElement {
  const { t } = useWords();
  const { scans, scannerTrial } = useStores();
  const isReceiving = useStore(scannerTrial, (store) => store.isReceiving);
  const report = useStore(scannerTrial, (store) => store.report);
  const answer = useStore(scannerTrial, (store) => store.answer);
  // Before the first painting: whoever sees it can scan.
  useLayoutEffect(() => {
    const close = scannerTrial.getState().open();
    // Its keys show what was received.
    const giveBack = scans.getState().divert({ take: () => undefined, withdraw: () => undefined });
    return () => {
      giveBack();
      close();
    };
  }, [scans, scannerTrial]);
  return (
    <SettingsPart title={t('scanner.try.title')}>
      <p className="hint">{t('scanner.try.lead')}</p>
      <div className="stack-4" role="status">
        {(isReceiving || report === null) && (
          <p className="trial-waiting">{t(isReceiving ? 'scanner.try.receiving' : 'scanner.try.waiting')}</p>
        )}
        {report !== null && !isReceiving && <ReportText report={report} answer={answer} />}
      </div>
    </SettingsPart>
  );
}
