import type { Plugin } from 'vite';

const refusing = (what: string): string => `throw new Error('${what} was left out of this build')`;

/**
 * What axios brings for forms, redirects and proxies, and what stands in its place: app/platform/http-axios.ts hands
 * over bytes, a transport and agents of its own, and says that there is no proxy, so that axios asks for none of them.
 */
const leftOut: Readonly<Record<string, string>> = {
  'form-data': `export default class { constructor() { ${refusing('form-data')} } }`,
  'follow-redirects': 'export default { http: null, https: null }',
  'proxy-from-env': `export function getProxyForUrl() { ${refusing('proxy-from-env')} }`,
  'https-proxy-agent': `export default class { constructor() { ${refusing('https-proxy-agent')} } }`,
};

/** Leaves out what the app's own code never reaches: 27 packages behind these four names. */
export function leaveOut(): Plugin {
  return {
    name: 'leave-out',
    enforce: 'pre',
    resolveId: (id, importer = '') =>
      id in leftOut && /node_modules[\\/]axios[\\/]/.test(importer) ? `\0left-out:${id}` : null,
    load: (id) => (id.startsWith('\0left-out:') ? (leftOut[id.slice('\0left-out:'.length)] ?? null) : null),
  };
}
