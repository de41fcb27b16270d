import { z } from 'zod';

export type OptionValue = string | number | boolean;

/** A choice among a few values. */
export interface Choice {
  readonly of: readonly OptionValue[];
  readonly default: OptionValue;
  /** The question that it decides, with the section of API v3 that leaves it open. */
  readonly says: string;
}

/** A whole number within bounds, both included. */
export interface Measure {
  readonly from: number;
  readonly to: number;
  readonly default: number;
  readonly says: string;
}

export type OptionTable = Readonly<Record<string, Choice | Measure>>;

const options = z.record(z.string().max(100), z.union([z.string().max(100), z.number(), z.boolean()]));
const id = z.string().regex(/^\d{1,19}$/);

const actionSchema = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal(['expireAccessTokens', 'revokeRefreshTokens', 'reset']) }),
  z.strictObject({ do: z.literal('changeCoupon'), productId: id, isEnabled: z.boolean() }),
  z.strictObject({ do: z.literal('changeBalance'), stockId: id, productId: id, amount: z.number().min(-1e9).max(1e9) }),
  z.strictObject({ do: z.literal('renameProduct'), productId: id, name: z.string().min(1).max(200) }),
  z.strictObject({ do: z.literal('removeProduct'), productId: id, isRemoved: z.boolean() }),
  z.strictObject({ do: z.literal('deleteUser'), userId: id }),
]);
export type PanelAction = z.infer<typeof actionSchema>;

/** A change that the control panel asks of the training platform. */
export const panelChangeSchema = z.strictObject({
  variants: options.optional(),
  conditions: options.optional(),
  actions: z.array(actionSchema).max(100).optional(),
});
export type PanelChange = z.infer<typeof panelChangeSchema>;

/** The training platform's state as the control panel shows it. */
export interface PanelState {
  readonly platformUrl: string;
  readonly applications: readonly { readonly clientId: string; readonly clientSecret: string }[];
  readonly companies: readonly {
    readonly id: string;
    readonly name: string;
    readonly isPermitted: boolean;
    readonly hasCoupons: boolean;
  }[];
  readonly stocks: readonly { readonly id: string; readonly name: string; readonly companyId: string }[];
  readonly users: readonly {
    readonly id: string;
    readonly email: string;
    readonly password: string;
    readonly isActive: boolean;
    readonly canBeDeleted: boolean;
  }[];
  readonly productCount: number;
  readonly firstProductId: string | null;
  readonly variants: Readonly<Record<string, OptionValue>>;
  readonly variantTable: OptionTable;
  readonly conditions: Readonly<Record<string, OptionValue>>;
  readonly conditionTable: OptionTable;
  /** The last requests, the newest last. */
  readonly arrivals: readonly {
    readonly at: number;
    readonly method: string;
    readonly path: string;
    readonly query: string;
    readonly status: number | null;
    readonly isReplayed: boolean;
    readonly idempotencyKey: string | null;
    readonly fault: string | null;
  }[];
  readonly arrivalCount: number;
  /** The last changes of coupons. */
  readonly effects: readonly object[];
}
