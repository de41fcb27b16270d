import type { Language } from '../contract/basics.ts';
import type { Failure } from '../domain/failure.ts';
import { languageOf } from '../domain/language.ts';
import { StorageError } from '../storage/database.ts';
import english from './words.en.json' with { type: 'json' };
import spanish from './words.es.json' with { type: 'json' };
import portuguese from './words.pt-BR.json' with { type: 'json' };
import { StartError } from './node/start-error.ts';

/** The value that `{…}` stands for is put in where a sentence is used; in `problems`, a star stands for what varies. */
const words: Readonly<Record<Language, typeof english>> = { en: english, 'pt-BR': portuguese, es: spanish };

/** The host's sentences in the language of this tag. */
export function wordsFor(tag: string): typeof english {
  return words[languageOf(tag)];
}

/** The error with its stack, for whoever repairs it. */
export function describeError(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Why the terminal cannot start here, as a sentence, with the system's own words after it where they help. */
export function describeStartFailure(failure: Failure, tag: string, directory: string): string {
  const sentences = wordsFor(tag).start;
  const detail = failure.message === undefined ? '' : `\n${failure.message}`;
  switch (failure.kind) {
    case 'alreadyRunning':
    case 'storageFromFuture':
      return sentences[failure.kind];
    case 'storageFull':
      return sentences.storageFull + detail;
    default:
      return sentences.storageFailed.replace('{directory}', () => directory) + detail;
  }
}

/** Why the app cannot start; an error that is not foreseen as `describeError` has it. */
export function describeStartError(error: unknown, tag: string, directory: string): string {
  if (error instanceof StartError) {
    return wordsFor(tag).start[error.reason].replace('{directory}', () => directory);
  }
  if (error instanceof StorageError) {
    return describeStartFailure(error.failure, tag, directory);
  }
  return describeError(error);
}
