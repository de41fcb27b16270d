import type { Language } from '../../contract/basics.ts';
import type { TerminalState } from '../../contract/terminal-state.ts';

export type TrayIcon = 'online' | 'offline' | 'waiting' | 'attention';

/** A line of the menu; one without a command only tells. */
export type TrayLine =
  | { readonly kind: 'line' }
  | { readonly kind: 'text'; readonly label: string }
  | { readonly kind: 'command'; readonly label: string; readonly command: TrayCommand };
export type TrayCommand = 'open' | 'companion' | 'quit';

export interface TrayView {
  readonly icon: TrayIcon;
  readonly tooltip: string;
  readonly menu: readonly TrayLine[];
}

interface Words {
  readonly online: string;
  readonly offline: string;
  readonly unknown: string;
  readonly practice: string;
  readonly firstRun: string;
  readonly signIn: string;
  readonly ended: string;
  readonly waiting: (count: number, formatted: string) => string;
  readonly parked: (count: number, formatted: string) => string;
  readonly open: string;
  readonly companion: string;
  readonly quit: string;
  readonly space: string;
  readonly shift: string;
  readonly goesOn: string;
  readonly goesOnDetail: string;
  readonly understood: string;
}

const words: Readonly<Record<Language, Words>> = {
  en: {
    online: 'Online',
    offline: 'Offline: scanning goes on, changes wait',
    unknown: 'Connecting',
    practice: 'Practice store',
    firstRun: 'Not set up yet',
    signIn: 'Nobody is signed in',
    ended: 'The sign-in has ended: sign in again',
    waiting: (count, formatted) => (count === 1 ? '1 change waits to be sent' : `${formatted} changes wait to be sent`),
    parked: (count, formatted) =>
      count === 1 ? '1 change needs your decision' : `${formatted} changes need your decision`,
    open: 'Open Tillside',
    companion: 'Companion bar',
    quit: 'Quit Tillside',
    space: 'Space',
    shift: 'Shift',
    goesOn: 'Tillside goes on in the background',
    goesOnDetail:
      'Changes are still sent, and the shortcut still calls the companion bar. To open the window again, choose Tillside beside the clock or start it once more. To end it, choose "Quit Tillside" there. The settings say whether closing the window ends Tillside.',
    understood: 'OK',
  },
  'pt-BR': {
    online: 'Online',
    offline: 'Offline: a consulta continua, as alterações aguardam',
    unknown: 'Conectando',
    practice: 'Loja de treino',
    firstRun: 'Ainda não configurado',
    signIn: 'Ninguém entrou',
    ended: 'A sessão terminou: entre novamente',
    waiting: (count, formatted) =>
      count === 1 ? '1 alteração aguarda envio' : `${formatted} alterações aguardam envio`,
    parked: (count, formatted) =>
      count === 1 ? '1 alteração precisa da sua decisão' : `${formatted} alterações precisam da sua decisão`,
    open: 'Abrir o Tillside',
    companion: 'Barra de consulta',
    quit: 'Encerrar o Tillside',
    space: 'Espaço',
    shift: 'Shift',
    goesOn: 'O Tillside continua em segundo plano',
    goesOnDetail:
      'As alterações continuam sendo enviadas e o atalho continua abrindo a barra de consulta. Para abrir a janela de novo, escolha o Tillside ao lado do relógio ou inicie-o mais uma vez. Para encerrar, escolha ali "Encerrar o Tillside". Nos ajustes você decide se fechar a janela encerra o Tillside.',
    understood: 'OK',
  },
  es: {
    online: 'En línea',
    offline: 'Sin conexión: se puede consultar, los cambios esperan',
    unknown: 'Conectando',
    practice: 'Tienda de práctica',
    firstRun: 'Aún sin configurar',
    signIn: 'Nadie ha iniciado sesión',
    ended: 'La sesión terminó: iníciela otra vez',
    waiting: (count, formatted) => (count === 1 ? '1 cambio espera su envío' : `${formatted} cambios esperan su envío`),
    parked: (count, formatted) =>
      count === 1 ? '1 cambio necesita su decisión' : `${formatted} cambios necesitan su decisión`,
    open: 'Abrir Tillside',
    companion: 'Barra de consulta',
    quit: 'Salir de Tillside',
    space: 'Espacio',
    shift: 'Mayús',
    goesOn: 'Tillside sigue en segundo plano',
    goesOnDetail:
      'Los cambios se siguen enviando y el atajo sigue abriendo la barra de consulta. Para abrir otra vez la ventana, elija Tillside junto al reloj o inícielo de nuevo. Para terminar, elija allí «Salir de Tillside». En los ajustes se decide si cerrar la ventana termina Tillside.',
    understood: 'Aceptar',
  },
};

/** What is said when the window is closed for the first time and Tillside goes on. */
export function goesOnWords(language: Language): {
  readonly message: string;
  readonly detail: string;
  readonly button: string;
} {
  const { goesOn, goesOnDetail, understood } = words[language];
  return { message: goesOn, detail: goesOnDetail, button: understood };
}

function nameOfShortcut(shortcut: string, language: Language, isMac: boolean): string {
  const { space, shift } = words[language];
  const names: Readonly<Record<string, string>> = {
    Control: 'Ctrl',
    Shift: shift,
    Space: space,
    Super: isMac ? '⌘' : 'Win',
  };
  return shortcut
    .split('+')
    .map((part) => names[part] ?? part)
    .join('+');
}

/** The tray for this state. What needs a person stands before what is offline, and that before what waits. */
export function trayViewOf(state: TerminalState, isMac: boolean): TrayView {
  const { language, phase, queue, connection, session, companion } = state;
  const said = words[language];
  const formatted = (count: number): string => new Intl.NumberFormat(language).format(count);
  const waiting = queue.pending + queue.inFlight;
  const toDecide = queue.parked + queue.ofOthers.parked;
  const isReady = phase === 'ready';
  const hasEnded = isReady && session.state === 'ended';

  const lines = [
    ...(state.practice === null ? [] : [said.practice]),
    isReady ? said[connection.state] : said[phase],
    ...(hasEnded ? [said.ended] : []),
    ...(toDecide > 0 ? [said.parked(toDecide, formatted(toDecide))] : []),
    ...(waiting > 0 ? [said.waiting(waiting, formatted(waiting))] : []),
  ];
  const shortcut = companion?.isShortcutHeld === true ? companion.shortcut : null;
  return {
    icon:
      toDecide > 0 || hasEnded
        ? 'attention'
        : isReady && connection.state === 'offline'
          ? 'offline'
          : waiting > 0
            ? 'waiting'
            : 'online',
    tooltip: ['Tillside', ...lines].join('\n'),
    menu: [
      ...lines.map((label) => ({ kind: 'text', label }) as const),
      { kind: 'line' },
      { kind: 'command', command: 'open', label: said.open },
      {
        kind: 'command',
        command: 'companion',
        label: shortcut === null ? said.companion : `${said.companion} (${nameOfShortcut(shortcut, language, isMac)})`,
      },
      { kind: 'line' },
      { kind: 'command', command: 'quit', label: said.quit },
    ],
  };
}
