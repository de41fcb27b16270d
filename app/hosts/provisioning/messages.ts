import { onOneLine } from '../../domain/one-line.ts';
import type { Flags } from '../flags.ts';
import { wordsFor } from '../messages.ts';
import type { ProvisionFile } from './file.ts';

/** The sentence as a pattern of what provisioning/file.ts says. */
function patternOf(sentence: string): RegExp {
  const parts = sentence.split('*').map((part) => part.replaceAll(/[\\^$.+?()[\]{}|/]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join('(.+)')}$`);
}

function translate(message: string, problems: Readonly<Record<string, string>>): string {
  for (const [english, words] of Object.entries(problems)) {
    const [, ...values] = patternOf(english).exec(message) ?? [];
    if (values.length > 0 || message === english) {
      return values.reduce((text, value) => text.replace('*', () => value), words);
    }
  }
  return message;
}

/** The problems of a provisioning file, one line a field, in the language of this tag. */
export function describeProblems(messages: readonly string[], tag: string): readonly string[] {
  const { problems, file } = wordsFor(tag).provisioning;
  return messages.map((message) => {
    const colon = message.indexOf(': ');
    const field = message.slice(0, colon);
    return `${field === 'the file' ? file : field}: ${translate(message.slice(colon + 2), problems)}`;
  });
}

/** Why the provisioning file at this path cannot be used, one line a field, in the language of this tag. */
export function describeProvisionFailure(path: string, messages: readonly string[], tag: string): string {
  const { refused } = wordsFor(tag).provisioning;
  const lines = describeProblems(messages, tag).map((line) => `  ${line}`);
  return [refused.replace('{path}', () => onOneLine(path)), ...lines].join('\n');
}

/** Why what an address offers cannot be used, and what is wrong with its fields, in the language of this tag. */
export function describeRefusal(
  address: string,
  reason: keyof ReturnType<typeof wordsFor>['provisioning']['address'],
  messages: readonly string[],
  tag: string,
): string {
  const words = wordsFor(tag).provisioning;
  const lines = [words.address[reason], ...describeProblems(messages, tag)].map((line) => `  ${line}`);
  return [words.refused.replace('{path}', () => onOneLine(address)), ...lines].join('\n');
}

/** One sentence for each switch and field that does nothing where Tillside runs now; none for an installed app. */
export function describeIgnored(
  flags: Pick<Flags, 'kiosk' | 'companion'>,
  file: Pick<ProvisionFile, 'device'> | null,
  runsIn: 'browser' | 'checkout' | 'installed',
  tag: string,
): readonly string[] {
  if (runsIn === 'installed') {
    return [];
  }
  const { startsAtSignIn, updates, isKiosk } = file?.device ?? {};
  const ofInstalled = [
    startsAtSignIn === undefined ? null : 'startsAtSignIn',
    updates === undefined ? null : 'updates',
  ];
  const ofWindow = [
    isKiosk === undefined ? null : 'kiosk',
    flags.kiosk ? '--kiosk' : null,
    flags.companion ? '--companion' : null,
  ];
  const names = [...ofInstalled, ...(runsIn === 'browser' ? ofWindow : [])].filter((name) => name !== null);
  const words = wordsFor(tag).provisioning;
  return names.map((name) =>
    (runsIn === 'browser' ? words.inBrowser : words.notInstalled).replace('{name}', () => name),
  );
}
