import { randomBytes } from 'node:crypto';
import { languageOf } from '../domain/language.ts';
import { guardingHeaders, type PageAnswer } from './page.ts';
import { wordsFor } from './messages.ts';

export const safeScreenPath = '/safe-screen';
/** Addresses that no page lies behind. */
export const safeScreenActions = { tryAgain: `${safeScreenPath}/try-again`, quit: `${safeScreenPath}/quit` } as const;

const style = `
  :root { color-scheme: light dark; }
  body { display: grid; place-content: center; min-height: 100vh; margin: 0; padding: 24px; box-sizing: border-box; font: 18px/1.5 system-ui, sans-serif; background: #f8f9fa; color: #1a1b1e; }
  main { max-width: 34rem; }
  h1 { font-size: 28px; line-height: 1.3; }
  a { display: inline-block; min-height: 44px; padding: 0 24px; line-height: 44px; margin: 8px 12px 8px 0; border: 2px solid #1864ab; border-radius: 8px; color: #1864ab; font-weight: 600; text-decoration: none; }
  a:first-of-type { background: #1864ab; color: #ffffff; }
  a:focus-visible { outline: 3px solid #e8590c; outline-offset: 3px; }
  @media (prefers-color-scheme: dark) {
    body { background: #1a1b1e; color: #f1f3f5; }
    a { border-color: #a5d8ff; color: #a5d8ff; }
    a:first-of-type { background: #a5d8ff; color: #1a1b1e; }
  }
`;

/** Where the safe screen lies in the language of this BCP 47 tag, with or without the way to end the app. */
export function safeScreenAddress(tag: string, hasQuit: boolean): string {
  return `${safeScreenPath}?${new URLSearchParams({ language: tag, ...(hasQuit ? {} : { quit: 'no' }) }).toString()}`;
}

/** The safe screen that its address asks for, with a policy that lets nothing but its own style be used. */
export function safeScreen(asked: URLSearchParams): PageAnswer {
  const tag = asked.get('language') ?? '';
  const nonce = randomBytes(16).toString('base64');
  const { safeScreen: words } = wordsFor(tag);
  const end =
    asked.get('quit') === 'no' ? `<p>${words.notEnded}</p>` : `<a href="${safeScreenActions.quit}">${words.quit}</a>`;
  const body = `<!doctype html>
<html lang="${languageOf(tag)}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Tillside</title><style nonce="${nonce}">${style}</style></head>
<body><main>
<h1>${words.title}</h1>
<p>${words.kept}</p>
<p>${words.next}</p>
<a href="${safeScreenActions.tryAgain}" autofocus>${words.tryAgain}</a>${end}
</main></body>
</html>
`;
  return {
    status: 200,
    headers: {
      ...guardingHeaders,
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': `default-src 'none'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'`,
    },
    body,
  };
}
