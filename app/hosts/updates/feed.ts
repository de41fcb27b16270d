import { z } from 'zod';

const maxBytes = 500_000_000;

const fileSchema = z.object({
  // Beside the feed, and under no other folder or host.
  url: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,200}$/),
  sha512: z.string().regex(/^[A-Za-z0-9+/]{86}==$/),
  size: z.number().int().min(1).max(maxBytes),
});

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

/** The feed's name for a system (https://www.electron.build/auto-update). */
export function feedName(system: NodeJS.Platform, architecture: string): string {
  const suffixes: Readonly<Record<string, string>> = {
    win32: '',
    darwin: '-mac',
    linux: architecture === 'x64' ? '-linux' : `-linux-${architecture}`,
  };
  return `latest${suffixes[system] ?? `-${system}`}.yml`;
}
