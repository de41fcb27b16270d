import { describe, expect, it } from 'vitest';
import { findArrows, findViolations, partOf } from '../../../build/boundaries.ts';
import { drawRooms } from '../../../build/rooms.ts';

function judge(texts: Readonly<Record<string, string>>): string[] {
  return findViolations(new Map(Object.entries(texts))).map(({ path, rule, message }) => `${path} ${rule}: ${message}`);
}

describe('boundaries between the parts', () => {
  it.each([
    ['domain', 'ports', 'app/domain/a.ts', "import { b } from '../ports.ts';"],
    ['domain', 'contract', 'app/domain/a.ts', "import type { B } from '../contract/contract.ts';"],
    ['contract', 'ports', 'app/contract/a.ts', "import type { B } from '../ports.ts';"],
    ['ports', 'contract', 'app/ports.ts', "import type { B } from './contract/contract.ts';"],
    ['storage', 'platform', 'app/storage/a.ts', "import { b } from '../platform/b.ts';"],
    ['rate-limit', 'platform', 'app/rate-limit/a.ts', "import { b } from '../platform/b.ts';"],
    ['platform', 'session', 'app/platform/a.ts', "import { b } from '../session/b.ts';"],
    ['queue', 'catalogue', 'app/queue/a.ts', "import { b } from '../catalogue/b.ts';"],
    ['queue', 'coupons', 'app/queue/a.ts', "export { b } from '../coupons/b.ts';"],
    ['queue', 'coupons', 'app/queue/a.ts', "export * from '../coupons/b.ts';"],
    ['lock', 'settings', 'app/lock/a.ts', "import { b } from '../settings/b.ts';"],
    ['catalogue', 'session', 'app/catalogue/a.ts', "const b = await import('../session/b.ts'); void b;"],
    ['session', 'queue', 'app/session/a.ts', "export type B = import('../queue/b.ts').B;"],
    ['queue', 'hosts', 'app/queue/a.ts', "import { b } from '../hosts/b.ts';"],
    ['queue', 'terminal', 'app/queue/a.ts', "import { b } from '../terminal/b.ts';"],
    ['terminal', 'hosts/electron', 'app/terminal/a.ts', "import { b } from '../hosts/electron/b.ts';"],
    ['terminal', 'training', 'app/terminal/a.ts', "import { b } from '../training/b.ts';"],
    ['terminal/workspace', 'terminal', 'app/terminal/workspace/a.ts', "import { b } from '../b.ts';"],
    ['terminal/device', 'terminal/workspace', 'app/terminal/device/a.ts', "import { b } from '../workspace/b.ts';"],
    ['terminal/state-events.ts', 'terminal', 'app/terminal/state-events.ts', "import { b } from './b.ts';"],
    [
      'hosts/browser',
      'terminal/workspace',
      'app/hosts/browser/a.ts',
      "import { b } from '../../terminal/workspace/b.ts';",
    ],
    ['hosts', 'hosts/browser', 'app/hosts/a.ts', "import { b } from './browser/b.ts';"],
    ['hosts/node', 'hosts', 'app/hosts/node/a.ts', "import { b } from '../b.ts';"],
    ['hosts/browser', 'hosts/electron', 'app/hosts/browser/a.ts', "import { b } from '../electron/b.ts';"],
    ['serve.ts', 'hosts/electron', 'app/serve.ts', "import { b } from './hosts/electron/b.ts';"],
    ['preload.ts', 'terminal', 'app/preload.ts', "import { b } from './terminal/b.ts';"],
    ['renderer', 'ports', 'renderer/a.tsx', "import type { B } from '../app/ports.ts';"],
    ['renderer', 'catalogue', 'renderer/stores/a.ts', "import { b } from '../../app/catalogue/b.ts';"],
    ['renderer', 'test', 'renderer/a.tsx', "import { b } from '../test/support/b.ts';"],
    ['platform', 'renderer', 'app/platform/a.ts', "import { b } from '../../renderer/b.ts';"],
    ['platform', 'build', 'app/platform/a.ts', "import { b } from '../../build/b.ts';"],
  ])('holds %s back from %s', (part, other, path, text) => {
    expect(judge({ [path]: text })).toEqual([
      expect.stringMatching(new RegExp(`^${path} boundary: imports .*; ${part} may not import ${other}$`)),
    ]);
  });

  it.each([
    ['test/simulation/judge-senders.ts', '../../app/queue/repository.ts'],
    ['test/simulation/judging.ts', '../../app/ports.ts'],
    ['test/simulation/invariants.ts', '../../app/terminal/terminal.ts'],
    ['test/simulation/evidence.ts', '../../app/coupons/plan-times.ts'],
    ['test/simulation/referee-stock.ts', '../../app/training/data.ts'],
    ['test/simulation/calls/judge-answers.ts', '../../../app/lock/lock.ts'],
    ['test/simulation/counter/counter-judge.ts', '../../../app/rate-limit/rules.ts'],
  ])('keeps %s from how the app works', (path, request) => {
    expect(judge({ [path]: `import type { B } from '${request}';` })).toEqual([
      expect.stringMatching(/ boundary: imports .*; what judges may not know how the app works$/),
    ]);
    const allowed = request.replace(/app\/.*/, 'app/contract/contract.ts');
    expect(judge({ [path]: `import type { B } from '${allowed}';` })).toEqual([]);
    // A test of a judge may play the terminal.
    expect(judge({ [path.replace(/\.ts$/, '.test.ts')]: `import type { B } from '${request}';` })).toEqual([]);
  });

  it.each([
    ['app/catalogue/repository/a.ts', '../../platform/listing/element.ts'],
    ['app/catalogue/sync/a.ts', '../../platform/listing/wire.ts'],
    ['app/catalogue/repository/a.ts', '../../platform/listing/stock-fields.ts'],
    ['app/catalogue/repository/a.ts', '../../domain/loose-json.ts'],
    ['app/stocktakes/a.ts', '../domain/loose-json.ts'],
  ])('keeps %s from the names of the listing', (path, request) => {
    expect(judge({ [path]: `import { b } from '${request}';` })).toEqual([
      expect.stringMatching(
        new RegExp(`^${path} boundary: imports .*; (?:only the platform's client|what others have)`),
      ),
    ]);
    expect(judge({ 'app/platform/a.ts': `import { b } from '../${request.replace(/^[./]+/, '')}';` })).toEqual([]);
  });

  it('shows the catalogue what was read of the listing, and no other feature', () => {
    const request = "import { b } from '../platform/listing/listed-element.ts';";
    expect(judge({ 'app/catalogue/a.ts': request })).toEqual([]);
    expect(judge({ 'app/coupons/a.ts': request })).toEqual([
      expect.stringContaining('; coupons may not import platform/listing'),
    ]);
    expect(judge({ 'app/platform/listing/a.ts': "import { b } from '../client.ts';" })).toEqual([
      expect.stringContaining('; platform/listing may not import platform'),
    ]);
  });

  it('lets through what the design allows', () => {
    expect(
      judge({
        'app/contract/a.ts': "import { z } from 'zod'; import type { Id } from '../domain/int64.ts'; void z;",
        'app/queue/a.ts':
          "import { join } from 'node:path'; import { b } from '../storage/b.ts'; import type { C } from '../platform/c.ts';",
        'app/storage/a.ts': "import { DatabaseSync } from 'node:sqlite'; import { rmSync } from 'node:fs';",
        'app/training/a.ts': "import { createServer } from 'node:http'; const now = new Date(); void now;",
        'app/hosts/electron/a.ts': "import { app } from 'electron'; import { t } from '../../terminal/terminal.ts';",
        'app/coupons/a.ts': "import { b } from '../queue/b.ts';",
        'app/platform/http-axios.ts': "import axios from 'axios'; import { Agent } from 'node:https';",
        'renderer/a.tsx':
          "import { useState } from 'react'; import '@mantine/core/styles.css'; import { c } from '../app/contract/a.ts';",
        'test/unit/a.test.ts': "import { a } from '../../app/queue/a.ts'; import { DatabaseSync } from 'node:sqlite';",
        'vite.config.ts': "import { defineConfig } from 'vite';",
      }),
    ).toEqual([]);
  });
});

