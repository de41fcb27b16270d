import type { ErrorCode } from '../../service/answers.ts';

export interface Fault {
  /**
   * `dropBeforeEffect`, `dropAfterEffect`: the connection breaks before or after the request has taken effect.
   * `hangBeforeEffect`, `hangAfterEffect`: no answer ever comes.
   * `answer`: the platform answers `status`, kept under the idempotency key as its variant says.
   * `captivePortal`: a page with status 200, from a machine in between. `proxyPage`: a page with status 502, likewise.
   * `truncate`: the answer breaks off in its middle, but looks whole to HTTP.
   */
  readonly kind:
    | 'dropBeforeEffect'
    | 'dropAfterEffect'
    | 'hangBeforeEffect'
    | 'hangAfterEffect'
    | 'answer'
    | 'captivePortal'
    | 'proxyPage'
    | 'truncate';
  /** For `answer`; 500 when absent. */
  readonly status?: 400 | 401 | 403 | 404 | 405 | 409 | 413 | 422 | 429 | 500 | 502 | 503 | 504;
  /** For `answer`: a code of API v3 §7; the one that fits the status when absent. */
  readonly code?: ErrorCode;
  /** For `answer`: a field that `meta` names. */
  readonly field?: string;
  /** For `answer`: whether the request takes effect all the same. */
  readonly isEffectApplied?: boolean;
  /** For `answer` 429, in seconds; 5 when absent. */
  readonly retryAfterSeconds?: number;
  /** Only requests of this method. */
  readonly method?: 'GET' | 'POST' | 'PUT';
  /** Only requests whose path contains this. */
  readonly path?: string;
  /** So many matching requests; without end when absent. */
  readonly times?: number;
}

export interface FaultPlan {
  /** Every request takes so long to arrive, in milliseconds. */
  readonly latencyMs?: number;
  /** Every answer takes so long to come back, in milliseconds. */
  readonly answerLatencyMs?: number;
  /** The first one that fits a request is used. */
  readonly faults?: readonly Fault[];
}

export class Faults {
  #plan: FaultPlan = {};
  #left: number[] = [];

  /** Replaces the whole plan; `{}` means that all is well. */
  set(plan: FaultPlan): void {
    this.#plan = plan;
    this.#left = (plan.faults ?? []).map((fault) => fault.times ?? Number.POSITIVE_INFINITY);
  }

  get latencyMs(): number {
    return this.#plan.latencyMs ?? 0;
  }

  get answerLatencyMs(): number {
    return this.#plan.answerLatencyMs ?? 0;
  }

  /** The fault that this request meets, counted as used; null when it meets none. */
  take(method: string, path: string): Fault | null {
    const place = (this.#plan.faults ?? []).findIndex(
      (fault, index) =>
        (this.#left[index] ?? 0) > 0 &&
        (fault.method === undefined || fault.method === method) &&
        path.includes(fault.path ?? ''),
    );
    if (place < 0) {
      return null;
    }
    this.#left[place] = (this.#left[place] ?? 0) - 1;
    return this.#plan.faults?.[place] ?? null;
  }
}

/** True for a fault in which the request never comes as far as the platform. */
export function isBeforePlatform(fault: Fault | null): boolean {
  return fault !== null && ['captivePortal', 'proxyPage', 'dropBeforeEffect', 'hangBeforeEffect'].includes(fault.kind);
}
