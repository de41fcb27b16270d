// Pure: given facts, it answers a decision; electron-updater carries it out (hosts/electron/updater.ts) and updates.ts
// joins both.
//
//      at rest ──check──→ checking ──newer, offered to us──→ fetching ──whole, hash right──→ ready
//         ↑                  │ nothing, unsigned, offline        │ broken off, wrong hash       │ at a start, if U2 to U8 hold
//         └──────────────────┴───────────────────────────────────┘                              ↓
//         ↑                                                                                 installing
//         └──────────────── the new version runs, or this one after a failed attempt ───────────┘
//
//   U1  A feed is used only with the signature of a key that this terminal knows: before it is fetched, and again
//       before it is installed. Without a key nothing is asked for at all.
//   U2  It is installed at a start alone, before the store is open and before there is a window; never at the end, when
//       somebody may be about to cut the power.
//   U3  Never while a request is under way: one that was sealed and has no answer yet.
//   U4  Never within a quarter of an hour of Tillside having been open on this machine: whoever starts it again then is
//       in the middle of work.
//   U5  At most twice for one version, counted on disk before the attempt, until that version has its window: an
//       installer that fails, or a version that ends before, must not keep a shop from opening.
//   U6  Only a newer version than this one, and than what lies ready and is still good; a signed feed of an older one
//       changes nothing.
//   U7  Where an administrator's word is needed (per machine, deb) it is only told, neither fetched nor installed.
//   U8  Only on a day that it is signed for: one that has expired may be kept back on purpose, to hide a newer version.
//       One that is good for longer than any is signed for says that this machine's clock is behind.
//   U9  Only the file that is signed for this system and processor, and that says the same in its own first bytes.
//   U10 An AppImage that is replaced stays beside the new one until that has its window. One that ends badly before gives
//       its place back at once, unless another start of it runs. The data folder is the new one's from its start on.

/** Longer than any restart in the middle of work, shorter than any night. */
const pauseMs = 15 * 60_000;
/** U5. */
export const maxAttempts = 2;

export interface InstallFacts {
  /** In milliseconds since 1970. */
  readonly now: number;
  /** The update that lies ready, and how often it was tried to install it. */
  readonly ready: { readonly attempts: number } | null;
  /** When Tillside was last open here, in milliseconds since 1970; null when that is not known. */
  readonly lastOpenAt: number | null;
  readonly isRequestUnderWay: boolean;
  /** Whether it can be installed without an administrator. */
  readonly isUnattended: boolean;
  /** Whether its feed is good for this day. */
  readonly isInDate: boolean;
}

export type InstallDecision =
  | 'install'
  | 'nothingReady'
  | 'needsAdministrator'
  | 'notInDate'
  | 'triedEnough'
  | 'inUse'
  | 'underWay';

/** Whether to install now, at a start. */
export function decideInstall({
  now,
  ready,
  lastOpenAt,
  isRequestUnderWay,
  isUnattended,
  isInDate,
}: InstallFacts): InstallDecision {
  if (ready === null) {
    return 'nothingReady';
  }
  if (!isUnattended) {
    return 'needsAdministrator'; // U7
  }
  if (!isInDate) {
    return 'notInDate'; // U8
  }
  if (ready.attempts >= maxAttempts) {
    return 'triedEnough'; // U5
  }
  // A clock that was set back says nothing about the pause.
  if (lastOpenAt === null || (now >= lastOpenAt && now - lastOpenAt < pauseMs)) {
    return 'inUse'; // U4
  }
  return isRequestUnderWay ? 'underWay' : 'install'; // U3
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** How long to the next check, in milliseconds; `fraction`, from 0 to 1, spreads a thousand terminals. */
export function nextCheckAfter(last: 'none' | 'answered' | 'failed', fraction: number): number {
  switch (last) {
    case 'none':
      return 3 * minuteMs + fraction * 12 * minuteMs;
    case 'answered':
      return 5 * hourMs + fraction * 2 * hourMs;
    case 'failed':
      return hourMs + fraction * hourMs;
  }
}

/** The room that must stay free beside the update: the queue's room on the disk comes first. */
const reserveBytes = 1_000_000_000;

/** Whether there is room for fetching and unpacking an update of this size, all in bytes. */
export function hasRoomFor(updateBytes: number, freeBytes: number): boolean {
  return freeBytes >= 3 * updateBytes + reserveBytes;
}

/** Whether there is room where an AppImage lies for a new one of this size beside it, and as much again, all in bytes. */
export function hasRoomBeside(updateBytes: number, freeBytes: number): boolean {
  return freeBytes >= 2 * updateBytes;
}
