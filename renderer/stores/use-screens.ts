import type { TerminalState } from '../../app/contract/terminal-state.ts';
import { isHeld } from '../../app/contract/access.ts';
import { useNavigation, useTerminal } from './context.tsx';
import { hideableScreens, openScreens, screens, type MainScreen, type Screen } from './navigation.ts';

/** Whether this screen is out of sight: for a cashier, or for want of a sign-in. */
const isAway =
  (screen: Screen) =>
  ({ phase, cashierScreens, lock }: TerminalState): boolean => {
    const hideable = hideableScreens.find((one) => one === screen);
    const isLocked = isHeld(lock, 'settings') && !lock.openKinds.includes('settings');
    return (
      (hideable !== undefined && !cashierScreens[hideable] && isLocked) ||
      (phase !== 'ready' && !openScreens.some((open) => open === screen))
    );
  };

/** The screens in the navigation, for whoever stands here. */
export function useScreens(): readonly MainScreen[] {
  const away = useTerminal((state) => screens.filter((screen) => isAway(screen)(state)).join(' '));
  return screens.filter((screen) => !away.split(' ').includes(screen));
}

/** The screen that is shown: the lookup stands for one that is out of sight. */
export function useShownScreen(): Screen {
  const screen = useNavigation((navigation) => navigation.screen);
  return useTerminal(isAway(screen)) ? 'lookup' : screen;
}
