// Which users of the training platform are there, and the restoration of a deleted one (API v3 §4.8).
import { answerNothing, problem, refuse, refuseFields, refuseNotFound, type PlatformAnswer } from './answers.ts';
import type { Variants } from '../options/variants.ts';
import type { TrainingStore } from '../data/store.ts';
import { users, type TrainingUser } from '../data/world.ts';

export class Users {
  readonly #store: TrainingStore;

  constructor(store: TrainingStore) {
    this.#store = store;
  }

  /** True for a user who may sign in. */
  isActive(userId: string): boolean {
    const user = users.find((candidate) => candidate.id === userId);
    return user !== undefined && (!user.isDeleted || this.#store.isRestored(user.id));
  }

  /** Whatever the case of the e-mail; null when nobody active has it. */
  activeByEmail(email: string): TrainingUser | null {
    return users.find((user) => user.email === email.trim().toLowerCase() && this.isActive(user.id)) ?? null;
  }

  /** API v3 §4.8. */
  restore(userId: string, variants: Variants): PlatformAnswer {
    const user = users.find((candidate) => candidate.id === userId);
    if (user === undefined) {
      return refuseNotFound();
    }
    if (this.isActive(userId)) {
      return variants.restoreOfActive === 'accepted' ? answerNothing() : refuseFields([problem('userId', 'deleted')]);
    }
    if (users.some((other) => other.id !== user.id && other.email === user.email && !other.isDeleted)) {
      return refuse(400, 'bad_request', 'Já existe outro usuário com o mesmo e-mail.');
    }
    this.#store.restore(user.id);
    return answerNothing();
  }

  /** Deletes a restored user again. Throws RangeError for any other. */
  delete(userId: string): void {
    if (!users.some((user) => user.id === userId && user.isDeleted)) {
      throw new RangeError(`user ${userId} cannot be deleted`);
    }
    this.#store.forgetRestored(userId);
  }
}
