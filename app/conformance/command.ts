import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { parseArgs } from 'node:util';
import { languageOf, languages } from '../domain/language.ts';
import { isLoopback } from '../domain/loopback.ts';
import { sendOverHttp } from './http-send.ts';
import { leastPerMinute, mostPerMinute, type Timing } from './pace.ts';
import type { SignInTarget } from './probe.ts';
import { writeJsonReport, writeReport } from './report.ts';
import { judgePlatform, type News, type Report, type Run } from './run.ts';
import { fill, words, type Language } from './words.ts';

const help = `Usage: npm run conformance -- --url URL --client-id ID --email EMAIL --company ID --stock ID [more]

Judges a platform by the document of API v3, line by line, and says how it reads what the document leaves open.
It reads only, with at most ${mostPerMinute} requests in 60 s: half of the limit. That takes about three minutes.
It sends one wrong password and one wrong client secret, between right ones.

  --url URL              https, or http on this machine; without /api/v3
  --client-id ID         the application's
  --email EMAIL          of a user with access to the API
  --company ID           the company to ask about
  --stock ID             one of its stocks, best with a hundred products or more
  --may-switch PRODUCT   also tries updates and idempotency keys on the coupon of this product, and puts it back at the
                         end, also after Ctrl+C; the coupon must be one that the platform lists. About a minute more
  --one-company          the account has one company alone: for --may-switch where the list of coupons names none
  --per-minute N         fewer requests in 60 s, ${leastPerMinute} to ${mostPerMinute}
  --language LANGUAGE    ${languages.join(', ')}; the system's by default
  --json                 the report for programs
  --help                 this text

The client secret and the password are asked for, or taken from CONFORMANCE_CLIENT_SECRET and CONFORMANCE_PASSWORD.
Exit code: 0 nothing is broken, 1 something is, 2 the platform could not be judged.
`;

interface Choices {
  readonly target: Omit<SignInTarget, 'clientSecret' | 'password'>;
  readonly run: Pick<Run, 'maySwitch' | 'hasOneCompany' | 'perMinute'>;
  readonly language: Language;
  readonly isJson: boolean;
}

/** The platform's address without what follows its host and folder. Throws RangeError for one that would carry secrets in clear. */
function readUrl(text: string): string {
  const url = URL.parse(text);
  const isHere = url?.protocol === 'http:' && isLoopback(url.hostname);
  if (url === null || !(url.protocol === 'https:' || isHere) || url.username !== '' || url.search !== '') {
    throw new RangeError('--url must be https, or http on this machine, without a user and without "?"');
  }
  return url.href.replace(/[#].*$/, '').replace(/\/+$/, '');
}

function readChoices(flags: readonly string[]): Choices | 'help' {
  const text = { type: 'string' } as const;
  const isSet = { type: 'boolean', default: false } as const;
  const { values } = parseArgs({
    args: [...flags],
    options: {
      url: text,
      'client-id': text,
      email: text,
      company: text,
      stock: text,
      'may-switch': text,
      'one-company': isSet,
      'per-minute': text,
      language: text,
      json: isSet,
      help: { ...isSet, short: 'h' },
    },
  });
  if (values.help) return 'help';
  const read = (name: 'client-id' | 'email' | 'url'): string => {
    const value = values[name] ?? '';
    if (value === '') throw new RangeError(`--${name} is missing`);
    return value;
  };
  const readId = (name: 'company' | 'stock' | 'may-switch'): string => {
    const value = values[name] ?? '';
    if (!/^\d{1,19}$/.test(value)) throw new RangeError(`--${name} must be a number, not "${value}"`);
    return String(BigInt(value));
  };
  const perMinute = Number(values['per-minute'] ?? mostPerMinute);
  if (!Number.isInteger(perMinute) || perMinute < leastPerMinute || perMinute > mostPerMinute) {
    throw new RangeError(`--per-minute must be a whole number from ${leastPerMinute} to ${mostPerMinute}`);
  }
  const system = process.env['LC_ALL'] ?? process.env['LANG'] ?? 'en';
  const language = languages.find((one) => one === (values.language ?? languageOf(system)));
  if (language === undefined) throw new RangeError(`--language must be one of ${languages.join(', ')}`);
  return {
    target: {
      url: readUrl(read('url')),
      clientId: read('client-id'),
      email: read('email'),
      company: readId('company'),
      stock: readId('stock'),
    },
    run: {
      maySwitch: values['may-switch'] === undefined ? null : readId('may-switch'),
      hasOneCompany: values['one-company'],
      perMinute,
    },
    language,
    isJson: values.json,
  };
}

/** A secret of the environment, or as a person types it, unseen. Throws RangeError where there is neither. */
async function readSecret(name: string, question: string, language: Language): Promise<string> {
  const given = process.env[name] ?? '';
  if (given !== '') return given;
  if (!process.stdin.isTTY) throw new RangeError(fill(words[language].say.noSecret, { name }));
  process.stderr.write(`${question}: `);
  const unseen = new Writable({
    write: (_chunk, _encoding, done) => {
      done();
    },
  });
  const prompt = createInterface({ input: process.stdin, output: unseen, terminal: true });
  const stop = new AbortController();
  prompt.on('SIGINT', () => {
    stop.abort();
  });
  try {
    return await prompt.question('', { signal: stop.signal });
  } catch {
    throw new RangeError(fill(words[language].say.noSecret, { name }));
  } finally {
    prompt.close();
    process.stderr.write('\n');
  }
}

const timing: Timing = {
  now: () => performance.now(),
  wait: (ms, signal) =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, Math.max(0, ms));
      signal?.addEventListener('abort', () => {
        clearTimeout(timer);
        resolve();
      });
    }),
};

