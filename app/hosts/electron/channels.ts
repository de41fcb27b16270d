// Owns the two names under which messages travel between Electron's processes, for the preload script and the main
// process alike. Never grows a third: what may be said is the contract's affair.

/** A call: channel of the contract and input; answers a Result. */
export const invokeChannel = 'tillside:invoke';
/** An event: its name and payload. */
export const eventChannel = 'tillside:event';
