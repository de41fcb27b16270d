import type { TerminalState } from '../../contract/terminal-state.ts';
import { goingOf, toDecideOf } from '../../contract/waiting.ts';
import { wordsFor } from '../messages.ts';

/** A person's choice: to leave it open, to end it now, or once all is sent. */
export type EndingChoice = 'stay' | 'end' | 'endWhenSent';

export interface EndingQuestion {
  readonly message: string;
  readonly detail: string;
  /** In the order of the dialog; the first is the default. */
  readonly answers: readonly { readonly choice: EndingChoice; readonly label: string }[];
}

/** Why staying alone sends nothing just now, if that is so. */
function waitsFor({ queue, session, connection: { state } }: TerminalState): 'signIn' | 'noAnswer' | 'offline' | null {
  // Without a network nobody is told to sign in yet; all the same it is needed before anything of theirs is sent.
  const isOwn = queue.pending + queue.inFlight > 0;
  if (isOwn && (state === 'signIn' || session.state === 'ended')) {
    return 'signIn';
  }
  return state === 'offline' || state === 'noAnswer' ? state : null;
}

/**
 * The question that is asked before the app ends; null where nothing would be sent if it went on, or at the check
 * station, which asks no customer. In safe mode nothing is sent by itself.
 */
export function endingQuestionOf(state: TerminalState, hasTray: boolean): EndingQuestion | null {
  const unsent = goingOf(state.queue);
  if (unsent === 0 || state.isSafeMode || state.station.isOn) {
    return null;
  }
  const { language, queue } = state;
  const { ending, tray } = wordsFor(language).electron;
  const toDecide = toDecideOf(queue);
  const counted = (count: number, one: string, several: string): string =>
    count === 1 ? one : several.replace('{count}', new Intl.NumberFormat(language).format(count));
  const reason = waitsFor(state);
  const details = [
    ...(reason === null ? [] : [ending[reason]]),
    ending.kept,
    ...(toDecide === 0 ? [] : [`${counted(toDecide, tray.parkedOne, tray.parkedSeveral)}.`]),
  ];
  const canWait = hasTray && reason !== 'signIn';
  return {
    message: counted(unsent, ending.unsentOne, ending.unsentSeveral),
    detail: details.join('\n'),
    answers: [
      ...(canWait ? [{ choice: 'endWhenSent', label: ending.whenSent } as const] : []),
      { choice: 'stay', label: ending.stay },
      { choice: 'end', label: tray.quit },
    ],
  };
}

/** Whether all that could go out by itself has, and nothing of it has come to need a decision since there were so many. */
export function isAllSent(state: Pick<TerminalState, 'queue'>, toDecideBefore: number): boolean {
  return goingOf(state.queue) === 0 && toDecideOf(state.queue) <= toDecideBefore;
}