/** Tells on standard error how far the run is: on a terminal in one line, else only what a log should keep. */
function createTeller(language: Language): (news: News) => void {
  const { say } = words[language];
  let place = { done: 0, all: 0 };
  const write = (text: string): void => {
    if (process.stderr.isTTY) process.stderr.write(`\r\u001B[K${text}`);
  };
  return (news) => {
    if (news.kind === 'asking') {
      place = { done: news.done + 1, all: news.all };
      write(fill(say.asking, place));
    } else if (news.kind === 'waiting') {
      write(fill(say.waiting, { ...place, seconds: Math.ceil(news.ms / 1000) }));
    } else {
      write('');
      process.stderr.write(`${fill(say.switching, { product: news.product, before: news.before ? 'ON' : 'OFF' })}\n`);
    }
  };
}

const exitCodes: Readonly<Record<Report['outcome'], number>> = { kept: 0, broken: 1, notJudged: 2 };

/** Runs the kit with the flags of this process, and sets its exit code: 0 kept, 1 broken, 2 not judged. */
export async function runConformance(): Promise<void> {
  try {
    const choices = readChoices(process.argv.slice(2));
    if (choices === 'help') {
      process.stdout.write(help);
      return;
    }
    const { target, run, language, isJson } = choices;
    const { say } = words[language];
    if (process.env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0') throw new RangeError(say.uncheckedTls);
    const clientSecret = await readSecret('CONFORMANCE_CLIENT_SECRET', say.clientSecret, language);
    const password = await readSecret('CONFORMANCE_PASSWORD', fill(say.password, { email: target.email }), language);
    const stop = new AbortController();
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        process.stderr.write(`\n${say.stopping}\n`);
        stop.abort();
      });
    }
    // A terminal that is closed takes no more words; what was switched is put back all the same.
    for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
    const report = await judgePlatform({
      ...run,
      target: { ...target, clientSecret, password },
      send: sendOverHttp,
      timing,
      uuid: randomUUID,
      signal: stop.signal,
      tell: createTeller(language),
    });
    if (process.stderr.isTTY) process.stderr.write('\r\u001B[K');
    process.stdout.write(`${(isJson ? writeJsonReport : writeReport)(report, language)}\n`);
    process.exitCode = exitCodes[report.outcome];
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${help}`);
    process.exitCode = 2;
  }
}
