import { z } from 'zod';

const maxBytes = 500_000_000;

const fileSchema = z.object({
  // Beside the feed, and under no other folder or host.
  url: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,200}$/),
  sha512: z.string().regex(/^[A-Za-z0-9+/]{86}==$/),
  size: z.number().int().min(1).max(maxBytes),
  // Inside what is signed, so that a genuine file is of no use under the name of another machine's feed.
  platform: z.enum(['win32', 'darwin', 'linux']),
  architecture: z.enum(['x64', 'arm64']),
});
export type FeedFile = z.infer<typeof fileSchema>;

const feedSchema = z.object({
  version: z.string().regex(/^\d{1,6}\.\d{1,6}\.\d{1,6}(?:-[0-9A-Za-z.-]{1,50})?$/),
  files: z.array(fileSchema).min(1).max(20),
  /** Until when it is good; in milliseconds since 1970. */
  expires: z.iso.datetime().transform(Date.parse),
  stagingPercentage: z.number().min(0).max(100).optional(),
});
export type Feed = z.infer<typeof feedSchema>;

/** Reads a parsed feed; null for one that is none. */
export function readFeed(document: unknown): Feed | null {
  return feedSchema.safeParse(document).data ?? null;
}

/** The system and processor that a program runs on, as Node names them. */
export interface Machine {
  readonly platform: string;
  readonly architecture: string;
}

/** How the file ends that takes the place of the app; others, such as a deb, are for people. */
const endings: Readonly<Record<FeedFile['platform'], string>> = { win32: '.exe', darwin: '.zip', linux: '.AppImage' };

/** The one file of a feed that may take the place of the app on this machine; null when there is none, or more. */
export function fileFor({ files }: Feed, { platform, architecture }: Machine): FeedFile | null {
  const fitting = files.filter(
    (file) =>
      file.platform === platform && file.architecture === architecture && file.url.endsWith(endings[file.platform]),
  );
  return fitting.length === 1 ? (fitting[0] ?? null) : null;
}

/** The identifiers of a version; of one that is released the last stands behind each word of those before it. */
const identifiersOf = (version: string): readonly string[] =>
  (version.includes('-') ? version.replace('-', '.') : `${version}.~`).split('.');

/** Numbers stand before words. */
const valueOf = (identifier: string): number => (/^\d+$/.test(identifier) ? Number(identifier) : Infinity);

/** Whether a feed's version comes before another one (Semantic Versioning 2.0.0 §11), as electron-updater has it. */
export function isOlder(version: string, than: string): boolean {
  const [ones, others] = [identifiersOf(version), identifiersOf(than)];
  const at = ones.findIndex((one, place) => one !== others[place]);
  const [one, other] = [ones[at], others[at]];
  if (one === undefined || other === undefined) {
    return ones.length < others.length;
  }
  return valueOf(one) === valueOf(other) ? one < other : valueOf(one) < valueOf(other);
}

/** The feed's name for a system (https://www.electron.build/auto-update). */
export function feedName(system: NodeJS.Platform, architecture: string): string {
  const suffixes: Readonly<Record<string, string>> = {
    win32: '',
    darwin: '-mac',
    linux: architecture === 'x64' ? '-linux' : `-linux-${architecture}`,
  };
  return `latest${suffixes[system] ?? `-${system}`}.yml`;
}
