import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { whyNoProof } from '../../../build/electron-runtime.ts';
import { publicKeyOf, signText, withExpiry } from '../../../build/sign-feed.ts';
import { readUpdateSource } from '../../../build/update-source.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { newSigningKey } from '../../support/update-server.ts';

const root = join(import.meta.dirname, '../../..');
const scripts = join(root, '.github');
const workflows = join(scripts, 'workflows');
const release = readFileSync(join(workflows, 'release.yml'), 'utf8');
const path = process.env['PATH'] ?? '';

/** The jobs of a workflow, by name. */
function jobsOf(text: string): ReadonlyMap<string, string> {
  const [, ...parts] = text.slice(text.indexOf('\njobs:\n')).split(/^ {2}(?=[\w-]+:\n)/m);
  return new Map(parts.map((part) => [part.slice(0, part.indexOf(':')), part]));
}

test('whoever may attest installs nothing and holds no secret; whoever holds one waits for a reviewer', () => {
  const jobs = jobsOf(release);
  expect([...jobs.keys()]).toEqual([
    'tests',
    'gate',
    'shipped',
    'app',
    'build',
    'make-msi',
    'msi',
    'attest',
    'sign',
    'publish',
  ]);
  for (const [name, text] of jobs) {
    expect([name, text.includes('id-token: write')]).toEqual([name, name === 'attest']);
    if (text.includes('secrets.')) {
      expect([name, text]).toEqual([name, expect.stringMatching(/^ {4}environment: release$/m)]);
      expect([name, text.includes('npm test')]).toEqual([name, false]);
    }
  }
  expect(jobs.get('attest')).not.toMatch(/npm|secrets\./);
  for (const name of ['attest', 'sign', 'publish']) {
    expect(jobs.get(name)).toContain(
      'run: .github/digests.sh check release Linux "$LINUX" Windows "$WINDOWS" macOS "$MACOS" msi "$MSI"\n',
    );
    // By name: other jobs of the run have artifacts, too.
    expect(jobs.get(name)).toContain(
      'path: release, merge-multiple: true, pattern: "{ubuntu-24.04,windows-2025,macos-15,msi}"',
    );
  }
});

test('where a secret is, just what was built without one is packaged, and no package’s script runs', () => {
  const jobs = jobsOf(release);
  expect(jobs.get('app')).toMatch(/^ {6}- run: npm run package -- --only-build$/m);
  expect(jobs.get('app')).not.toMatch(/secrets\.|environment:/);
  expect(jobs.get('build')).toContain('.github/digests.sh check app-built app "$DIGEST"\n');
  expect(jobs.get('build')).toContain('npm run package -- --built\n');
  for (const [name, text] of jobs) {
    if (text.includes('secrets.')) {
      const asking = [...text.matchAll(/npm (?:run )?([\w:-]+)(?: -- (--built))?/g)].map(([, ...asked]) =>
        asked.join(' '),
      );
      expect([name, asking.filter((script) => ['package ', 'package:dir ', 'build '].includes(script))]).toEqual([
        name,
        [],
      ]);
      expect([name, text.match(/npm ci(?!.*--ignore-scripts).*/g)]).toEqual([name, null]);
    }
  }
});

