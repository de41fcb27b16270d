/** Digits of a cashier's own PIN. */
export const ownPinLength = { atLeast: 4, atMost: 6 } as const;
