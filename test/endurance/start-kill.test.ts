import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, describe, expect, test } from 'vitest';
import { createSeededRandom } from '../support/seeded-random.ts';
import { bundleProgram } from '../support/bundle-program.ts';
import { isNight } from '../support/night.ts';
import { nodeEnvironment } from '../support/child.ts';
import { firstVersion, writeFirstDirectory } from '../support/first-version.ts';
import { makeTemporaryDirectory } from '../support/temporary.ts';

const killPoint = resolve(import.meta.dirname, 'kill-point.ts');
const atATime = 2;
const randomKills = isNight ? 24 : 2;
/** Two lives take half a second each and more: by day, every thirtieth step. */
const stride = isNight ? 1 : 60;

const bundled = makeTemporaryDirectory();
let program = '';
beforeAll(async () => {
  program = await bundleProgram(bundled.path, 'test/endurance/start-and-end.ts');
  return bundled.remove;
});

interface Life {
  readonly said: unknown;
  readonly steps: number;
  readonly isKilled: boolean;
}

/**
 * Runs the program on the folder; it is killed before that step, or so many milliseconds after it was started, or not
 * at all.
 */
function live(
  directory: string,
  provisionPath: string,
  { killAt = 0, killAfterMs = null }: { readonly killAt?: number; readonly killAfterMs?: number | null } = {},
): Promise<Life> {
  return new Promise((done) => {
    const child = spawn(
      process.execPath,
      ['--import', pathToFileURL(killPoint).href, program, directory, provisionPath],
      {
        env: { ...nodeEnvironment(), NODE_NO_WARNINGS: '1', TILLSIDE_TEST_KILL_AT: String(killAt) },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    let [out, err] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => (out += String(chunk)));
    child.stderr.on('data', (chunk: Buffer) => (err += String(chunk)));
    const timer = killAfterMs === null ? null : setTimeout(() => child.kill('SIGKILL'), killAfterMs);
    child.once('close', (_code, signal) => {
      clearTimeout(timer ?? undefined);
      const line = out.trim().split('\n').at(-1) ?? '';
      done({
        said: line === '' ? err.slice(-500) : (JSON.parse(line) as unknown),
        steps: Number(/STEPS (\d+)/.exec(err)?.[1] ?? 0),
        isKilled: signal === 'SIGKILL',
      });
    });
  });
}

/** Faults in the queue's files after all: the request under way, its attempts, and every backup. */
function judgeFiles(directory: string): readonly string[] {
  const store = join(directory, 'store');
  const wrong: string[] = [];
  const queue = new DatabaseSync(join(store, 'queue.db'), { readOnly: true });
  const [check] = queue.prepare('PRAGMA integrity_check').all();
  if (check?.['integrity_check'] !== 'ok') {
    wrong.push(`queue.db: ${String(check?.['integrity_check'])}`);
  }
  const requests = queue
    .prepare(
      'SELECT idempotency_key AS key, body, (SELECT count(*) FROM attempts WHERE request_id = requests.id) AS attempts FROM requests',
    )
    .all();
  if (JSON.stringify(requests) !== JSON.stringify([{ key: firstVersion.key, body: firstVersion.body, attempts: 2 }])) {
    wrong.push(`requests: ${JSON.stringify(requests)}`);
  }
  queue.close();
  for (const name of readdirSync(store).filter((one) => /^queue\.db\.before-\d+$/.test(one))) {
    const backup = new DatabaseSync(join(store, name), { readOnly: true });
    const kept = backup.prepare('SELECT count(*) AS n FROM updates').get()?.['n'];
    const version = backup.prepare('PRAGMA user_version').get()?.['user_version'];
    backup.close();
    if (kept !== firstVersion.states.length || version !== 1) {
      wrong.push(`${name} has ${String(kept)} updates and version ${String(version)}`);
    }
  }
  if (
    readdirSync(store).some((name) => name.includes('damaged')) ||
    readdirSync(directory).some((name) => name.includes('damaged'))
  ) {
    wrong.push('something was set aside');
  }
  return wrong;
}

const stories = [
  { name: 'from the first version', write: writeFirstDirectory, provision: '', judge: judgeFiles },
  {
    name: 'for the first time, from a provisioning file',
    write: (directory: string): Promise<void> => {
      mkdirSync(directory, { recursive: true });
      return Promise.resolve();
    },
    provision:
      '{"platformUrl":"http://127.0.0.1:9","clientId":"till","clientSecret":"made-up","companyId":7,"stockIds":[1]}',
    judge: (): readonly string[] => [],
  },
] as const;

describe.each(stories)('a start $name', ({ write, provision, judge }) => {
  const root = makeTemporaryDirectory();
  const base = join(root.path, 'base');
  const provisionPath = join(root.path, 'till.json');
  let expected: unknown;
  let steps = 0;
  let lastsMs = 0;

  beforeAll(async () => {
    await write(base);
    if (provision !== '') {
      writeFileSync(provisionPath, provision);
    }
    const undisturbed = join(root.path, 'undisturbed');
    // The first start of all compiles what the others find compiled, and lasts longer than they do.
    for (const _start of ['compiling', 'compiled']) {
      rmSync(undisturbed, { recursive: true, force: true });
      cpSync(base, undisturbed, { recursive: true });
      const begunMs = performance.now();
      ({ said: expected, steps } = await live(undisturbed, provisionPath));
      lastsMs = performance.now() - begunMs;
    }
    expect(expected).toHaveProperty('phase', 'signIn');
    expect(judge(undisturbed)).toEqual([]);
    expect(steps).toBeGreaterThan(15);
    return () => {
      root.remove();
    };
  });

  /** Cuts a life off and starts again; answers what is not as it should be. */
  async function cutOff(
    name: string,
    kill: { readonly killAt?: number; readonly killAfterMs?: number },
  ): Promise<{ readonly wrong: readonly string[]; readonly isKilled: boolean }> {
    const directory = join(root.path, name);
    cpSync(base, directory, { recursive: true });
    const { isKilled } = await live(directory, provisionPath, kill);
    const { said } = await live(directory, provisionPath);
    const settled = (seen: unknown): string =>
      JSON.stringify(seen, (key, value: unknown) => (key === 'theme' ? null : value));
    return {
      isKilled,
      wrong: [
        ...(settled(said) === settled(expected) ? [] : [`${name}: ${JSON.stringify(said)}`]),
        ...judge(directory).map((fault) => `${name}: ${fault}`),
      ],
    };
  }

  async function cutAll(
    kills: readonly (readonly [string, { readonly killAt?: number; readonly killAfterMs?: number }])[],
  ): Promise<{ readonly wrong: readonly string[]; readonly killed: number }> {
    const left = [...kills];
    const wrong: string[] = [];
    let killed = 0;
    await Promise.all(
      Array.from({ length: atATime }, async () => {
        for (let next = left.shift(); next !== undefined; next = left.shift()) {
          const outcome = await cutOff(...next);
          wrong.push(...outcome.wrong);
          killed += outcome.isKilled ? 1 : 0;
        }
      }),
    );
    return { wrong, killed };
  }

  test('that is cut off before any step that changes something is made good by the next', async () => {
    const { wrong, killed } = await cutAll(
      Array.from(
        { length: Math.ceil(steps / stride) },
        (_, place) => [`step-${String(place * stride + 1)}`, { killAt: place * stride + 1 }] as const,
      ),
    );
    console.log(`${String(killed)} of ${String(steps)} steps cut off`);
    expect(wrong.slice(0, 10)).toEqual([]);
    expect(killed).toBeGreaterThan((steps / stride) * 0.9);
  });

  test('that is cut off at any moment is made good by the next', async () => {
    const random = createSeededRandom('start-kill');
    const { wrong } = await cutAll(
      Array.from(
        { length: randomKills },
        (_, number) =>
          [
            `moment-${String(number)}`,
            { killAfterMs: random.integer(Math.floor(lastsMs * 0.3), Math.floor(lastsMs * 1.1)) },
          ] as const,
      ),
    );
    expect(wrong.slice(0, 10)).toEqual([]);
  });
});