it('draws which part imports which, without what a longer way shows', () => {
  const texts = new Map([
    [
      'app/queue/a.ts',
      "import { b } from './b.ts'; import { c } from '../platform/c.ts'; import type { D } from '../domain/d.ts'; import { z } from 'zod';",
    ],
    ['app/platform/c.ts', "export { D } from '../domain/d.ts';"],
    ['app/hosts/node/e.ts', "const c = await import('../../platform/c.ts'); void c;"],
    ['renderer/f.ts', "import type { D } from '../app/domain/d.ts';"],
  ]);
  expect(drawRooms(findArrows(texts)).split('\n')).toEqual([
    '```mermaid',
    'flowchart TD',
    '  hosts/node --> platform',
    '  platform --> domain',
    '  queue --> platform',
    '```',
  ]);
});

describe('packages and modules of Node', () => {
  it.each([
    ['app/domain/a.ts', "import { z } from 'zod';"],
    ['app/contract/a.ts', "import axios from 'axios';"],
    ['app/queue/a.ts', "import { app } from 'electron';"],
    ['app/hosts/browser/a.ts', "import { app } from 'electron';"],
    ['app/hosts/browser/a.ts', "import Store from 'electron-store';"],
    ['app/platform/a.ts', "import axios from 'axios';"],
    ['app/session/a.ts', "import keytar from 'keytar';"],
    ['app/session/a.ts', "import { create } from 'zustand';"],
    ['app/catalogue/a.ts', "import x from '@mantine/core/styles';"],
    ['renderer/a.ts', "import axios from 'axios';"],
  ])('refuses a package in %s: %s', (path, text) => {
    expect(judge({ [path]: text })).toEqual([expect.stringContaining(`${path} package: imports `)]);
  });

  it.each([
    ['app/queue/a.ts', "import { DatabaseSync } from 'node:sqlite';"],
    ['app/hosts/electron/a.ts', "import { DatabaseSync } from 'node:sqlite';"],
    ['app/domain/a.ts', "import { join } from 'node:path';"],
    ['renderer/a.ts', "import { join } from 'node:path';"],
    ...[
      'node:fs',
      'fs',
      'node:fs/promises',
      'node:net',
      'node:http',
      'node:https',
      'node:os',
      'node:child_process',
      'node:timers/promises',
    ].map((name): [string, string] => ['app/catalogue/a.ts', `import * as world from '${name}';`]),
  ])("refuses a module of Node's in %s: %s", (path, text) => {
    expect(judge({ [path]: text })).toEqual([expect.stringContaining(`${path} node: imports node:`)]);
  });
});

