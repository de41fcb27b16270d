import { posix } from 'node:path';
import { isBuiltin } from 'node:module';
import { Visitor, parseSync } from 'vite';

/** One sentence about one file that breaks a rule. */
export interface Violation {
  readonly path: string;
  readonly rule: 'boundary' | 'package' | 'node' | 'cycle' | 'place' | 'computed' | 'clock' | 'tables' | 'syntax';
  readonly message: string;
}

const shared = ['domain', 'contract', 'ports', 'storage', 'rate-limit', 'platform'] as const;
const hosts = [
  'hosts',
  'hosts/browser',
  'hosts/electron',
  'hosts/hub',
  'hosts/node',
  'hosts/programs',
  'hosts/provisioning',
  'hosts/signed',
  'hosts/updates',
] as const;

/** The rooms of a workspace at work. */
const features = [
  'hub',
  'session',
  'catalogue',
  'queue',
  'lock',
  'coupons',
  'settings',
  'expiring',
  'stocktakes',
  'watch-list',
  'shop-lists',
] as const;

const terminalRooms = [
  'terminal/state-events.ts',
  'terminal/device',
  'terminal/workspace',
  'terminal/cards',
  'terminal/manager-lock.ts',
  'terminal/support',
  'terminal/cashiers',
  'terminal/station',
  'terminal/profiles',
  'terminal/provisioning',
] as const;

const electronHost = [
  ...shared,
  'hosts',
  'hosts/electron',
  'hosts/hub',
  'hosts/node',
  'hosts/programs',
  'hosts/provisioning',
];

/**
 * The parts of the app, and for each one which other parts it may import. The order is that of the design: down, never
 * back.
 */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  domain: [],
  contract: ['domain'],
  ports: ['domain'],
  storage: ['domain', 'ports'],
  'rate-limit': ['domain', 'contract', 'ports', 'storage'],
  'platform/listing': ['domain', 'contract'],
  platform: ['domain', 'contract', 'ports', 'rate-limit', 'platform/listing'],
  session: shared,
  catalogue: [...shared, 'platform/listing'],
  queue: shared,
  lock: shared,
  'watch-list': shared,
  expiring: ['domain', 'contract', 'ports', 'storage', 'catalogue'],
  stocktakes: ['domain', 'contract', 'ports', 'storage', 'catalogue'],
  hub: ['domain', 'contract', 'ports', 'storage', 'rate-limit'],
  coupons: [...shared, 'catalogue', 'queue'],
  'shop-lists': [...shared, 'queue', 'coupons', 'watch-list'],
  settings: [...shared, 'lock'],
  'terminal/state-events.ts': ['domain', 'contract', 'ports', 'storage'],
  'terminal/device': ['domain', 'contract', 'ports', 'settings', 'terminal/state-events.ts'],
  'terminal/workspace': [...shared, ...features, 'conformance', 'terminal/state-events.ts'],
  'terminal/cards': ['domain', 'contract', 'ports', 'storage', 'catalogue', 'coupons', 'terminal/workspace'],
  'terminal/manager-lock.ts': [
    'domain',
    'contract',
    'ports',
    'queue',
    'lock',
    'coupons',
    'settings',
    'terminal/workspace',
  ],
  'terminal/support': [...shared, 'hub', 'session', 'settings', 'terminal/workspace'],
  'terminal/cashiers': ['domain', 'contract', 'ports', 'queue', 'session', 'lock', 'settings', 'terminal/workspace'],
  'terminal/station': ['domain', 'contract', 'ports', 'catalogue', 'settings', 'terminal/manager-lock.ts'],
  'terminal/profiles': [
    'domain',
    'contract',
    'ports',
    'platform',
    'session',
    'settings',
    'terminal/state-events.ts',
    'terminal/workspace',
    'terminal/cashiers',
  ],
  'terminal/provisioning': [
    'domain',
    'contract',
    'ports',
    'platform',
    'hub',
    'session',
    'lock',
    'settings',
    'terminal/workspace',
    'terminal/manager-lock.ts',
  ],
  terminal: [...shared, ...features, ...terminalRooms],
  service: ['domain', 'contract', 'storage'],
  bridge: ['domain', 'service', 'storage', 'hosts/node'],
  training: ['domain', 'contract', 'ports', 'storage', 'hub', 'service'],
  conformance: ['domain'],
  'hosts/node': shared,
  'hosts/signed': ['domain', 'ports'],
  'hosts/updates': [...shared, 'hosts/node', 'hosts/signed'],
  hosts: [
    ...shared,
    'hub',
    'session',
    'terminal',
    'terminal/provisioning',
    'terminal/support',
    'training',
    'hosts/node',
  ],
  'hosts/provisioning': [
    ...shared,
    'hub',
    'lock',
    'session',
    'terminal/provisioning',
    'hosts',
    'hosts/node',
    'hosts/signed',
  ],
  'hosts/hub': [...shared, 'hub', 'hosts', 'hosts/node'],
  'hosts/browser': [...shared, 'terminal', 'hosts', 'hosts/node'],
  'hosts/programs': [...shared, 'terminal', 'hosts', 'hosts/node'],
  'hosts/electron': [...shared, 'terminal', 'hosts', 'hosts/node', 'hosts/updates'],
  'main.ts': [...electronHost, 'main-terminal.ts'],
  'main-terminal.ts': electronHost,
  'serve.ts': [...shared, 'hosts', 'hosts/browser', 'hosts/hub', 'hosts/node', 'hosts/programs', 'hosts/provisioning'],
  'preload.ts': ['contract', 'domain', 'hosts/electron'],
  renderer: ['contract', 'domain'],
  build: [
    'domain',
    'contract',
    'hosts',
    'hosts/node',
    'hosts/provisioning',
    'hosts/signed',
    'hosts/updates',
    'bridge',
    'service',
    'training',
    'conformance',
    'serve.ts',
    'hosts/electron',
  ],
  config: ['build', 'test'],
};

