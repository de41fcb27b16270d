import type { Accounts, Application, Company, Stock } from '../service/ports.ts';
import { isSame } from '../service/tokens.ts';
import type { Config } from './config.ts';

/** The accounts of a configuration. Nobody can be restored through a bridge. */
export function createAccounts({ company, stocks, applications, users }: Config): Accounts {
  const known: Company = { ...company, isPermitted: true };
  const clients: readonly Application[] = applications.map(({ clientId, secret }) => ({
    clientId,
    clientSecret: secret,
    isDeactivated: false,
  }));
  const places: readonly Stock[] = stocks.map(({ id, name }) => ({ id, name, companyId: company.id }));
  return {
    applications: () => clients,
    signIn: (email, password) => {
      const named = email.trim().toLowerCase();
      const user = users.find((candidate) => candidate.email.toLowerCase() === named);
      return user !== undefined && isSame(user.password, password) ? user.id : null;
    },
    isActive: (userId) => users.some((user) => user.id === userId),
    companies: () => [known],
    stocks: () => places,
    restore: (userId) => (users.some((user) => user.id === userId) ? 'active' : 'unknown'),
  };
}
