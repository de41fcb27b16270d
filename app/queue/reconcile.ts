/**
 * `holds`: nothing to send; `send`: the platform still has what the person saw; `conflict`: someone else changed it
 * since.
 */
export type Reconciliation = 'holds' | 'send' | 'conflict';

/**
 * Compares one update with the platform's present setting. `now` is undefined when the listing has no setting of the
 * product: whether that means "off" or "never set" is not documented (API v3 §4.6), so it is never taken as proof that
 * "off" holds.
 */
export function reconcile(
  update: { readonly wanted: boolean; readonly seen: boolean | null },
  now: boolean | undefined,
): Reconciliation {
  if (now === update.wanted) {
    return 'holds';
  }
  const isChanged = update.seen !== null && (now ?? false) !== update.seen;
  // mutant: a conflict is never detected
  return isChanged && (now ?? false) !== update.wanted ? 'conflict' : 'send';
}