const entries = new Set(['main.ts', 'main-terminal.ts', 'serve.ts', 'preload.ts']);
const outsideApp = new Set(['build', 'config', 'test', 'renderer']);
const electronParts = ['hosts/electron', 'main.ts', 'main-terminal.ts', 'preload.ts'];

/** Files that only these parts may import, of those that may import what lies beside them. Tests may import all. */
const walls: readonly { readonly files: RegExp; readonly openTo: readonly string[]; readonly why: string }[] = [
  {
    files: /^app\/platform\/listing\/(?!(?:listed|listed-element|own-place)\.ts$)/,
    openTo: ['platform', 'platform/listing'],
    why: "only the platform's client goes by the names of its listing",
  },
  {
    files: /^app\/domain\/loose-json\.ts$/,
    openTo: [
      'domain',
      'platform',
      'platform/listing',
      'settings',
      'terminal/support',
      'hosts/node',
      'hosts/provisioning',
      'build',
    ],
    why: 'what others have sent or kept is read by names in few places, and the listing in app/platform/listing alone',
  },
];

/** Packages that only these parts, or these single files, may import. Tests may import all. */
const packageOwners: Readonly<Record<string, readonly string[]>> = {
  electron: electronParts,
  'electron-store': electronParts,
  'electron-updater': electronParts,
  conf: ['hosts/node', 'serve.ts', 'hosts/electron'],
  axios: ['app/platform/http-axios.ts'],
  keytar: ['app/session/keytar-vault.ts'],
  mysql2: ['app/bridge/sources/sql/mysql.ts'],
  pg: ['app/bridge/sources/sql/postgres.ts', 'app/hosts/hub/pg-connection.ts'],
  ws: ['app/hosts/programs/event-sockets.ts'],
  hucre: ['renderer/files/xlsx.ts'],
};

