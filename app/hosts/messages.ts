import type { Language } from '../contract/basics.ts';
import type { Failure } from '../domain/failure.ts';
import { languageOf } from '../domain/language.ts';

/**
 * About the command line and the environment; `{name}` stands for the flag or variable, `{like}` for ours that may be
 * meant.
 */
interface FlagWords {
  readonly needsValue: string;
  readonly port: string;
  readonly language: string;
  readonly excludes: string;
  readonly unknown: string;
  readonly takesNoValue: string;
  readonly misspelt: string;
  readonly notUnderstood: string;
}

interface Words {
  readonly alreadyRunning: string;
  readonly storageFromFuture: string;
  readonly storageFull: string;
  /** `{directory}` stands for the data folder. */
  readonly storageFailed: string;
  /** Only the browser host has a port. `{port}` stands for it. */
  readonly portInUse: string;
  readonly flags: FlagWords;
  readonly rendererLost: string;
  readonly linkUsed: string;
  readonly linkNeeded: string;
  /** `{switch}` stands for the switch's name. */
  readonly switchRefused: string;
  readonly safeScreen: {
    readonly title: string;
    readonly kept: string;
    readonly next: string;
    readonly tryAgain: string;
    readonly quit: string;
  };
}

const words: Readonly<Record<Language, Words>> = {
  en: {
    alreadyRunning: 'Tillside is already running with this data folder. Use the one that is open, or close it first.',
    storageFromFuture:
      'The data of this terminal was written by a newer version of Tillside. Install that version again; nothing has been changed.',
    storageFull:
      'The disk is full, so Tillside cannot keep anything safe. Free some space and start it again; nothing has been changed.',
    storageFailed: 'Tillside cannot read or write its data folder {directory}.',
    portInUse:
      'Port {port} of 127.0.0.1 is in use by another program. Start Tillside with another --port, or without one.',
    flags: {
      needsValue: '{name} needs a value',
      port: '{name} must be a number from 0 to 65535',
      language: '{name} must be en, pt-BR or es',
      excludes: '--training and --provision exclude each other',
      unknown: '{name} is not known',
      takesNoValue: '{name} takes no value',
      misspelt: '{name} is not known and does nothing. Is {like} meant?',
      notUnderstood: '{name} is neither 1, true or yes nor 0, false or no, and does nothing.',
    },
    rendererLost:
      'The window of Tillside has failed several times in a row. Nothing is lost; please start Tillside again.',
    linkUsed:
      'This address has been used already. Each one opens Tillside once; the newest stands in the window where Tillside was started.',
    linkNeeded: 'Open Tillside by the address that stands in the window where it was started.',
    switchRefused: 'Tillside does not start with --{switch}. Take it off the command line or the shortcut.',
    safeScreen: {
      title: 'The window stopped working',
      kept: 'Nothing is lost: changes that wait are kept on this terminal and go on being sent.',
      next: 'Try again. If it happens once more, restart the computer and tell your support.',
      tryAgain: 'Try again',
      quit: 'Quit Tillside',
    },
  },
  'pt-BR': {
    alreadyRunning: 'O Tillside já está em execução com esta pasta de dados. Use a janela aberta ou feche-a primeiro.',
    storageFromFuture:
      'Os dados deste terminal foram gravados por uma versão mais nova do Tillside. Instale essa versão novamente; nada foi alterado.',
    storageFull:
      'O disco está cheio e o Tillside não consegue guardar nada com segurança. Libere espaço e abra-o de novo; nada foi alterado.',
    storageFailed: 'O Tillside não consegue ler ou gravar a pasta de dados {directory}.',
    portInUse:
      'A porta {port} de 127.0.0.1 está em uso por outro programa. Inicie o Tillside com outro --port, ou sem ele.',
    flags: {
      needsValue: '{name} precisa de um valor',
      port: '{name} deve ser um número de 0 a 65535',
      language: '{name} deve ser en, pt-BR ou es',
      excludes: '--training e --provision não podem ser usados juntos',
      unknown: '{name} não existe',
      takesNoValue: '{name} não aceita valor',
      misspelt: '{name} não existe e não tem efeito. Seria {like}?',
      notUnderstood: '{name} não é 1, true ou yes nem 0, false ou no, e não tem efeito.',
    },
    rendererLost: 'A janela do Tillside falhou várias vezes seguidas. Nada foi perdido; abra o Tillside novamente.',
    linkUsed:
      'Este endereço já foi usado. Cada um abre o Tillside uma vez; o mais novo está na janela onde o Tillside foi iniciado.',
    linkNeeded: 'Abra o Tillside pelo endereço que está na janela onde ele foi iniciado.',
    switchRefused: 'O Tillside não inicia com --{switch}. Retire-o da linha de comando ou do atalho.',
    safeScreen: {
      title: 'A janela parou de funcionar',
      kept: 'Nada foi perdido: as alterações pendentes estão guardadas neste terminal e continuam sendo enviadas.',
      next: 'Tente de novo. Se acontecer outra vez, reinicie o computador e avise o suporte.',
      tryAgain: 'Tentar de novo',
      quit: 'Sair do Tillside',
    },
  },
  es: {
    alreadyRunning:
      'Tillside ya está en ejecución con esta carpeta de datos. Use la ventana abierta o ciérrela primero.',
    storageFromFuture:
      'Los datos de esta terminal los escribió una versión más nueva de Tillside. Instale otra vez esa versión; no se cambió nada.',
    storageFull:
      'El disco está lleno y Tillside no puede guardar nada con seguridad. Libere espacio y ábralo otra vez; no se cambió nada.',
    storageFailed: 'Tillside no puede leer o escribir su carpeta de datos {directory}.',
    portInUse: 'Otro programa usa el puerto {port} de 127.0.0.1. Inicie Tillside con otro --port, o sin él.',
    flags: {
      needsValue: '{name} necesita un valor',
      port: '{name} debe ser un número de 0 a 65535',
      language: '{name} debe ser en, pt-BR o es',
      excludes: '--training y --provision no se pueden usar juntos',
      unknown: '{name} no existe',
      takesNoValue: '{name} no admite un valor',
      misspelt: '{name} no existe y no tiene efecto. ¿Quiso decir {like}?',
      notUnderstood: '{name} no es 1, true o yes ni 0, false o no, y no tiene efecto.',
    },
    rendererLost: 'La ventana de Tillside falló varias veces seguidas. No se perdió nada; abra Tillside otra vez.',
    linkUsed:
      'Esta dirección ya se usó. Cada una abre Tillside una vez; la más nueva está en la ventana donde se inició Tillside.',
    linkNeeded: 'Abra Tillside con la dirección que está en la ventana donde se inició.',
    switchRefused: 'Tillside no se inicia con --{switch}. Quítelo de la línea de comandos o del acceso directo.',
    safeScreen: {
      title: 'La ventana dejó de funcionar',
      kept: 'No se perdió nada: los cambios pendientes están guardados en esta terminal y se siguen enviando.',
      next: 'Inténtelo de nuevo. Si vuelve a pasar, reinicie el equipo y avise al soporte.',
      tryAgain: 'Intentar de nuevo',
      quit: 'Salir de Tillside',
    },
  },
};

/** The host's sentences in the language of this tag. */
export function wordsFor(tag: string): Words {
  return words[languageOf(tag)];
}

/**
 * Why the terminal cannot start on this data folder, as a sentence, with the system's own words after it where they
 * help.
 */
export function describeStartFailure(failure: Failure, tag: string, directory: string): string {
  const said = wordsFor(tag);
  const detail = failure.message === undefined ? '' : `\n${failure.message}`;
  switch (failure.kind) {
    case 'alreadyRunning':
    case 'storageFromFuture':
      return said[failure.kind];
    case 'storageFull':
      return said.storageFull + detail;
    default:
      return said.storageFailed.replace('{directory}', () => directory) + detail;
  }
}
