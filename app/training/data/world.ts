import type { Id } from '../../domain/int64.ts';
import type { Application, Company, Stock } from '../../service/ports.ts';

export interface TrainingUser {
  readonly id: Id;
  readonly email: string;
  readonly password: string;
  /** A deleted user cannot sign in until restored (API v3 §4.8). */
  readonly isDeleted: boolean;
}

/** A stock of the practice store. */
export interface TrainingStock extends Stock {
  /** Every n-th product lies in this stock. */
  readonly holdsEvery: number;
}

const mainCompanyId = '4101' as Id;
const secondCompanyId = '4102' as Id;
const forbiddenCompanyId = '4103' as Id;

export const applications: readonly [Application, Application, ...Application[]] = [
  { clientId: 'practice-terminal', clientSecret: 'practice-secret-for-nobody', isDeactivated: false },
  { clientId: 'practice-second-terminal', clientSecret: 'second-practice-secret-for-nobody', isDeactivated: false },
  { clientId: 'practice-old-terminal', clientSecret: 'old-practice-secret-for-nobody', isDeactivated: true },
];

export const users: readonly [TrainingUser, TrainingUser, ...TrainingUser[]] = [
  { id: '701' as Id, email: 'caixa@example.com', password: 'praticar-aqui-1', isDeleted: false },
  { id: '702' as Id, email: 'gerente@example.com', password: 'praticar-aqui-2', isDeleted: false },
  { id: '703' as Id, email: 'estoquista@example.com', password: 'praticar-aqui-3', isDeleted: true },
  // Another user was created with this one's e-mail, so it cannot come back (API v3 §4.8).
  { id: '704' as Id, email: 'caixa@example.com', password: 'praticar-aqui-4', isDeleted: true },
];

type TrainingCompany = Omit<Company, 'hasCoupons'>;

export const companies: readonly [TrainingCompany, ...TrainingCompany[]] = [
  { id: mainCompanyId, name: 'Mercearia e Bar Ipê Torto (treinamento)', isPermitted: true },
  { id: secondCompanyId, name: 'Quiosque da Lagoa Funda (treinamento)', isPermitted: true },
  { id: forbiddenCompanyId, name: 'Depósito Sete Juás (treinamento)', isPermitted: false },
];

export const stocks: readonly TrainingStock[] = [
  { id: '1201' as Id, name: 'Loja', companyId: mainCompanyId, holdsEvery: 1 },
  { id: '1202' as Id, name: 'Depósito', companyId: mainCompanyId, holdsEvery: 4 },
  { id: '9007199254740993' as Id, name: 'Quiosque', companyId: secondCompanyId, holdsEvery: 10 },
];

/** The ids by the part that they play in tests and examples. */
export const places = {
  companyId: mainCompanyId,
  secondCompanyId,
  forbiddenCompanyId,
  stockIds: ['1201' as Id, '1202' as Id],
  kioskStockId: '9007199254740993' as Id,
} as const;

/** Every n-th product lies in the stock. */
export const holdsEvery = ({ id }: Stock): number => stocks.find((stock) => stock.id === id)?.holdsEvery ?? 1;
