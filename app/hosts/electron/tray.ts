import { Menu, Tray, nativeImage, type MenuItemConstructorOptions, type NativeImage } from 'electron';
import { join } from 'node:path';
import type { Shell } from '../../ports.ts';
import type { TrayCommand, TrayIcon, TrayLine, TrayView } from './tray-view.ts';

export interface TrayOptions {
  readonly iconsDirectory: string;
  readonly log: Shell['log'];
  readonly onCommand: (command: TrayCommand) => void;
}

export interface TrayPlace {
  show(view: TrayView): void;
  destroy(): void;
}

const endings: Readonly<Record<string, string>> = { win32: '.ico', darwin: 'Template.png' };

function templateOf(
  lines: readonly TrayLine[],
  onCommand: (command: TrayCommand) => void,
): MenuItemConstructorOptions[] {
  return lines.map((line) => {
    if (line.kind === 'line') {
      return { type: 'separator' };
    }
    return line.kind === 'text'
      ? { label: line.label, enabled: false }
      : { label: line.label, click: () => onCommand(line.command) };
  });
}

/** Puts the icon into the tray; null where there is none to be had. */
export function openTray({ iconsDirectory, log, onCommand }: TrayOptions): TrayPlace | null {
  const pictures = new Map<TrayIcon, NativeImage>();
  const pictureOf = (icon: TrayIcon): NativeImage => {
    const picture =
      pictures.get(icon) ??
      nativeImage.createFromPath(join(iconsDirectory, `${icon}${endings[process.platform] ?? '.png'}`));
    pictures.set(icon, picture);
    return picture;
  };
  try {
    const tray = new Tray(pictureOf('online'));
    tray.on('click', () => {
      onCommand('open');
    });
    let shown = '';
    return {
      show: (view) => {
        const next = JSON.stringify(view);
        if (next === shown || tray.isDestroyed()) {
          return;
        }
        shown = next;
        tray.setImage(pictureOf(view.icon));
        tray.setToolTip(view.tooltip);
        // On Linux a menu that has been set is not drawn anew by changing its lines.
        tray.setContextMenu(Menu.buildFromTemplate(templateOf(view.menu, onCommand)));
      },
      destroy: () => {
        tray.destroy();
      },
    };
  } catch (error) {
    log('warning', 'there is no tray here', { reason: error instanceof Error ? error.message : String(error) });
    return null;
  }
}