/** Packages beside those of `packageOwners` that a part of app/ may import; other parts of app/ may import zod. */
const noPackages = new Set(['domain', 'ports', 'storage', 'rate-limit']);

/** Node's own modules that touch the world outside the process. */
const worldly = new Set(
  [
    'fs fs/promises net http https http2 tls dgram dns dns/promises',
    'os child_process cluster worker_threads module process timers timers/promises vm inspector repl',
  ].flatMap((names) => names.split(' ')),
);
const worldlyParts = new Set<string>([
  ...hosts,
  'storage',
  'service',
  'bridge',
  'training',
  'build',
  'config',
  'main.ts',
  'main-terminal.ts',
  'serve.ts',
  'preload.ts',
]);
/** Single files beside those parts: they implement a port, or are a command. */
const worldlyFiles = new Set([
  'app/conformance/command.ts',
  'app/conformance/http-send.ts',
  'app/platform/agents.ts',
  'app/platform/http-axios.ts',
  'app/platform/http-file.ts',
  'app/platform/tunnel.ts',
  'app/session/keytar-vault.ts',
]);
const noNode = new Set(['domain', 'contract', 'ports', 'renderer']);

/**
 * Files of the simulation that judge, and what they judge from: they know the platform's document, the promises and the
 * contract, and never how the terminal works inside.
 */
const judges =
  /^test\/simulation\/(?:.*\/)?(?:judg|invariants|evidence|copy-evidence|referee|counter-judge)[^/]*(?<!\.test)\.ts$/;
const judgesMayImport: readonly string[] = ['domain', 'contract'];

/** SQLite's; a table that lasts a connection, and PostgreSQL's in the small letters of `hub/schema.ts`, are not meant. */
const changesTables = /\b(?:CREATE (?:VIRTUAL )?TABLE|ALTER TABLE)\b/;

/** Each feature has its tables in files of this name. Practice's platform is another program in the same process. */
function mayChangeTables(path: string, part: string): boolean {
  return part === 'test' || part === 'training' || (part !== 'storage' && posix.basename(path) === 'migrations.ts');
}

/** Whether the file may know the time without being told it by a port. */
function mayKnowTheTime(path: string, part: string): boolean {
  return worldlyParts.has(part) ? part !== 'storage' : part === 'test' || worldlyFiles.has(path);
}

/** The part that a path from the project's folder belongs to, or null when there is none for it. */
export function partOf(path: string): string | null {
  const [top = '', second = '', third = '', ...deeper] = path.split('/');
  if (path.startsWith('docs/.vitepress/')) {
    return 'config';
  }
  if (top !== 'app') {
    if (path === top) {
      return /\.config\.[cm]?[jt]s$/.test(path) ? 'config' : null;
    }
    return ['renderer', 'build', 'test'].includes(top) ? top : null;
  }
  if (second === 'hosts' || second === 'terminal' || second === 'platform') {
    const room = `${second}/${third}`;
    const outside = deeper.length === 0 ? second : null;
    return room in mayImport ? room : outside;
  }
  if (path === 'app/ports.ts') {
    return 'ports';
  }
  if (third === '') {
    return entries.has(second) ? second : null;
  }
  return second in mayImport && !outsideApp.has(second) ? second : null;
}

interface Source {
  readonly path: string;
  readonly part: string;
  /** Its imports, as written. */
  readonly requests: readonly string[];
}

