import type { Id } from '../domain/int64.ts';
import type { Accounts, Company } from '../service/ports.ts';
import { isSame } from '../service/tokens.ts';
import type { TrainingRepository } from './data/repository.ts';
import { applications, companies, places, stocks, users } from './data/world.ts';
import type { Variants } from './options/variants.ts';

/** The made-up shop's accounts. */
export class TrainingAccounts implements Accounts {
  readonly #repository: TrainingRepository;
  readonly #variants: () => Variants;

  constructor(repository: TrainingRepository, variants: () => Variants) {
    this.#repository = repository;
    this.#variants = variants;
  }

  applications() {
    return applications;
  }

  signIn(email: string, password: string): string | null {
    const named = email.trim().toLowerCase();
    const user = users.find((candidate) => candidate.email === named && this.isActive(candidate.id));
    return user !== undefined && isSame(user.password, password) ? user.id : null;
  }

  isActive(userId: string): boolean {
    const user = users.find((candidate) => candidate.id === userId);
    return user !== undefined && (!user.isDeleted || this.#repository.isRestored(user.id));
  }

  companies(): readonly [Company, ...Company[]] {
    const hasCoupons = (id: Id): boolean =>
      id === places.companyId ? this.#variants().hasCoupons : this.#variants().secondHasCoupons;
    const [first, ...others] = companies;
    const complete = (company: typeof first): Company => ({ ...company, hasCoupons: hasCoupons(company.id) });
    return [complete(first), ...others.map(complete)];
  }

  stocks() {
    return stocks;
  }

  restore(userId: string) {
    const user = users.find((candidate) => candidate.id === userId);
    if (user === undefined) {
      return 'unknown';
    }
    if (this.isActive(userId)) {
      return 'active';
    }
    if (users.some((other) => other.id !== user.id && other.email === user.email && !other.isDeleted)) {
      return 'emailTaken';
    }
    return () => {
      this.#repository.restore(user.id);
    };
  }

  /** Deletes a restored user again. Throws RangeError for any other. */
  delete(userId: string): void {
    if (!users.some((user) => user.id === userId && user.isDeleted)) {
      throw new RangeError(`user ${userId} cannot be deleted`);
    }
    this.#repository.forgetRestored(userId);
  }
}
