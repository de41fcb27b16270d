import { createSharedTexts } from '../../app/hub/shared-texts.ts';
import type { HubLink } from '../../app/hub/link.ts';
import type { Clock } from '../../app/ports.ts';
import { createSeededRandom } from './seeded-random.ts';

/** What a terminal of this name shares over this link; the hub's time is null while it does not answer. */
export const openHubTexts = (
  clock: Clock,
  link: HubLink,
  name: string,
  time: Parameters<typeof createSharedTexts>[0]['time'],
): ReturnType<typeof createSharedTexts> =>
  createSharedTexts({ clock, random: createSeededRandom(name), link, key: new Uint8Array(32).fill(7), id: name, time });
