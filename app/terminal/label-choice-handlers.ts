import type { CatalogueAnswer, LabelAnswer } from '../catalogue/lookup/answers.ts';
import type { Handlers } from '../contract/bridge.ts';
import { fail, succeed } from '../domain/result.ts';
import type { Clock } from '../ports.ts';
import { onlyStorageError } from '../storage/database.ts';
import type { OpenStore } from './workspace/open-store.ts';
import { withCards } from './workspace/cards.ts';
import type { Workspace } from './workspace/workspace.ts';

export interface LabelChoiceParts {
  readonly openStore: Pick<OpenStore, 'withWorkspace' | 'cards'>;
  readonly clock: Clock;
  /** Whether somebody is signed in and at the screen: whoever only looks something up teaches the terminal nothing. */
  readonly mayKeep: () => boolean;
}

/** The answer, which says that the choice is kept if it is. */
function keep(open: Workspace, { answer, choice, items }: LabelAnswer, at: number): CatalogueAnswer {
  const { email } = open.session.state();
  if (email === null) {
    return answer;
  }
  try {
    open.labelChoices.keep({ ...choice, at, email }, items);
  } catch (error) {
    // The product is shown all the same; such a label is asked about again.
    onlyStorageError(error);
    return answer;
  }
  return answer.read === undefined ? answer : { ...answer, read: { ...answer.read, chosenAt: at } };
}

/** One handler for each call about what was chosen for the labels of scales. */
export function createLabelChoiceHandlers({
  openStore: { withWorkspace, cards },
  clock,
  mayKeep,
}: LabelChoiceParts): Pick<Handlers, 'lookup:choose' | 'labelChoice:list' | 'labelChoice:forget'> {
  return {
    'lookup:choose': ({ text, productId }) =>
      withWorkspace((open) => {
        const chosen = open.catalogue.choose(text, productId);
        if (chosen === null) {
          return fail({ kind: 'notFoundHere' });
        }
        const answer = mayKeep() ? keep(open, chosen, clock.now()) : chosen.answer;
        return succeed(withCards(answer, (product) => cards.show(open, product)));
      }),
    'labelChoice:list': () =>
      withWorkspace((open) =>
        succeed(
          open.labelChoices.list().map(({ layout, item, productId, at, email }) => {
            const { name, code } = open.catalogue.nameOf(productId) ?? { name: null, code: null };
            return { layout, item, productId, name, code, at, email };
          }),
        ),
      ),
    'labelChoice:forget': (item) =>
      withWorkspace((open) => {
        open.labelChoices.forget(item);
        return succeed({});
      }),
  };
}