/** Whether a source may import in an expression or a type, name `Date` or a table, or hide a name by an escape. */
const isWorthVisiting = (text: string): boolean =>
  /\bimport\s*[(/]|\bDate\b|\\[ux\d\n]/.test(text) || changesTables.test(text);

function read(path: string, part: string, text: string, report: (violation: Violation) => void): Source {
  const parsed = parseSync(path, text);
  for (const error of parsed.errors) {
    report({ path, rule: 'syntax', message: error.message });
  }
  const requests = new Set(parsed.module.staticImports.map(({ moduleRequest }) => moduleRequest.value));
  let hasTables = false;
  const noteTables = (written: unknown): void => {
    hasTables ||= typeof written === 'string' && changesTables.test(written);
  };
  const reportClock = (call: string): void => {
    if (!mayKnowTheTime(path, part)) {
      report({
        path,
        rule: 'clock',
        message: `asks the machine for the time with \`${call}\`; the Clock port tells it`,
      });
    }
  };
  for (const entry of parsed.module.staticExports.flatMap((statement) => statement.entries)) {
    if (entry.moduleRequest !== null) {
      requests.add(entry.moduleRequest.value);
    }
  }
  const visitor = new Visitor({
    Literal(node) {
      noteTables(node.value);
    },
    TemplateElement(node) {
      noteTables(node.value.raw);
    },
    ImportExpression(node) {
      if (node.source.type === 'Literal' && typeof node.source.value === 'string') {
        requests.add(node.source.value);
      } else if (part !== 'test' && part !== 'build') {
        report({
          path,
          rule: 'computed',
          message: 'imports a module whose name is computed, so that no boundary can be checked',
        });
      }
    },
    TSImportType(node) {
      requests.add(node.source.value);
    },
    NewExpression({ callee, arguments: given }) {
      if (callee.type === 'Identifier' && callee.name === 'Date' && given.length === 0) {
        reportClock('new Date()');
      }
    },
    CallExpression({ callee }) {
      if (callee.type === 'Identifier' && callee.name === 'Date') {
        reportClock('Date()');
      }
    },
  });
  // Most sources have nothing that the visitor looks for, and their trees are half of the work.
  if (isWorthVisiting(text)) {
    visitor.visit(parsed.program);
  }
  if (hasTables && !mayChangeTables(path, part)) {
    report({
      path,
      rule: 'tables',
      message: `makes or changes a table; ${part === 'storage' ? 'storage knows no feature' : 'a feature does so in its migrations.ts'}`,
    });
  }
  return { path, part, requests: [...requests] };
}

function packageNameOf(request: string): string {
  return request
    .split('/')
    .slice(0, request.startsWith('@') ? 2 : 1)
    .join('/');
}

function judgeNode({ path, part }: Source, name: string): Violation | null {
  // The bridge reads the databases of others.
  if (name === 'sqlite' && !['storage', 'test'].includes(part) && path !== 'app/bridge/sources/sql/sqlite-file.ts') {
    return { path, rule: 'node', message: 'imports node:sqlite, which only app/storage may' };
  }
  if (noNode.has(part)) {
    return {
      path,
      rule: 'node',
      message: `imports node:${name}; ${part} runs anywhere and uses none of Node's modules`,
    };
  }
  const isAllowed = !worldly.has(name) || part === 'test' || worldlyParts.has(part) || worldlyFiles.has(path);
  return isAllowed
    ? null
    : { path, rule: 'node', message: `imports node:${name}; ${part} reaches the world through its ports alone` };
}

function judgePackage({ path, part }: Source, name: string): Violation | null {
  if (part === 'test' || part === 'build' || part === 'config') {
    return null;
  }
  const owners = packageOwners[name];
  if (owners !== undefined) {
    return owners.includes(part) || owners.includes(path)
      ? null
      : { path, rule: 'package', message: `imports ${name}, which only ${owners.join(', ')} may` };
  }
  if (part === 'renderer' || (name === 'zod' && !noPackages.has(part))) {
    return null;
  }
  return { path, rule: 'package', message: `imports ${name}, which ${part} may not` };
}

/** The path that an import names, when it begins with a dot. */
function targetOf(path: string, request: string): string {
  return posix.normalize(posix.join(posix.dirname(path), request.replace(/\?.*$/, '')));
}

/**
 * Which parts of app/ each part of app/ imports, itself left out, by the same reading of the sources as
 * `findViolations`.
 */
export function findArrows(texts: ReadonlyMap<string, string>): ReadonlyMap<string, ReadonlySet<string>> {
  const arrows = new Map<string, Set<string>>();
  for (const [path, text] of texts) {
    const part = path.startsWith('app/') ? partOf(path) : null;
    if (part !== null) {
      const targets = arrows.get(part) ?? new Set<string>();
      arrows.set(part, targets);
      for (const request of read(path, part, text, () => undefined).requests.filter((one) => one.startsWith('.'))) {
        const target = partOf(targetOf(path, request));
        if (target !== null && target !== part) {
          targets.add(target);
        }
      }
    }
  }
  return arrows;
}

/** Which files each source imports, by the same reading of the sources as `findViolations`. */
export function findImports(texts: ReadonlyMap<string, string>): ReadonlyMap<string, readonly string[]> {
  return new Map(
    [...texts].map(([path, text]) => [
      path,
      read(path, partOf(path) ?? 'test', text, () => undefined)
        .requests.filter((request) => request.startsWith('.'))
        .map((request) => targetOf(path, request)),
    ]),
  );
}

/** Every circle of imports, each reported once, from its first file by name. */
function findCycles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const cycles: string[][] = [];
  const done = new Set<string>();
  const trail: string[] = [];
  const visit = (path: string): void => {
    const start = trail.indexOf(path);
    if (start >= 0) {
      cycles.push(trail.slice(start));
    } else if (!done.has(path)) {
      trail.push(path);
      for (const next of graph.get(path) ?? []) {
        visit(next);
      }
      trail.pop();
      done.add(path);
    }
  };
  for (const path of [...graph.keys()].toSorted()) {
    visit(path);
  }
  return cycles;
}

