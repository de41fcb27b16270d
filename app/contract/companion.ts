import { z } from 'zod';
import { isShortcut, defaultShortcut } from '../domain/shortcut.ts';

const maxHideAfterSeconds = 600;

export const companionChoiceSchema = z.strictObject({
  /** As Electron writes accelerators; null when no keys shall call the bar. */
  shortcut: z.string().max(60).refine(isShortcut).nullable(),
  /** The bar hides by itself when nobody has used it for so long; 0: never. */
  hideAfterSeconds: z.number().int().min(0).max(maxHideAfterSeconds),
  /** Whether closing the window leaves Tillside running in the tray. */
  keepInTray: z.boolean(),
});
export type CompanionChoice = z.infer<typeof companionChoiceSchema>;

export const companionStateSchema = companionChoiceSchema.extend({
  /** False when another program, or the desktop, keeps the shortcut for itself. True without a shortcut. */
  isShortcutHeld: z.boolean(),
});

export const companionHeightSchema = z.strictObject({ height: z.number().int().min(1).max(4000) });

/** A bar that is forgotten over the till's own program would take its scans. */
export const defaultCompanion: CompanionChoice = { shortcut: defaultShortcut, hideAfterSeconds: 20, keepInTray: false };
