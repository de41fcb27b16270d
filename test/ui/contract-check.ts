import type { Page } from 'playwright-core';
import { z } from 'zod';
import { failureSchema } from '../../app/contract/basics.ts';
import { events, invokes, type Channel, type EventName } from '../../app/contract/contract.ts';
import type { HostBridge } from '../../app/contract/bridge.ts';

interface Message {
  readonly name: string;
  readonly payload: unknown;
  readonly isEvent: boolean;
}

function schemaOf({ name, payload, isEvent }: Message): z.ZodType {
  if (isEvent) {
    return events[name as EventName];
  }
  const { ok } = payload as { readonly ok: boolean };
  return ok
    ? z.strictObject({ ok: z.literal(true), value: invokes[name as Channel].output })
    : z.strictObject({ ok: z.literal(false), failure: failureSchema });
}

/**
 * Runs in the page: tells the test of each message, and hands the page a copy of it, as a bridge between two processes
 * does.
 */
export function wrapBridge(): void {
  const { tillside, notifyTest } = window as unknown as {
    readonly tillside: HostBridge;
    readonly notifyTest: (message: string) => void;
  };
  const pass = (message: Message): unknown => {
    notifyTest(JSON.stringify(message));
    return structuredClone(message.payload);
  };
  const wrapped: HostBridge = {
    invoke: async (name, input) => pass({ name, payload: await tillside.invoke(name, input), isEvent: false }),
    subscribe: (listener) =>
      tillside.subscribe((name, payload) => listener(name, pass({ name, payload, isEvent: true }))),
  };
  Object.assign(window, { tillside: wrapped });
}

/**
 * Adds to `refusals` what of the messages to this page the contract refuses, wherever it goes, once its bridge is
 * wrapped. A function that Playwright exposes would answer each message, and cost a quarter of what opening a page does.
 */
export async function checkMessages(page: Page, refusals: Set<string>): Promise<void> {
  const session = await page.context().newCDPSession(page);
  session.on('Runtime.bindingCalled', ({ payload }) => {
    const message = JSON.parse(payload) as Message;
    const { error } = schemaOf(message).safeParse(message.payload);
    if (error !== undefined) {
      refusals.add(`${message.name} breaks the contract: ${z.prettifyError(error)}`);
    }
  });
  await session.send('Runtime.enable');
  await session.send('Runtime.addBinding', { name: 'notifyTest' });
}
