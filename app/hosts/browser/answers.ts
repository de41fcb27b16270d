import type { ServerResponse } from 'node:http';
import { languageOf } from '../../domain/language.ts';
import { guardingHeaders } from '../page.ts';

/** Answers with this body. */
export function answer(
  response: ServerResponse,
  status: number,
  body: string | Buffer,
  type = 'text/plain; charset=utf-8',
): void {
  response.writeHead(status, { ...guardingHeaders, 'Content-Type': type }).end(body);
}

/** Answers with a page that says one sentence. */
export function answerWords(response: ServerResponse, status: number, language: string, sentence: string): void {
  const body = `<!doctype html><html lang="${languageOf(language)}"><meta charset="utf-8"><title>Tillside</title><h1>Tillside</h1><p>${sentence}</p></html>`;
  response
    .writeHead(status, {
      ...guardingHeaders,
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    })
    .end(body);
}