test.skipIf(process.platform === 'win32')('no command of a package comes before ours where a secret is', () => {
  const [bringer, folder] = [temporaryDirectory(), temporaryDirectory()];
  const bin = { node: 'theirs', sh: 'theirs' };
  writeFileSync(join(bringer, 'package.json'), JSON.stringify({ name: 'bringer', version: '1.0.0', bin }));
  writeFileSync(join(bringer, 'theirs'), '#!/bin/bash\necho theirs\n', { mode: 0o755 });
  const run = (command: string, cwd = folder): string =>
    execFileSync('bash', ['-ec', command], { cwd, encoding: 'utf8', env: { PATH: path, HOME: folder } });
  run(`npm pack --silent --pack-destination '${folder}'`, bringer);
  const manifest = { scripts: { sign: 'node -p 6*7' }, devDependencies: { bringer: 'file:bringer-1.0.0.tgz' } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  run('npm install --package-lock-only --silent');
  const answerAfter = (install: string): string => {
    run(`${install} --silent`);
    return run('npm run --silent sign');
  };
  const installs = readdirSync(workflows).flatMap((name) =>
    [...jobsOf(readFileSync(join(workflows, name), 'utf8'))]
      .filter(([, text]) => text.includes('secrets.'))
      .flatMap(([job, text]) => (text.match(/npm ci.*/g) ?? []).map((install) => [job, install] as const)),
  );
  expect(installs.map(([job]) => job)).toEqual(['build', 'sign', 'renew']);
  for (const [job, install] of installs) {
    expect([job, answerAfter(install)]).toEqual([job, '42\n']);
  }
  // The control.
  expect(answerAfter('npm ci --ignore-scripts')).toBe('theirs\n');
});

const unpack =
  /check app-built app "\$DIGEST"\n((?: {10}.*\n)+)/.exec(jobsOf(release).get('build') ?? '')?.[1] ?? 'exit 1';

test.skipIf(process.platform === 'win32')('what built the app puts no program of its own where a secret is', () => {
  const [made, folder] = [temporaryDirectory(), temporaryDirectory()];
  for (const [place, text] of [
    [made, 'theirs'],
    [folder, 'ours'],
  ] as const) {
    mkdirSync(join(place, 'build'));
    writeFileSync(join(place, 'build/package.ts'), text);
  }
  mkdirSync(join(made, 'dist'));
  writeFileSync(join(made, 'dist/main.js'), 'built');
  mkdirSync(join(folder, 'app-built'));
  execFileSync('tar', ['-cf', join(folder, 'app-built/app.tar'), 'dist', 'build'], { cwd: made });
  execFileSync('bash', ['-ec', unpack], { cwd: folder });
  expect(readFileSync(join(folder, 'dist/main.js'), 'utf8')).toBe('built');
  expect(readFileSync(join(folder, 'build/package.ts'), 'utf8')).toBe('ours');
});

test.skipIf(process.platform === 'win32').each([
  ['a link to a secret', 'dist/tillside.cdx.json', (at: string) => symlinkSync('/runner/_temp/apple.p8', at)],
  ['a link in place of the folder', 'dist', (at: string) => symlinkSync('../../build', at)],
  ['a second name of a file', 'dist/other.js', (at: string) => linkSync(join(at, '../main.js'), at)],
])('nor %s, which would be packaged or uploaded', (_words, name, put) => {
  const [made, folder] = [temporaryDirectory(), temporaryDirectory()];
  if (name !== 'dist') {
    mkdirSync(join(made, 'dist'));
    writeFileSync(join(made, 'dist/main.js'), 'built');
  }
  put(join(made, name));
  mkdirSync(join(folder, 'app-built'));
  execFileSync('tar', ['-cf', join(folder, 'app-built/app.tar'), 'dist'], { cwd: made });
  expect(spawnSync('bash', ['-ec', unpack], { cwd: folder, encoding: 'utf8' })).toMatchObject({
    status: 1,
    stdout: 'There is a link.\n',
  });
  expect(existsSync(join(folder, 'dist'))).toBe(false);
});

test('the MSI is made where no secret is, and signed where nothing is made', () => {
  const jobs = jobsOf(release);
  expect(jobs.get('make-msi')).toContain('npm run package:msi');
  expect(jobs.get('make-msi')).not.toMatch(/secrets\.|environment:/);
  expect(jobs.get('msi')).toContain('run: .github/digests.sh check made made "$DIGEST"\n');
  expect(jobs.get('msi')).not.toMatch(/npm|wixl|setup-node/);
});

test.each(readdirSync(workflows))('no job of %s leaves the token of its run in the folder', (name) => {
  const text = readFileSync(join(workflows, name), 'utf8');
  const checkouts = [...text.matchAll(/actions\/checkout@.*\n.*/g)].map(([found]) => found);
  expect(checkouts.length).toBeGreaterThan(0);
  expect(checkouts.filter((found) => !found.includes('persist-credentials: false'))).toEqual([]);
});

test('who may sign updates is read from a reviewed file: whoever may push sets a repository’s variables', () => {
  for (const name of readdirSync(workflows)) {
    const text = readFileSync(join(workflows, name), 'utf8');
    const others = [...text.matchAll(/\bvars\b.*/g)].filter(([use]) => !use.startsWith('vars.UPDATE_PERCENTAGE }}'));
    expect([name, others]).toEqual([name, []]);
    for (const [job, steps] of jobsOf(text)) {
      if (/run package -- --built|run sign-feed|renew-feeds\.sh/.test(steps)) {
        // Before anything else is run, or unpacked over the file.
        expect([job, steps]).toEqual([
          job,
          expect.stringMatching(
            /actions\/checkout@.*\n.*\n {6}- shell: bash\n {8}run: grep '\^TILLSIDE_UPDATE_' \.github\/updates\.env >> "\$GITHUB_ENV"\n/,
          ),
        ]);
      }
    }
  }
  const named = new Map(
    [...readFileSync(join(scripts, 'updates.env'), 'utf8').matchAll(/^TILLSIDE_UPDATE_(URL|KEY)=(.*)$/gm)].map(
      ([, name, value = '']) => [name, value],
    ),
  );
  expect(readUpdateSource(named.get('URL') ?? '?', named.get('KEY') ?? '?')).toMatchObject({ ok: true });
});

test('each system packages beside its own certificate alone', () => {
  const given = [...(jobsOf(release).get('build') ?? '').matchAll(/^ {10}\w+: (.*secrets\..*)$/gm)].map(
    ([, value = '']) => value,
  );
  expect(given.length).toBeGreaterThan(5);
  for (const value of given) {
    expect(value).toMatch(
      /^\$\{\{ runner\.os == (?:'Windows' && secrets\.WIN_\w+|'macOS' && secrets\.(?:CSC|APPLE)_\w+) \|\| '' \}\}$/,
    );
  }
});

test('nothing is published without all end-to-end tests on the runtime that ships', () => {
  const shipped = jobsOf(release).get('shipped') ?? '';
  // Without one of these, tests are skipped, or run on another runtime or the unpackaged app.
  for (const name of ['TILLSIDE_REQUIRE_ELECTRON', 'TILLSIDE_REQUIRE_SHIPPED', 'TILLSIDE_PACKAGED']) {
    expect(shipped).toContain(`${name}: "1"`);
  }
  // The whole project, and a failure of it fails the job.
  expect(shipped).toMatch(/^ {6}- run: npm test -- --project e2e$/m);
  expect(shipped).not.toMatch(/continue-on-error|\|\|/);
  expect(shipped).not.toMatch(/from-registry|OVERRIDE/);
  expect(release).not.toContain('rehears');
  expect(jobsOf(release).get('app')).toMatch(/^ {4}needs: \[gate, tests, shipped\]$/m);
  expect(jobsOf(release).get('build')).toMatch(/^ {4}needs: app$/m);
});

test('a run with another runtime is no proof of the package', () => {
  expect(whyNoProof('1.2.3', '1.2.3')).toBeNull();
  expect(whyNoProof('1.2.3', '1.2.4')).toContain('1.2.3');
  expect(whyNoProof(null, '1.2.3')).toContain('no proof');
});

test.each(readdirSync(workflows))('%s takes exact versions of Node, and of the image that it runs in', (name) => {
  const text = readFileSync(join(workflows, name), 'utf8');
  const versions = [...text.matchAll(/node-version: ([^ }]+)/g)].map((match) => match[1]);
  const images = [...text.matchAll(/container: (.+)/g)].map((match) => match[1]);
  expect(versions.filter((version = '') => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
  expect(images.filter((image = '') => !/^node:\d+\.\d+\.\d+-bookworm(?:@sha256:[\da-f]{64})?$/.test(image))).toEqual(
    [],
  );
});

test('the dependency bot waits for days before it offers a new version', () => {
  const text = readFileSync(join(scripts, 'dependabot.yml'), 'utf8');
  expect(text.match(/cooldown: \{ default-days: [1-9]\d* \}/g)).toHaveLength(
    text.match(/package-ecosystem:/g)?.length ?? 0,
  );
});

/** What a job of its own may write. */
const writers: Readonly<Record<string, readonly string[]>> = {
  'attest of release.yml': ['id-token', 'attestations'],
  'publish of release.yml': ['contents'],
  'analyze of codeql.yml': ['security-events'],
  'report of nightly.yml': ['issues'],
  'publish of site.yml': ['pages', 'id-token'],
};

test.each(readdirSync(workflows))(
  '%s begins by itself, with secrets at its steps and the rights that it needs',
  (name) => {
    const text = readFileSync(join(workflows, name), 'utf8');
    const [head = ''] = text.split('\njobs:\n');
    const begins = [...(/^on:\n((?: .*\n)+)/m.exec(head)?.[1] ?? '').matchAll(/^ {2}(\w+):/gm)].map(([, word]) => word);
    if (text.includes('secrets.')) {
      expect(begins).toEqual(name === 'release.yml' ? ['push'] : ['schedule', 'workflow_dispatch']);
      // Not by what is pushed to a branch.
      expect(head.match(/^ +push:.*(?:\n {3,}.*)*/m)?.[0] ?? null).toBe(
        name === 'release.yml' ? '  push: { tags: ["v*"] }' : null,
      );
    }
    // For all jobs alike nothing is given: each has what stands in it.
    expect(head.replaceAll(/^ *#.*$/gm, '')).not.toMatch(/secrets|write|github\.token|^env:/m);
    for (const [job, steps] of jobsOf(text)) {
      const rights = [...steps.matchAll(/([\w-]+): *write\b/g)].map(([, right]) => right);
      expect([job, rights]).toEqual([job, writers[`${job} of ${name}`] ?? []]);
      expect([job, steps]).toEqual([job, expect.not.stringMatching(/write-all|secrets: *inherit/)]);
      if (steps.includes('secrets.')) {
        expect([job, steps]).toEqual([job, expect.stringMatching(/^ {4}environment: (?:release|renewal)$/m)]);
      }
      // Of a variable of the environment a shell makes no command; ten blanks are a line of a script. Eight are a step's,
      // fewer the job's, in which each step would have the secret.
      const uses = steps.split('\n').filter((line) => /\$\{\{.*(?:secrets|github\.token)/.test(line));
      expect([job, uses.filter((line) => !/^ {10}\w+: \$\{\{.*\}\}$|^ {8}env: \{ \w+: "\$\{\{/.test(line))]).toEqual([
        job,
        [],
      ]);
    }
  },
);

test('whatever a job of a release takes from another is checked before anything else is done with it', () => {
  expect(release).not.toContain('continue-on-error');
  const takes = [...jobsOf(release)].flatMap(([job, steps]) =>
    [
      ...steps.matchAll(
        /uses: actions\/download-artifact@.*\n {8}with: \{.*\bpath: ([\w-]+).*\}\n([^]*?)(?=\n {6}- |$)/g,
      ),
    ].map(([, folder = '', rest = '']) => ({
      job,
      folder,
      next: rest + steps.slice(steps.indexOf(rest) + rest.length),
    })),
  );
  expect(takes.map(({ job, folder }) => `${job} ${folder}`)).toEqual([
    'build app-built',
    'make-msi windows',
    'msi made',
    'attest release',
    'sign release',
    'publish release',
    'publish feeds',
  ]);
  for (const { job, folder, next } of takes) {
    const [before = '', ...after] = next.split(`.github/digests.sh check ${folder} `);
    expect([job, after.length]).toEqual([job, 1]);
    expect([job, before]).toEqual([job, expect.not.stringMatching(/npm|node-version|uses: |secrets\./)]);
  }
});

test('no job or step of a release goes on by a condition of its own, whatever has failed before it', () => {
  expect(release.match(/^ {4,8}(?:- )?if:.*/gm)).toBeNull();
});

test('of a release just its own version is signed, and its files go to the one server that is named', () => {
  expect(jobsOf(release).get('sign')).toContain('npm run sign-feed -- --only-version "${GITHUB_REF_NAME#v}" ');
  const upload = readFileSync(join(scripts, 'upload.sh'), 'utf8');
  expect(upload.match(/.*known_hosts/g)).toEqual([String.raw`printf '%s\n' "$HOST_KEY" > ~/.ssh/known_hosts`]);
  expect(upload).not.toContain('HostKey');
});

test('what is published is a draft of what was attested and signed', () => {
  const publish = jobsOf(release).get('publish') ?? '';
  expect(publish).toMatch(/^ {4}needs: \[build, msi, attest, sign\]$/m);
  expect(publish.match(/gh release .*/g)).toEqual([
    'gh release create "$GITHUB_REF_NAME" --draft --verify-tag --generate-notes release/*',
  ]);
  // No feed reaches the update server, and so no terminal, before the draft has been tried.
  expect(publish.split('The update server')[1]).toMatch(
    / {10}rm release\/latest\*\n {10}\.github\/upload\.sh release\/\*\n/,
  );
  expect(release.match(/upload\.sh/g)).toHaveLength(1);
});

test.skipIf(process.platform === 'win32')(
  'a tag that has a release or a draft gets no second one, nor other files',
  () => {
    const publish = jobsOf(release).get('publish') ?? '';
    // Before anything is made or uploaded.
    expect(publish.split('.github/no-release-yet.sh')[0]).not.toMatch(/download-artifact|gh release|upload\.sh/);
    expect(publish).toContain('.github/no-release-yet.sh');
    const status = (gh: string): number | null => {
      const programs = temporaryDirectory();
      writeFileSync(join(programs, 'gh'), `#!/bin/sh\n${gh}\n`, { mode: 0o755 });
      const env = { PATH: `${programs}:${path}`, GITHUB_REPOSITORY: 'shop/till', GITHUB_REF_NAME: 'v1.2.3' };
      return spawnSync(join(scripts, 'no-release-yet.sh'), { env }).status;
    };
    expect(status('')).toBe(0);
    expect(status("printf '%s\\n' v1.2.30 v1x2.3 v1.2.2")).toBe(0);
    expect(status("printf '%s\\n' v1.2.4 v1.2.3 v1.2.2")).toBe(1);
    // GitHub that cannot be asked, also amid its pages, has not said that there is none.
    expect(status('exit 1')).toBe(1);
    expect(status("printf '%s\\n' v1.2.2; exit 1")).toBe(1);
  },
);

test('every file has an owner, and no later line takes one of what signs and releases away', () => {
  const [first, ...others] = readFileSync(join(scripts, 'CODEOWNERS'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  expect(first).toMatch(/^\* @[\w-]+\/[\w-]+$/);
  const team = first?.slice(2) ?? '';
  expect(others.filter((line) => !line.endsWith(`/ ${team}`))).toEqual([]);
  expect(others).toEqual(expect.arrayContaining(['/.github/', '/build/'].map((folder) => `${folder} ${team}`)));
});

test.skipIf(process.platform === 'win32')('what is taken from another job is just what that one made', () => {
  const folder = temporaryDirectory();
  const output = join(temporaryDirectory(), 'output');
  writeFileSync(join(folder, 'a.AppImage'), 'a');
  writeFileSync(join(folder, 'b.yml'), 'b');
  const digests = (...parameters: readonly string[]): number | null =>
    spawnSync(join(scripts, 'digests.sh'), parameters, { env: { PATH: path, GITHUB_OUTPUT: output } }).status;
  expect(digests('write', folder, 'Linux')).toBe(0);
  const [, digest = ''] = readFileSync(output, 'utf8').trim().split('=');
  expect(digests('check', folder, 'Linux', digest)).toBe(0);
  expect(digests('check', folder, 'Linux', '')).not.toBe(0);
  writeFileSync(join(folder, 'b.yml'), 'changed');
  expect(digests('check', folder, 'Linux', digest)).not.toBe(0);
  expect(digests('write', folder, 'Linux')).toBe(0);
  expect(digests('check', folder, 'Linux', digest)).not.toBe(0);
});

test.skipIf(process.platform === 'win32')('beside what the lists of a release name there is nothing', () => {
  const folder = temporaryDirectory();
  const output = join(temporaryDirectory(), 'output');
  const digests = (...parameters: readonly string[]): number | null =>
    spawnSync(join(scripts, 'digests.sh'), parameters, {
      env: { PATH: path, GITHUB_OUTPUT: output, LC_ALL: 'C.UTF-8' },
    }).status;
  // As each job makes its own folder, and the next one takes all of them into one.
  const lists = ['Linux', 'msi'].flatMap((name) => {
    const own = temporaryDirectory();
    writeFileSync(join(own, `a till (${name}).exe`), name);
    expect(digests('write', own, name)).toBe(0);
    cpSync(own, folder, { recursive: true });
    return [name, /=(\S+)\n$/.exec(readFileSync(output, 'utf8'))?.[1] ?? ''];
  });
  expect(digests('check', folder, ...lists)).toBe(0);
  expect(digests('check', folder, ...lists.slice(0, 2))).not.toBe(0);
  expect(digests('check', folder, ...lists.slice(0, 3))).not.toBe(0);
  const names = ['latest-other.yml', 'without a dot', '.hidden', '-rf', 'SHA256SUMS-Windows', 'a till (msi).exe\n'];
  for (const strange of names) {
    writeFileSync(join(folder, strange), 'x');
    expect(digests('check', folder, ...lists), strange).not.toBe(0);
    rmSync(join(folder, strange));
  }
  // macOS takes no such name.
  const noText = Buffer.concat([Buffer.from(join(folder, 'other')), Buffer.from([0xff])]);
  for (const strange of process.platform === 'darwin' ? [] : [noText]) {
    writeFileSync(strange, 'x');
    expect(digests('check', folder, ...lists)).not.toBe(0);
    rmSync(strange);
  }
  mkdirSync(join(folder, 'pictures'));
  expect(digests('check', folder, ...lists)).not.toBe(0);
  rmSync(join(folder, 'pictures'), { recursive: true });
  expect(digests('check', folder, ...lists)).toBe(0);
  // What lies there under a name of a list, but without a digest, as that list would have it.
  const list = join(folder, 'SHA256SUMS-msi');
  const written = readFileSync(list, 'utf8');
  writeFileSync(join(folder, 'other.js'), 'x');
  for (const mark of ['x', '#']) {
    const listed = `${written}${mark.repeat(64)}  ./other.js\n`;
    writeFileSync(list, listed);
    const digest = createHash('sha256').update(listed).digest('hex');
    expect([mark, digests('check', folder, ...lists.slice(0, 3), digest)]).toEqual([mark, 1]);
  }
});

test.skipIf(process.platform === 'win32')('a tag is released when it is the version of a commit of main', () => {
  // What it refuses ends the release: `app`, and so whatever comes after it, waits for this job.
  expect(jobsOf(release).get('gate')).toMatch(/^ {6}- run: \.github\/release-gate\.sh$/m);
  expect(jobsOf(release).get('app')).toMatch(/^ {4}needs: \[gate, /m);
  const folder = temporaryDirectory();
  const git = (...parameters: readonly string[]): unknown =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...parameters], { cwd: folder });
  const github = { GITHUB_SERVER_URL: 'https://git.example.com', GITHUB_REPOSITORY: 'shop/till' };
  const gate = (tag: string, repository = github.GITHUB_REPOSITORY): number | null =>
    spawnSync(join(scripts, 'release-gate.sh'), {
      cwd: folder,
      env: { PATH: path, ...github, GITHUB_REPOSITORY: repository, GITHUB_REF_NAME: tag },
    }).status;
  writeFileSync(
    join(folder, 'package.json'),
    '{"version":"1.2.3","repository":{"url":"https://git.example.com/shop/till"}}',
  );
  git('init', '-q');
  git('add', '.');
  git('commit', '-q', '-m', 'One');
  git('update-ref', 'refs/remotes/origin/main', 'HEAD');
  expect(gate('v1.2.3')).toBe(0);
  expect(gate('v1.2.4')).toBe(1);
  // Its packages would send people to another one.
  expect(gate('v1.2.3', 'fork/till')).toBe(1);
  git('commit', '-q', '--allow-empty', '-m', 'Two');
  expect(gate('v1.2.3')).toBe(1);
  // Git takes a tag of this name for it first, and whoever may push may make one that is no release's.
  git('tag', 'origin/main');
  expect(gate('v1.2.3')).toBe(1);
});

test.skipIf(process.platform === 'win32')('a feed is renewed with its old signature and its own version alone', () => {
  const privateKey = newSigningKey();
  const feed = (platform: string, architecture = 'x64'): string =>
    withExpiry(
      `version: 1.2.3\nfiles:\n  - url: Tillside.AppImage\n    sha512: ${'A'.repeat(86)}==\n    size: 5\n    platform: ${platform}\n    architecture: ${architecture}\n`,
      new Date('2026-01-01T00:00:00.000Z'),
    );
  const published = {
    'latest.yml': feed('win32'),
    'latest-mac.yml': feed('darwin'),
    'latest-linux.yml': feed('linux'),
    'latest-linux-arm64.yml': feed('linux', 'arm64'),
  };
  interface Renewal {
    readonly signer?: string;
    readonly isReleased?: boolean;
    readonly version?: string;
    readonly assets?: Readonly<Record<string, string>>;
    readonly known?: string;
  }
  const renew = ({
    signer,
    isReleased,
    version,
    assets = published,
    known,
  }: Renewal): readonly [number | null, boolean] => {
    const folder = temporaryDirectory();
    const [programs, feeds, there] = ['programs', 'feeds', 'there'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    [programs, feeds, there].forEach((made) => mkdirSync(made));
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ version: version ?? '1.2.3' }));
    for (const [name, text] of Object.entries(assets)) {
      writeFileSync(join(there, name), text);
      writeFileSync(join(there, `${name}.sig`), signText(text, signer ?? privateKey));
    }
    writeFileSync(
      join(programs, 'gh'),
      `#!/bin/sh\ncase "$2 $3" in 'download v1.2.3') ${isReleased === false ? 'exit 1' : `cp '${there}'/* '${feeds}'`} ;; download*) cp '${there}'/* '${feeds}' ;; esac\n`,
      { mode: 0o755 },
    );
    writeFileSync(
      join(programs, 'npm'),
      `#!/bin/sh\nshift 4\nexec '${process.execPath}' '${root}/build/sign-feed.ts' "$@"\n`,
      { mode: 0o755 },
    );
    const { status } = spawnSync(join(scripts, 'renew-feeds.sh'), [feeds], {
      cwd: folder,
      env: {
        PATH: `${programs}:${path}`,
        TILLSIDE_UPDATE_PRIVATE_KEY: privateKey,
        TILLSIDE_UPDATE_KEY: known ?? publicKeyOf(privateKey),
      },
    });
    const isChanged = Object.entries(assets).some(
      ([name, text]) => existsSync(join(feeds, name)) && readFileSync(join(feeds, name), 'utf8') !== text,
    );
    return [status, isChanged];
  };
  expect(renew({})).toEqual([0, true]);
  expect(renew({ signer: newSigningKey() })).toEqual([2, false]);
  // Whoever may push sets secrets: with another key no terminal would believe a feed.
  expect(renew({ known: publicKeyOf(newSigningKey()) })).toEqual([2, false]);
  // They may also hide a release, as a draft or by a mark. Its version stands where a change is reviewed.
  expect(renew({ isReleased: false })).toEqual([1, false]);
  expect(renew({ version: '1.3.0' })).toEqual([2, false]);
  // And take its files away, or give one the name of another.
  const { 'latest-mac.yml': ofMac, ...others } = published;
  expect(renew({ assets: others })).toEqual([2, false]);
  expect(renew({ assets: { ...published, 'latest.yml': ofMac } })).toEqual([2, false]);
});

test('a rehearsal on one machine takes every step of a release that needs no account', () => {
  const rehearsal = readFileSync(join(root, 'test/release/rehearse'), 'utf8').replaceAll(
    'npm run --silent ',
    'npm run ',
  );
  const steps = [
    ...release.matchAll(
      /npm run [\w:-]+(?: -- --(?:only-build|built))?|\.github\/[\w-]+\.sh \w+|osslsigncode sign|sha256sum/g,
    ),
  ];
  const missing = new Set(steps.map(([step]) => step).filter((step) => !rehearsal.includes(step)));
  expect(steps.length).toBeGreaterThan(15);
  // It goes to the update server.
  expect([...missing]).toEqual(['.github/upload.sh release']);
});

test('one list says what only a person with accounts can do, with all that the workflows ask for', () => {
  const list =
    readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8').split('### What only a person with accounts can do\n')[1] ?? '';
  const asked = readdirSync(workflows).flatMap((name) =>
    [...readFileSync(join(workflows, name), 'utf8').matchAll(/(?:secrets\.|environment: |vars\.)([\w-]+)/g)].map(
      ([, word = '']) => word,
    ),
  );
  expect(new Set(asked).size).toBeGreaterThan(12);
  expect([...new Set(asked)].filter((word) => !list.includes(`\`${word}\``))).toEqual([]);
});
