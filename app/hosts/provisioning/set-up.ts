import { mapFailure } from '../../domain/result.ts';
import type { Flags } from '../flags.ts';
import type { SetUpOptions } from '../set-up.ts';
import { parseProvision, type ProvisionFile } from './file.ts';
import { describeProblems } from './messages.ts';
import { openPublished } from './published.ts';

/** Sets a terminal up from a file: the one that was named, the shop's at its address, or one that a person opens. */
export function setUpBy(
  file: ProvisionFile | null,
  { isProvisionLasting }: Pick<Flags, 'isProvisionLasting'>,
  choicesOf: SetUpOptions['choicesOf'],
): SetUpOptions {
  return {
    file,
    isFileLasting: isProvisionLasting,
    choicesOf,
    openPublished,
    readFile: (text, tag) => mapFailure(parseProvision(text), (messages) => describeProblems(messages, tag)),
  };
}
