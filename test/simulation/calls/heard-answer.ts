import type { Channel } from '../../../app/contract/contract.ts';
import type { TerminalState } from '../../../app/contract/terminal-state.ts';
import type { Failure } from '../../../app/domain/failure.ts';
import type { Result } from '../../../app/domain/result.ts';

/** One call that was answered. */
export interface HeardAnswer {
  readonly channel: Channel;
  readonly input: unknown;
  /** In the moment of the call. */
  readonly state: TerminalState;
  readonly answer: Result<unknown, Failure>;
  /** Whether a write may have found no room since the call was made. */
  readonly isDiskTroubled: boolean;
}
