import { z } from 'zod';

/** Null in the terminal's state while a real shop is open. */
export const practiceStateSchema = z.strictObject({
  /** A practised outage: no request reaches the practice platform. */
  isNetworkDown: z.boolean(),
  /** False where the way to its control panel would lead out of a window that fills the screen. */
  hasPanel: z.boolean(),
});
export type PracticeState = z.infer<typeof practiceStateSchema>;

/** Where the control panel is, for a page that can open it by itself; null when the host has opened it. */
export const practicePanelSchema = z.strictObject({ url: z.string().max(500).nullable() });
