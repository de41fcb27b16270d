export interface Tokens {
  readonly access: string | null;
  readonly renewAtMs: number | null;
  readonly refresh: string | null;
}

export interface HeldSignIn {
  readonly email: string;
  readonly tokens: Tokens;
}

/** The place of one platform's and client's sign-in. */
export interface SignInSlot {
  read(): HeldSignIn | null;
  write(held: HeldSignIn | null): void;
}

export type SignInMemory = ReturnType<typeof createSignInMemory>;

/** Begins empty. */
export function createSignInMemory() {
  const held = new Map<string, HeldSignIn>();
  return {
    slot: (vaultName: string): SignInSlot => ({
      read: () => held.get(vaultName) ?? null,
      write: (next) => {
        if (next === null) {
          held.delete(vaultName);
        } else {
          held.set(vaultName, next);
        }
      },
    }),
    /** Who is signed in under this name without a keychain; null when nobody is. */
    emailOf: (vaultName: string): string | null => held.get(vaultName)?.email ?? null,
  };
}