describe('the other rules', () => {
  it('finds a circle, through types as well, and tells it once', () => {
    expect(
      judge({
        'app/queue/a.ts': "import { b } from './b.ts';",
        'app/queue/b.ts': "import type { C } from './c.ts';",
        'app/queue/c.ts': "export { a } from './a.ts';",
        'app/queue/d.ts': "import { a } from './a.ts';",
      }),
    ).toEqual([
      'app/queue/a.ts cycle: imports itself in a circle: app/queue/a.ts -> app/queue/b.ts -> app/queue/c.ts -> app/queue/a.ts',
    ]);
  });

  it('has no part for a folder that the design does not name, and none for a file beside the entries', () => {
    expect(
      judge({
        'app/helpers/a.ts': '',
        'app/hosts/helpers/a.ts': '',
        'app/loose.ts': '',
        'scripts/a.ts': '',
        'app/queue/a.ts': "import { b } from '../helpers/b.ts';",
      }),
    ).toEqual([
      expect.stringContaining('app/helpers/a.ts place: '),
      expect.stringContaining('app/hosts/helpers/a.ts place: '),
      expect.stringContaining('app/loose.ts place: '),
      expect.stringContaining('scripts/a.ts place: '),
      expect.stringContaining('app/queue/a.ts boundary: '),
    ]);
    expect(partOf('app/main.ts')).toBe('main.ts');
    expect(partOf('docs/.vitepress/theme/index.ts')).toBe('config');
  });

  it('refuses an import whose name is computed', () => {
    expect(judge({ 'app/queue/a.ts': 'export const load = (name: string) => import(name);' })).toEqual([
      expect.stringContaining('computed: '),
    ]);
  });

  it.each(['new Date()', 'Date()'])(
    'refuses to know the time by `%s` outside the implementations of the ports',
    (text) => {
      const sources = {
        'app/queue/a.ts': `void ${text};`,
        'renderer/a.ts': `void ${text};`,
        'app/hosts/a.ts': `void ${text};`,
        'app/domain/a.ts': 'void new Date(0);',
      };
      expect(judge(sources)).toEqual([
        expect.stringContaining('app/queue/a.ts clock: '),
        expect.stringContaining('renderer/a.ts clock: '),
      ]);
    },
  );

  it('lets a feature make tables in its migrations.ts, and storage none', () => {
    const text = 'export const steps = { first: `CREATE TABLE a (b TEXT) STRICT` };';
    const paths = [
      'app/queue/migrations.ts',
      'app/queue/repository.ts',
      'app/storage/migrations.ts',
      'test/unit/a.test.ts',
    ];
    expect(judge(Object.fromEntries(paths.map((path) => [path, text])))).toEqual([
      expect.stringContaining('app/queue/repository.ts tables: '),
      expect.stringContaining('app/storage/migrations.ts tables: '),
    ]);
    expect(judge({ 'app/storage/a.ts': "export const change = 'ALTER TABLE a ADD COLUMN c';" })).toHaveLength(1);
    expect(judge({ 'app/storage/a.ts': "export const count = 'CREATE TEMP TABLE a (b)';" })).toEqual([]);
  });

  it('tells a source that cannot be read', () => {
    expect(judge({ 'app/queue/a.ts': 'const = 1;' })).toEqual([expect.stringContaining('app/queue/a.ts syntax: ')]);
  });
});