/**
 * Judges sources, given as path from the project's folder to text. Imports that begin with a dot are read as paths with
 * their ending.
 */
export function findViolations(texts: ReadonlyMap<string, string>): Violation[] {
  const violations: Violation[] = [];
  const report = (violation: Violation | null): void => {
    if (violation !== null) {
      violations.push(violation);
    }
  };
  const graph = new Map<string, string[]>();
  for (const [path, text] of texts) {
    const part = partOf(path);
    if (part === null) {
      report({ path, rule: 'place', message: 'lies in no part of the app; build/boundaries.ts names the parts' });
      continue;
    }
    const source = read(path, part, text, report);
    const neighbours: string[] = [];
    for (const request of source.requests) {
      if (!request.startsWith('.')) {
        report(
          isBuiltin(request)
            ? judgeNode(source, request.replace(/^node:/, ''))
            : judgePackage(source, packageNameOf(request)),
        );
        continue;
      }
      const target = targetOf(path, request);
      neighbours.push(target);
      const targetPart: string | null = target === 'package.json' ? part : partOf(target);
      if (
        part !== 'test' &&
        targetPart !== part &&
        !(targetPart !== null && mayImport[part]?.includes(targetPart) === true)
      ) {
        report({
          path,
          rule: 'boundary',
          message: `imports ${target}; ${part} may not import ${targetPart ?? 'what lies in none'}`,
        });
      }
      const wall = walls.find(({ files }) => files.test(target));
      if (wall !== undefined && part !== 'test' && !wall.openTo.includes(part)) {
        report({ path, rule: 'boundary', message: `imports ${target}; ${wall.why}` });
      }
      if (target.startsWith('app/') && judges.test(path) && !judgesMayImport.includes(targetPart ?? '')) {
        report({ path, rule: 'boundary', message: `imports ${target}; what judges may not know how the app works` });
      }
    }
    graph.set(path, neighbours);
  }
  for (const cycle of findCycles(graph)) {
    report({
      path: cycle[0] ?? '',
      rule: 'cycle',
      message: `imports itself in a circle: ${[...cycle, cycle[0]].join(' -> ')}`,
    });
  }
  return violations;
}
