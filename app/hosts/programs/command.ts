// `--lookup=CODE`: asks the Tillside that runs with this data folder, and changes nothing.
import { request } from 'node:http';
import { parseJson } from '../../domain/json.ts';
import { onOneLine } from '../../domain/one-line.ts';
import { fail, succeed, type Result } from '../../domain/result.ts';
import { describeStartError, wordsFor } from '../messages.ts';
import { whyNotOurs } from '../node/data-directory.ts';
import { StartError } from '../node/start-error.ts';
import { lookupSchema, type ProgramLookup } from './answers.ts';
import { isOwnSocket, openDoorFile } from './door.ts';

export interface LookupCommand {
  readonly code: string;
  readonly isJson: boolean;
  readonly dataDirectory: string;
  /** BCP 47 tag of the language of what is printed. */
  readonly language: string;
  /** So long the Tillside that runs may take to answer. */
  readonly patienceMs?: number;
}

const defaultPatienceMs = 10_000;

/** JSON in ASCII alone: Windows PowerShell reads what programs print in the code page of the system. */
const writeAscii = (value: object): string =>
  JSON.stringify(value).replaceAll(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** Fails with why nothing was answered: `notRunning`, or what the Tillside that runs says. */
function ask(dataDirectory: string, code: string, patienceMs: number): Promise<Result<ProgramLookup, string>> {
  const { socket, token } = openDoorFile(dataDirectory).get();
  if (socket === null || token === null || !isOwnSocket(socket)) {
    return Promise.resolve(fail('notRunning'));
  }
  const signal = AbortSignal.timeout(patienceMs);
  return new Promise((resolve) => {
    request(
      {
        socketPath: socket,
        path: `/v1/lookup?${String(new URLSearchParams({ code }))}`,
        headers: { Authorization: `Bearer ${token}` },
        signal,
      },
      (response) => {
        let text = '';
        response
          .setEncoding('utf8')
          .on('data', (part: string) => {
            text += part;
          })
          .on('error', () => resolve(fail('noAnswer')))
          .on('end', () => {
            const body = parseJson(text);
            const read = lookupSchema.safeParse(body);
            const error =
              typeof body === 'object' && body !== null && 'error' in body ? String(body.error) : 'noAnswer';
            resolve(read.success ? succeed(read.data) : fail(error));
          });
      },
    )
      .on('error', () => resolve(fail(signal.aborted ? 'noAnswer' : 'notRunning')))
      .end();
  });
}

/** Answers what is to be printed and the exit code: 0 for found, 1 for not found, 2 when Tillside cannot be asked. */
export async function runLookup({
  code,
  isJson,
  dataDirectory,
  language,
  patienceMs = defaultPatienceMs,
}: LookupCommand): Promise<{ readonly output: string; readonly complaint: string; readonly exitCode: 0 | 1 | 2 }> {
  const words = wordsFor(language).programs;
  const refuse = (error: string, message: string) =>
    isJson
      ? ({ output: `${writeAscii({ error, message })}\n`, complaint: '', exitCode: 2 } as const)
      : ({ output: '', complaint: `${message}\n`, exitCode: 2 } as const);
  const unfit = whyNotOurs(dataDirectory);
  if (unfit !== null) {
    // Whoever can write there can name a socket of their own.
    return refuse(unfit, describeStartError(new StartError(unfit), language, dataDirectory));
  }
  const answered = await ask(dataDirectory, code, patienceMs);
  if (!answered.ok) {
    const error = answered.failure;
    return refuse(error, error in words.refusals ? words.refusals[error as keyof typeof words.refusals] : words.failed);
  }
  const { answer, isFound, products } = answered.value;
  const lines =
    answer === 'found' || answer === 'several'
      ? products.map(({ name, code: own, balance, unit, stockName, stockId }) =>
          [name, own, balance === null ? null : [balance, unit].join(' ').trim(), stockName ?? stockId]
            .filter((part) => part !== null)
            .join(' · '),
        )
      : [words[answer].replace('{code}', () => code)];
  // Whoever makes a barcode chooses its text: a line end would begin another answer.
  const output = isJson ? writeAscii(answered.value) : lines.map(onOneLine).join('\n');
  return { output: `${output}\n`, complaint: '', exitCode: isFound ? 0 : 1 };
}
