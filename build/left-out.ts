import { builtinModules } from 'node:module';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { projectDirectory } from './project.ts';

const writeWholePath = join(projectDirectory, 'app/storage/write-whole.ts').replaceAll('\\', '/');

const refusing = (what: string): string => `throw new Error('${what} was left out of this build')`;

/**
 * Modules that packages bring along and the app's own code never reaches, by the package that imports them, and their
 * replacements. app/platform/http-axios.ts hands axios bytes, a transport and agents of its own, and says that there is no
 * proxy. Stores are opened without a schema and without migrations. conf's own way of writing, atomically, takes what a
 * full disk has written of a file for all of it, and puts that in the place of the settings; and its `when-exit` raises
 * each signal again, which on Windows ends the process.
 */
const leftOut: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  axios: {
    'form-data': `export default class { constructor() { ${refusing('form-data')} } }`,
    'follow-redirects': 'export default { http: null, https: null }',
    'proxy-from-env': `export function getProxyForUrl() { ${refusing('proxy-from-env')} }`,
    'https-proxy-agent': `export default class { constructor() { ${refusing('https-proxy-agent')} } }`,
    http2: 'export default null',
    './fetch.js': `export function getFetch() { ${refusing('fetch')} }`,
  },
  conf: {
    atomically: `export { writeWhole as writeFileSync } from ${JSON.stringify(writeWholePath)};`,
    'ajv/dist/2020.js': `export class Ajv2020 { constructor() { ${refusing('ajv')} } }`,
    'ajv-formats': 'export default {}',
    semver: `export default new Proxy({}, { get: () => { ${refusing('semver')} } })`,
  },
};

const packageOf = (path: string): string => /node_modules[\\/]([^\\/]+)[\\/](?!.*node_modules)/.exec(path)?.[1] ?? '';

/** What stands in for the module that is imported so from there; null when it stays. */
export const replacementOf = (id: string, importer = ''): string | null => leftOut[packageOf(importer)]?.[id] ?? null;

/** Leaves out what the app's own code never reaches. */
export const leaveOut = (): Plugin => ({
  name: 'leave-out',
  enforce: 'pre',
  resolveId: (id, importer) =>
    replacementOf(id, importer) === null ? null : `\0left-out:${packageOf(importer ?? '')}:${id}`,
  load: (path) => {
    const [, from = '', id = ''] = /^\0left-out:([^:]+):(.+)$/.exec(path) ?? [];
    return leftOut[from]?.[id] ?? null;
  },
  // Where a snap starts the app, conf would take itself for a part of that and write in place. It moves no line.
  transform: (code, id) =>
    /conf[\\/]dist[\\/]source[\\/]index\.js$/.test(id)
      ? { code: code.replace('process.env.SNAP', 'undefined'), map: null }
      : null,
});

/** Node's own modules, which no bundle holds. Without the two whose imports are replaced here. */
export const builtIn: readonly string[] = builtinModules
  .filter((name) => name !== 'http' && name !== 'http2')
  .flatMap((name) => [name, `node:${name}`]);

/**
 * Keeps Node from loading its fetch at every start, some 45 ms of the processor, for which nobody asks. Imported,
 * `http` hands over all that it has, and its WebSocket comes with fetch; asked for, it does not. axios looks whether
 * there is a FormData.
 */
export const withoutFetch = (): Plugin => ({
  name: 'without-fetch',
  enforce: 'pre',
  resolveId: (id, _importer, { kind }) => {
    if (!/^(?:node:)?http$/.test(id)) {
      return null;
    }
    return kind === 'import-statement' ? '\0http' : { id, external: true };
  },
  load: (id) =>
    id === '\0http'
      ? "const http = process.getBuiltinModule('node:http'); export default http; export const { Agent, STATUS_CODES, createServer, request } = http;"
      : null,
  // It moves no line, so the source map is good as it is.
  transform: (code, id) =>
    /axios[\\/]lib[\\/]utils\.js$/.test(id)
      ? { code: code.replace('typeof G.FormData', "'undefined'"), map: null }
      : null,
});
