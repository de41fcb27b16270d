import type { Clock } from '../../ports.ts';
import { onlyStorageError } from '../../storage/database.ts';
import { maxRecent } from '../repository/recent-lookups-table.ts';
import type { CatalogueRepository } from '../repository/repository.ts';
import type { CatalogueAnswer } from './answers.ts';

/** Whoever moves the write-ahead log into the file is done by then. */
const retryMs = 1_000;

const productOf = (answer: CatalogueAnswer) => (answer.kind === 'found' ? (answer.cards[0] ?? null) : null);

/** The recent lookups: in memory at once, in the file afterwards (K6). */
export function createRecentLookups(repository: CatalogueRepository, clock: Clock) {
  const { recent } = repository;
  let isWriting = false;
  /**
   * What a person chose the product and stock of, until it is looked up after something else: another page may still
   * ask about it, and the same code scanned once more, which asks anew, is the same line.
   */
  const chosen = new Set<string>();
  const isChosen = ({ text }: CatalogueAnswer): boolean => chosen.has(text);
  /** The newest line's code, once it was scanned again: another product that is chosen for it then is a line of its own. */
  let scannedAgain: string | null = null;

  /** False when it could not. */
  function writeNow(): boolean {
    try {
      if (repository.isOpen()) {
        recent.write('now');
      }
      return true;
    } catch (error) {
      // A full disk is nothing that a person need know of; damage is met by the next lookup as well.
      onlyStorageError(error);
      return false;
    }
  }

  /** K6: in a later turn, once more when another thread holds the file; then with the next lookup or the close. */
  function write(): void {
    if (!isWriting) {
      isWriting = true;
      clock.after(0, () => {
        if (writeNow()) {
          isWriting = false;
          return;
        }
        clock.after(retryMs, () => {
          writeNow();
          isWriting = false;
        });
      });
    }
  }

  function remember(answer: CatalogueAnswer, isScan = false): CatalogueAnswer {
    const [newest] = answer.kind === 'several' && isChosen(answer) ? recent.list() : [];
    const isStillOne = answer.kind === 'several' && answer.hits.some((hit) => hit.productId === newest?.hit?.productId);
    if (isStillOne && newest?.text === answer.text) {
      scannedAgain = isScan ? answer.text : null;
      return answer;
    }
    chosen.delete(answer.text);
    add(answer);
    return answer;
  }

  function add(answer: CatalogueAnswer): void {
    const product = productOf(answer);
    const isBeside = scannedAgain === answer.text && recent.list()[0]?.hit?.productId !== product?.productId;
    scannedAgain = null;
    recent.remember({ at: clock.now(), text: answer.text, answer: answer.kind, product }, isBeside);
    write();
  }

  /** Takes the place of a miss with what the copy has by now, or of a product with what has the code by now (K8). */
  function correct(answer: CatalogueAnswer): void {
    const isAnswered = answer.kind !== 'notCopied' && answer.kind !== 'unreadable' && !isChosen(answer);
    const isOfCode = (answer.kind === 'found' || answer.kind === 'several') && answer.read?.as !== 'search';
    const replaced = isOfCode ? (['notCopied', 'unknown', 'found', 'several'] as const) : (['notCopied'] as const);
    const entry = { text: answer.text, answer: answer.kind, product: productOf(answer) };
    if (isAnswered && recent.correct(entry, replaced)) {
      write();
    }
  }

  return {
    remember,
    /** A person chose this product. */
    choose(answer: CatalogueAnswer): void {
      remember(answer);
      chosen.add(answer.text);
      const [oldest = ''] = chosen;
      if (chosen.size > maxRecent) {
        chosen.delete(oldest);
      }
    },
    /** What the platform was asked for before. */
    rememberAsked: (answer: CatalogueAnswer): CatalogueAnswer => (isChosen(answer) ? answer : remember(answer)),
    correct,
    withdraw(text: string): void {
      recent.withdraw(text);
      write();
    },
    /** Newest first. What was not copied then is as `find` has it, once the copy is whole. */
    list: (isWhole: () => boolean, find: (text: string) => CatalogueAnswer) => {
      const listed = recent.list();
      const missed = listed.filter(
        ({ text, answer }, place) =>
          answer === 'notCopied' && listed.findIndex((other) => other.text === text) === place,
      );
      if (missed.length === 0 || !isWhole()) {
        return listed;
      }
      missed.forEach(({ text }) => correct(find(text)));
      return recent.list();
    },
  };
}
