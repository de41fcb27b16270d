/** The states that the tray's icon tells apart. */
export const trayStates = ['online', 'offline', 'waiting', 'attention'] as const;
export type TrayState = (typeof trayStates)[number];

/** Up to this size in pixels the small drawing is used, whose edges lie on whole pixels. */
export const smallUpTo = 32;

/** Single pictures for Linux, in the folder and by the names that electron-builder expects. */
export const linuxSizes = [16, 24, 32, 48, 64, 128, 256, 512] as const;
/** For Windows, in one icon.ico. */
export const windowsSizes = [16, 20, 24, 32, 40, 48, 64, 128, 256] as const;
/** For macOS, in one icon.icns: the type of each entry and its size in pixels. */
export const macEntries = {
  ic11: 32,
  ic12: 64,
  ic07: 128,
  ic13: 256,
  ic08: 256,
  ic14: 512,
  ic09: 512,
  ic10: 1024,
} as const;
/** The tray on Windows, in one file a state. */
export const windowsTraySizes = [16, 20, 24, 32] as const;
/** The tray on Linux: its name's ending tells Electron for which density a picture is. */
export const linuxTraySizes = { '.png': 24, '@2x.png': 48 } as const;
/** The tray on macOS, which colours the black shape by itself. */
export const macTraySizes = { 'Template.png': 16, 'Template@2x.png': 32 } as const;
