// Composes the whole terminal from its ports. (Under construction.)
import type { EventListener, Handlers } from './contract/wall.ts';
import type { Profile, Language } from './contract/contract.ts';
import type { Ports } from './ports.ts';

/** Unattended set-up: what a person would type on the connection form. */
export interface Provision {
  readonly profile: Profile;
  readonly clientSecret: string;
  readonly language?: Language;
}

/** A running terminal, behind which all business lies. */
export interface Terminal {
  readonly handlers: Handlers;
  /** Calls back with every event until the answered function is called. */
  subscribe(listener: EventListener): () => void;
  /** Ends all work and closes the databases. */
  close(): Promise<void>;
}

/** Opens the terminal in the data directory of its shell. Throws StorageError when a database cannot be opened at all. */
export function openTerminal(_ports: Ports, _options: { readonly provision?: Provision } = {}): Promise<Terminal> {
  throw new Error('under construction');
}
