/** Every way in which a call can fail, by name. The renderer's locales translate each. */
export const failureKinds = [
  // The way to the platform.
  'unreachable', // no connection: name not found, refused, reset, network down
  'timedOut', // connected or not, no whole answer in time
  'tlsRejected', // the certificate or the handshake was refused
  'addressInvalid', // not a URL
  'addressNotSecure', // http to something that is not loopback
  'notThePlatform', // an answer that some other machine gave: a captive portal, a proxy's page
  'answerMalformed', // JSON that is cut off or has the wrong types
  'answerTooLarge', // beyond the limit that this app reads
  // The failures that the platform answered (API v3 §7).
  'badRequest',
  'unauthorized',
  'forbidden',
  'notFound',
  'unprocessable',
  'tooManyRequests',
  'platformFailed', // a 5xx
  'refused', // any other answer that is not a success
  // The session.
  'signInNeeded', // nobody is signed in, or the sign-in has ended
  'credentialsRejected', // the platform refused the e-mail, password or client
  'userChanged', // another user is signed in than the one whom the call was for; it was not sent
  'renewalFailed', // no new token came, and nothing says that the sign-in is over
  'vaultLocked', // a secret is expected in the keychain, but it answers nothing
  'vaultMoved', // the keychain has the secret for the place where the data folder was before
  'vaultUnavailable', // no keychain answers
  // This terminal.
  'inputInvalid',
  'cancelled', // the caller no longer wants the answer
  'effectUnknown', // the way to the main process was cut while it was asked to change something
  'storageFull',
  'storageFailed',
  'storageFromFuture', // written by a newer version of this app
  'queueFull',
  'profilesFull', // as many profiles as a terminal can have
  'profileTwice', // it would become another one that is kept, whose name is the message
  'stocktakeFull', // as many counts, or lines of one, as a terminal can keep
  'plansFull', // as many plans as a company can have at a terminal
  'notReady', // no store is open
  'notCopied', // what was asked needs all that the platform lists, and that has not been read whole yet
  'otherStocks', // a set's search was saved in stocks that the open profile does not have
  'setNotWhole', // a set's search finds more than can be switched at once, or was not read whole
  'notInPractice', // it belongs to the machine, and is guarded outside of practice
  'printerUnreachable', // no connection to the label printer; it was sent nothing
  'printerFailed', // the label printer took a part, or perhaps nothing
  'notPrinted', // the system's usual printer took nothing
  'printerBusy', // it is being handed other labels
  'locked', // the manager has locked it, and no PIN has opened it
  'pinWrong',
  'pinWaits', // too many wrong PINs: the next can be tried after `retryAfterMs`
  'badgeUnknown',
  'badgeVoid', // an open keychain has lost the key without which no badge can be told
  'badgeWaits', // too many unknown badges: the next can be tried after `retryAfterMs`
  'notFoundHere', // this terminal holds no such thing
  'alreadyRunning', // another process uses the same data directory
  'unexpected', // a bug; the log names the call
] as const;

/** The name of a way to fail. */
export type FailureKind = (typeof failureKinds)[number];

/**
 * Every error code of the platform (API v3 §7), with the kind whose words tell it as well; null for one that says more
 * than any kind, and so has words of its own.
 */
export const platformCodes = {
  bad_request: 'badRequest',
  not_found: 'notFound',
  method_not_allowed: null,
  unprocessable_entity: 'unprocessable',
  too_many_requests: 'tooManyRequests',
  internal_server_error: 'platformFailed',
  missing_headers: null,
  max_upload_size_exceeded: null,
  unauthorized: 'unauthorized',
  invalid_scope: null,
  forbidden: 'forbidden',
  uneditable_entity: null,
  undeleted_resource_association: null,
  product_combo_empty_components: null,
  product_combo_attributes_not_allowed: null,
  product_combo_component_combo_not_allowed: null,
  product_combo_invalid_price: null,
  product_with_grid_cannot_have_components: null,
  option_cannot_be_associated_with_grid: null,
  grid_with_options_not_exclusive_by_attribute_group: null,
  grid_with_duplicate_set_of_options: null,
} as const satisfies Readonly<Record<string, FailureKind | null>>;

type PlatformCode = keyof typeof platformCodes;
/** A code that has words of its own. */
export type CodeWithWords = {
  [Code in PlatformCode]: (typeof platformCodes)[Code] extends null ? Code : never;
}[PlatformCode];

/** True when the code says more than the failure's kind does. */
export function hasOwnWords(code: string | undefined): code is CodeWithWords {
  return code !== undefined && Object.hasOwn(platformCodes, code) && platformCodes[code as PlatformCode] === null;
}

/** A field that the platform refused, with the validations that failed (API v3 §2 "Error body"). */
export interface FieldProblem {
  readonly field: string;
  readonly validations: readonly { readonly type: string; readonly values: readonly string[] }[];
}

/** A failure: its kind, and whatever the platform or the system said of it. Never holds a secret. */
export interface Failure {
  readonly kind: FailureKind;
  /** HTTP status, where an answer came. */
  readonly status?: number;
  /** The platform's `code`, as it came. */
  readonly code?: string;
  /** The platform's or the system's own words, at most 500 characters. */
  readonly message?: string;
  readonly fields?: readonly FieldProblem[];
  /** How long the platform asked to wait, in milliseconds. */
  readonly retryAfterMs?: number;
}

/** True for failures of the way to the platform, after which the same call may be tried again as it was. */
export function isNetworkFailure(failure: Failure): boolean {
  return (
    failure.kind === 'unreachable' ||
    failure.kind === 'timedOut' ||
    failure.kind === 'tlsRejected' ||
    failure.kind === 'notThePlatform'
  );
}

/**
 * True for what the platform refuses of a call as it was made (API v3 §7); a sign-in, a limit or a failing platform
 * says nothing of the call.
 */
export function isRefusal({ kind }: Failure): boolean {
  return (
    kind === 'badRequest' ||
    kind === 'forbidden' ||
    kind === 'notFound' ||
    kind === 'unprocessable' ||
    kind === 'refused'
  );
}
