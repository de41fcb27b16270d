// What the judges read of the page, in its other languages: a second time, as the English in screen.ts.
import type { Language } from '../../app/contract/basics.ts';

type Phrases = Readonly<Record<string, string>>;

/** By what they mean in English; `#` is a number, `@` e-mails. */
const phrases: Readonly<Record<Exclude<Language, 'en'>, Phrases>> = {
  'pt-BR': {
    'just now': 'agora mesmo',
    'before the clock was set': 'antes do acerto do relógio',
    Live: 'Da plataforma',
    'From the copy': 'Da cópia',
    'Last asked live at': 'Última consulta à plataforma:',
    'No figure known': 'Saldo ainda desconhecido',
    '# seconds ago': 'há # segundos?',
    '# minutes ago': 'há # minutos?',
    '# hours ago': 'há # horas?',
    '# days ago': 'há # dias?',
    Barcode: 'Código de barras',
    Code: 'Código',
    Minimum: 'Mínimo',
    'Consumption coupon': 'Cupom de consumo',
    'as on the platform': 'como na plataforma',
    'waiting to be sent': 'esperando para ser enviado',
    sending: 'enviando',
    'waits for @ to sign in': 'espera que @ entre',
    'a change by @ waits': 'uma alteração de @ espera',
    'not switched': 'O cupom não mudou',
    Connection: 'Conexão',
    'Platform does not answer': 'A plataforma não responde',
    Checking: 'Verificando',
    Resting: 'Em repouso',
    '# waiting': '# esperando',
    '# need a decision': '# a decidir',
    '# changes wait for their users to sign in: ':
      '# alteraç(?:ão espera que o seu usuário entre|ões esperam que os seus usuários entrem): ',
    '# changes for company # wait': '# alteraç(?:ão|ões) da empresa # esperam?',
    '# products on this terminal': '# produtos? neste terminal',
    'Products on this terminal': 'Produtos neste terminal',
    'up to date as of': 'última atualização:',
    '# in ': '# em ',
    'Company #': 'Empresa #',
    'Practice store': 'Loja de treino',
    'clock is': 'O relógio desta máquina está',
    Main: 'Principal',
  },
  es: {
    'just now': 'ahora mismo',
    'before the clock was set': 'antes de ajustarse el reloj',
    Live: 'De la plataforma',
    'From the copy': 'De la copia',
    'Last asked live at': 'Última consulta a la plataforma:',
    'No figure known': 'Saldo todavía desconocido',
    '# seconds ago': 'hace # segundos?',
    '# minutes ago': 'hace # minutos?',
    '# hours ago': 'hace # horas?',
    '# days ago': 'hace # días?',
    Barcode: 'Código de barras',
    Code: 'Código',
    Minimum: 'Mínimo',
    'Consumption coupon': 'Cupón de consumo',
    'as on the platform': 'como en la plataforma',
    'waiting to be sent': 'esperando para enviarse',
    sending: 'enviando',
    'waits for @ to sign in': 'espera a que @ inicie sesión',
    'a change by @ waits': 'un cambio de @ espera',
    'not switched': 'El cupón no cambió',
    Connection: 'Conexión',
    Online: 'En línea',
    Offline: 'Sin conexión',
    'Platform does not answer': 'La plataforma no responde',
    Checking: 'Comprobando',
    Resting: 'En reposo',
    '# waiting': '# en espera',
    '# need a decision': '# necesitan? una decisión',
    '# changes wait for their users to sign in: ': '# cambios? esperan? a que sus? usuarios? inicien? sesión: ',
    '# changes for company # wait': '# cambios? de la empresa # esperan?',
    '# products on this terminal': '# productos? en esta caja',
    'Products on this terminal': 'Productos en esta caja',
    'up to date as of': 'última actualización:',
    '# in ': '# en (?!espera)',
    'Company #': 'Empresa #',
    'Practice store': 'Tienda de práctica',
    'clock is': 'El reloj de este equipo está',
    Main: 'Principal',
  },
};

const number = String.raw`([\d.,]+)`;
const emails = String.raw`(\S+@\S+?)`;

function patternsOf(language: Exclude<Language, 'en'>): readonly (readonly [RegExp, string])[] {
  return Object.entries(phrases[language]).map(([english, own]) => {
    let place = 0;
    return [
      new RegExp(`(?<!\\p{L})${own.replaceAll('#', number).replaceAll('@', emails)}(?!\\p{L})`, 'gu'),
      english.replaceAll(/[#@]/g, () => `$${(place += 1)}`),
    ];
  });
}

const patterns = { 'pt-BR': patternsOf('pt-BR'), es: patternsOf('es') };

/** The words in English, as far as the judges read them; its numbers as well. */
export function inEnglish(words: string, language: Language): string {
  if (language === 'en') {
    return words;
  }
  const english = patterns[language].reduce((text, [own, meaning]) => text.replaceAll(own, meaning), words);
  // A number alone has a text of its own, and so have the decimals of one that is written in parts.
  return /^[-−]?(?:[\d.]+(?:,\d+)?|,\d+)$/.test(english) ? english.replaceAll('.', '').replace(',', '.') : english;
}

const strange =
  /^(?:Live|From the copy|Last asked live|No figure known|Barcode|Minimum|Consumption coupon|as on the platform|waiting to be sent|Sign in|Lookup|Settings|Coupons|Practice store|Help)\b/;

/** Whether these words are of another language than the page's. */
export function isStrange(words: string, language: Language): boolean {
  const others = (['pt-BR', 'es'] as const).filter((other) => other !== language);
  const own = language === 'en' ? [] : Object.values(phrases[language]);
  return (
    (language !== 'en' && strange.test(words)) ||
    others.some((other) =>
      Object.values(phrases[other]).some(
        (phrase) => phrase.length > 6 && !own.includes(phrase) && words.startsWith(phrase),
      ),
    )
  );
}
