import type { z } from 'zod';
import { failureSchema } from '../contract/basics.ts';
import { events, invokes, type Channel, type EventName } from '../contract/contract.ts';
import type { Handlers } from '../contract/bridge.ts';
import type { Failure } from '../domain/failure.ts';
import { fail, succeed, type Result } from '../domain/result.ts';
import type { Shell } from '../ports.ts';

function isChannel(channel: unknown): channel is Channel {
  return typeof channel === 'string' && Object.hasOwn(invokes, channel);
}

const maxPlaces = 10;
const maxWords = 500;

/** The input as the contract knows it. Fails with the names of fields that are wrong, cut short. */
function parseInput(schema: z.ZodType, input: unknown): Result<unknown, readonly string[]> {
  try {
    const parsed = schema.safeParse(input);
    return parsed.success
      ? succeed(parsed.data)
      : fail(
          parsed.error.issues.slice(0, maxPlaces).map(
            ({ path }) =>
              path
                .map(String)
                .join('.')
                .slice(0, maxWords / maxPlaces) || 'input',
          ),
        );
  } catch {
    // No message can carry what throws when it is looked at; but whatever a host lets in, a call is answered.
    return fail(['input']);
  }
}

/** The failure that the renderer sees of a bug: that it happened. The log has the rest. */
const unexpected: Failure = { kind: 'unexpected' };

/** Of something thrown, its kind and where; not its message, which may quote what was typed. */
function describeThrown(error: unknown): { readonly error: string; readonly at: readonly string[] } {
  if (!(error instanceof Error)) {
    return { error: typeof error, at: [] };
  }
  const places = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return { error: error.constructor.name, at: places.slice(0, maxPlaces).map((line) => line.trim()) };
}

/**
 * Runs one call of the renderer. Fails with whatever the handler fails with; with `inputInvalid` when the channel is
 * unknown or the input is not the contract's; with `unexpected` when the handler threw, which is a bug and logged.
 */
export async function dispatch(
  handlers: Handlers,
  channel: unknown,
  input: unknown,
  log: Shell['log'],
  shownFor?: string,
): Promise<Result<unknown, Failure>> {
  if (!isChannel(channel)) {
    log('warning', 'call of an unknown channel refused');
    return fail({ kind: 'inputInvalid', message: 'no such channel' });
  }
  const { input: inputSchema, output: outputSchema } = invokes[channel];
  const parsedInput = parseInput(inputSchema, input);
  if (!parsedInput.ok) {
    log('warning', 'call with wrong input refused', { channel, where: parsedInput.failure });
    return fail({ kind: 'inputInvalid', message: parsedInput.failure.join(', ').slice(0, maxWords) });
  }
  try {
    const handler = handlers[channel] as (input: unknown, shownFor?: string) => Promise<Result<unknown, Failure>>;
    const result = await handler(parsedInput.value, shownFor);
    if (!result.ok) {
      const failure = failureSchema.safeParse(result.failure);
      // The kind is what matters; words that are too long for the contract are left out.
      return fail(failure.success ? failure.data : { kind: result.failure.kind });
    }
    const parsedOutput = outputSchema.safeParse(result.value);
    if (!parsedOutput.success) {
      log('error', 'handler answered what the contract does not know', {
        channel,
        issues: parsedOutput.error.issues.slice(0, 5).map(({ path, code }) => ({ path, code })),
      });
      return fail(unexpected);
    }
    return succeed(parsedOutput.data);
  } catch (error) {
    log('error', 'handler threw', { channel, ...describeThrown(error) });
    return fail(unexpected);
  }
}

/** The payload as the contract knows it; undefined, and logged, when it is something else. */
export function checkEvent(name: EventName, payload: unknown, log: Shell['log']): unknown {
  const parsed = events[name].safeParse(payload);
  if (!parsed.success) {
    log('error', 'event that the contract does not know', {
      name,
      issues: parsed.error.issues.slice(0, 5).map(({ path, code }) => ({ path, code })),
    });
    return undefined;
  }
  return parsed.data;
}
