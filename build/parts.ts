export type BuildPart = 'renderer' | 'main' | 'worker' | 'preload' | 'scannerPreload';

/** The sources and the output of each part; paths from the project's folder. */
export const buildParts: Readonly<Record<BuildPart, { readonly sources: readonly string[]; readonly output: string }>> =
  {
    renderer: {
      sources: [
        'renderer',
        'docs',
        'test/ui/pictures',
        'app/contract',
        'app/domain',
        'vite.config.ts',
        'build/build.ts',
        'package-lock.json',
      ],
      output: 'dist/renderer/index.html',
    },
    main: { sources: ['app', 'assets/icons', 'build/build.ts', 'package-lock.json'], output: 'dist/main.js' },
    worker: { sources: ['app/storage/checkpoint-worker.ts', 'build/build.ts'], output: 'dist/checkpoint-worker.js' },
    preload: {
      sources: ['app/preload.ts', 'app/hosts/electron/channels.ts', 'build/build.ts'],
      output: 'dist/preload.cjs',
    },
    scannerPreload: {
      sources: ['app/hosts/electron/scanner-device', 'app/domain/scanner-device.ts', 'build/build.ts'],
      output: 'dist/scanner-preload.cjs',
    },
  };

/** The parts of the packaged folder; on Linux, where it is tested. */
export const packaged = {
  sources: [
    'app',
    'renderer',
    'docs',
    'test/ui/pictures',
    'build',
    'electron-builder.yml',
    'package.json',
    'package-lock.json',
    'assets/icons',
    'assets/provisioning.schema.json',
  ],
  output: 'dist/package/linux-unpacked/resources/app.asar',
} as const;

/** The website of docs/, which `npm run site` makes. */
export const site = {
  sources: ['docs', 'test/ui/pictures', 'renderer/icon.svg', 'package.json', 'package-lock.json'],
  output: 'dist/site/index.html',
} as const;
