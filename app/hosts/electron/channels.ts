/** A call: channel of the contract, and input as JSON; answers a Result. */
export const invokeChannel = 'tillside:invoke';
/** An event: its name and payload. */
export const eventChannel = 'tillside:event';
