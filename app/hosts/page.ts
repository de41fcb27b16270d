import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';

export interface PageAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer<ArrayBuffer> | string;
}

export interface Page {
  /** Answers the file at this path of the address, decoded no further than the page itself needs; "/" is the page. */
  read(pathname: string): PageAnswer;
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
  '.mp3': 'audio/mpeg',
  '.wav': 'audio/wav',
};

/**
 * The policy of the page: its own scripts and styles, its own host, and nothing else; no text becomes markup or a
 * script (Trusted Types), but for what renderer/bridge/trusted-types.ts lets through.
 */
export function contentSecurityPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "worker-src 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types default',
  ].join('; ');
}

/** Headers that every answer of a host carries. */
export const guardingHeaders: Readonly<Record<string, string>> = {
  'Cache-Control': 'no-store',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  // No script opens a window that lies above every program.
  'Permissions-Policy': 'picture-in-picture=()',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
};

function listFiles(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name);
    return entry.isDirectory() ? listFiles(path) : [path];
  });
}

/**
 * Opens the built renderer in this folder. With `bridgeScript`, the page loads the script of that address before its
 * own, and fetches every script that it may ever need while it is loaded: nothing that listens on the port later can
 * give it one. Throws when the folder holds no index.html.
 */
export function openPage(directory: string, { bridgeScript }: { readonly bridgeScript?: string } = {}): Page {
  if (!existsSync(join(directory, 'index.html'))) {
    throw new Error(`no index.html in ${directory}; run "npm run build"`);
  }
  const files = new Map(
    listFiles(directory).map((path) => [`/${relative(directory, path).split(sep).join('/')}`, path]),
  );

  const readIndex = (path: string): PageAnswer => {
    const nonce = randomBytes(16).toString('base64');
    const html = readFileSync(path, 'utf8').replaceAll('__CSP_NONCE__', nonce);
    const later = [...files.keys()]
      .filter((name) => name.endsWith('.js') && !html.includes(`.${name}"`))
      .map((name) => `<link rel="modulepreload" fetchpriority="low" href=".${name}">`);
    const body =
      bridgeScript === undefined
        ? html
        : html.replace(/<script/i, `<script src="${bridgeScript}"></script>${later.join('')}$&`);
    return {
      status: 200,
      headers: {
        ...guardingHeaders,
        'Content-Type': types['.html'] ?? '',
        'Content-Security-Policy': contentSecurityPolicy(nonce),
      },
      body,
    };
  };

  return {
    read: (pathname) => {
      const path = files.get(pathname === '/' ? '/index.html' : pathname);
      const type = path === undefined ? undefined : types[extname(path)];
      if (path === undefined || type === undefined) {
        return {
          status: 404,
          headers: { ...guardingHeaders, 'Content-Type': 'text/plain; charset=utf-8' },
          body: 'Not found',
        };
      }
      if (extname(path) === '.html') {
        return readIndex(path);
      }
      return { status: 200, headers: { ...guardingHeaders, 'Content-Type': type }, body: readFileSync(path) };
    },
  };
}
