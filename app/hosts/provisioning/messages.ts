import type { Language } from '../../contract/basics.ts';
import { languageOf } from '../../domain/language.ts';
import type { Flags } from '../flags.ts';
import type { ProvisionFile } from './file.ts';

/** What provisioning/file.ts says, with a star for what varies, in Portuguese and in Spanish. */
const sentences: readonly (readonly [en: string, pt: string, es: string])[] = [
  ['is missing', 'está faltando', 'falta'],
  ['is not a field of this file', 'não é um campo deste arquivo', 'no es un campo de este archivo'],
  ['is not JSON', 'não é JSON', 'no es JSON'],
  ['does not exist', 'não existe', 'no existe'],
  ['cannot be read (*)', 'não pode ser lido (*)', 'no se puede leer (*)'],
  ['is larger than * bytes', 'tem mais de * bytes', 'tiene más de * bytes'],
  ['must be a JSON object', 'deve ser um objeto JSON', 'debe ser un objeto JSON'],
  ['must be an object', 'deve ser um objeto', 'debe ser un objeto'],
  ['must be text', 'deve ser texto', 'debe ser texto'],
  ['must not be empty', 'não pode ficar vazio', 'no puede quedar vacío'],
  ['must have * characters at most', 'pode ter no máximo * caracteres', 'puede tener como máximo * caracteres'],
  ['must be true or false', 'deve ser true ou false', 'debe ser true o false'],
  ['must be a whole number from * to *', 'deve ser um número inteiro de * a *', 'debe ser un número entero de * a *'],
  ['must be a list of stock ids', 'deve ser uma lista de IDs de estoques', 'debe ser una lista de ID de stocks'],
  ['must name one stock at least', 'deve indicar ao menos um estoque', 'debe indicar al menos un stock'],
  ['must name * stocks at most', 'pode indicar no máximo * estoques', 'puede indicar como máximo * stocks'],
  ['must name * kinds at most', 'pode indicar no máximo * tipos', 'puede indicar como máximo * tipos'],
  ['must be an address such as *', 'deve ser um endereço como *', 'debe ser una dirección como *'],
  ['must hold no user and no password', 'não pode conter usuário nem senha', 'no puede contener usuario ni contraseña'],
  [
    'must begin with https:// (http:// only for this machine itself)',
    'deve começar com https:// (http:// só para esta própria máquina)',
    'debe empezar con https:// (http:// solo para este mismo equipo)',
  ],
  ['must be "en", "pt-BR" or "es"', 'deve ser "en", "pt-BR" ou "es"', 'debe ser "en", "pt-BR" o "es"'],
  [
    'must be * to * digits, as text',
    'deve ter de * a * dígitos, como texto',
    'debe tener de * a * dígitos, como texto',
  ],
  [
    'must be lock.pinHash of the settings.json of a terminal whose PIN is set',
    'deve ser o lock.pinHash do settings.json de um terminal com PIN definido',
    'debe ser el lock.pinHash del settings.json de una terminal con PIN definido',
  ],
  [
    'must have either pin or pinHash',
    'deve ter pin ou pinHash, só um deles',
    'debe tener pin o pinHash, solo uno de ellos',
  ],
  ['must be of *', 'deve ser um destes: *', 'debe ser uno de estos: *'],
  ['must be a list', 'deve ser uma lista', 'debe ser una lista'],
  ['must be a number', 'deve ser um número', 'debe ser un número'],
  ['must be a whole number', 'deve ser um número inteiro', 'debe ser un número entero'],
  ['must not be negative', 'não pode ser negativo', 'no puede ser negativo'],
  ['must be * at most', 'pode ser no máximo *', 'puede ser como máximo *'],
  [
    'must be an Ed25519 public key: 32 bytes, base64',
    'deve ser uma chave pública Ed25519: 32 bytes, base64',
    'debe ser una clave pública Ed25519: 32 bytes, base64',
  ],
];

const frame: Readonly<
  Record<
    Language,
    { readonly refused: string; readonly file: string; readonly inBrowser: string; readonly notInstalled: string }
  >
> = {
  en: {
    refused: '{path} cannot be used:',
    file: 'the file',
    inBrowser: '{name} does nothing here: Tillside runs in a browser.',
    notInstalled: '{name} does nothing here: Tillside is not installed.',
  },
  'pt-BR': {
    refused: '{path} não pode ser usado:',
    file: 'o arquivo',
    inBrowser: '{name} não tem efeito aqui: o Tillside funciona em um navegador.',
    notInstalled: '{name} não tem efeito aqui: o Tillside não está instalado.',
  },
  es: {
    refused: '{path} no se puede usar:',
    file: 'el archivo',
    inBrowser: '{name} no tiene efecto aquí: Tillside funciona en un navegador.',
    notInstalled: '{name} no tiene efecto aquí: Tillside no está instalado.',
  },
};

/** The sentence as a pattern of what provisioning/file.ts says. */
function patternOf(sentence: string): RegExp {
  const parts = sentence.split('*').map((part) => part.replaceAll(/[\\^$.+?()[\]{}|/]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join('(.+)')}$`);
}

function translate(message: string, language: Language): string {
  for (const [en, pt, es] of sentences) {
    const [, ...values] = patternOf(en).exec(message) ?? [];
    if (values.length > 0 || message === en) {
      return values.reduce((text, value) => text.replace('*', () => value), { en, 'pt-BR': pt, es }[language]);
    }
  }
  return message;
}

/** Why the provisioning file at this path cannot be used, one line a field, in the language of this tag. */
export function describeProvisionFailure(path: string, messages: readonly string[], tag: string): string {
  const language = languageOf(tag);
  const lines = messages.map((message) => {
    const colon = message.indexOf(': ');
    const field = message.slice(0, colon);
    return `  ${field === 'the file' ? frame[language].file : field}: ${translate(message.slice(colon + 2), language)}`;
  });
  return [frame[language].refused.replace('{path}', () => path), ...lines].join('\n');
}

/** One sentence for each switch and field that does nothing where Tillside runs now; none for an installed app. */
export function describeIgnored(
  flags: Pick<Flags, 'kiosk' | 'companion'>,
  file: Pick<ProvisionFile, 'device'> | null,
  runsIn: 'browser' | 'checkout' | 'installed',
  tag: string,
): readonly string[] {
  if (runsIn === 'installed') {
    return [];
  }
  const { startsAtSignIn, updates, isKiosk } = file?.device ?? {};
  const ofInstalled = [
    startsAtSignIn === undefined ? null : 'startsAtSignIn',
    updates === undefined ? null : 'updates',
  ];
  const ofWindow = [
    isKiosk === undefined ? null : 'kiosk',
    flags.kiosk ? '--kiosk' : null,
    flags.companion ? '--companion' : null,
  ];
  const names = [...ofInstalled, ...(runsIn === 'browser' ? ofWindow : [])].filter((name) => name !== null);
  const said = frame[languageOf(tag)];
  return names.map((name) => (runsIn === 'browser' ? said.inBrowser : said.notInstalled).replace('{name}', () => name));
}
