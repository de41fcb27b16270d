import { parseJson } from '../../app/domain/json.ts';
import { fail, succeed } from '../../app/domain/result.ts';
import type { HubLink } from '../../app/hub/link.ts';
import { open, seal } from '../../app/hub/sealing.ts';
import type { SeededRandom } from './seeded-random.ts';

/** A document of one till as the version wrote it that knew no rows; its key is 32 times 1. */
export const earlierDocument = {
  account: 'account',
  version: 7,
  sealed:
    'yBLh7bZEF9YJDc+6kimEQfo/+1A+krQsujMpUPF3A6M8L+uQaCX+fGqz75jrgtjWopOEbqemKUM7MFm0f2ICe9m+N4oXtidgvQ9f' +
    'OJlzC2Yt42W94mgspe9mRxcw+MKvOB+XbyOOWHt6XXztXSu9dbKzJvKL1JTUWT8H6Xqwy5w3N12sdGRvYrF/7ozTE6Cq4jKGENwW' +
    'SO9xHGWib7YqW/nk30O/tbXZhFFz5iZAAdg5R0EnaY55IKM27pNmomMDOLoRTIee3nRC5wFfb0tEOJdk/CdrZJRM4gsQ5vE34bfF' +
    '9jFhV4pIOrplnJxGRz/bYRTIugLyhwcfyMzuCZjbv2WvfPpvuaMuOxkwrf00l+GiExChm3xT0umeIY7HjIAw0ECA7WeV5Zfmjn7E' +
    'tuuvWMVQf64LeAXoGsWVCOLYx+xAdPdIYlO3b+bBdAULsBDOq39nLc/+nSyxWxKx3iPZdJ60pjpWYHSCi4qzQWGGFyQIneYmPOEv' +
    'E3d2pUV4UdNOTr7mkpCw4xYac4dO7m7SJuEfelg5bbS/UwvEVkCljkiOswABjdNjWXfOxZlBIF8rN5j9j1EHYow=',
};

/** The fields of a member that the version knew which had no rows: it drops all others when it writes. */
const earlierFields =
  'name appVersion rights own share held windowMs wants writes writtenLoMs writtenHiMs heardHiMs isRemembered'.split(
    ' ',
  );

interface Whole {
  readonly format: number;
  readonly members: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

const meaningOf = (account: string, version: number): string => `tillside-hub 1\n${account}\n${version}`;

/** The hub as a till writes to it of the version that gathered no figures; it asks for each by itself. */
export function asUngatheringVersion(link: HubLink, key: Uint8Array, random: SeededRandom): HubLink {
  return {
    ...link,
    write: (account, reading, document, ...rest) => {
      const meaning = meaningOf(account, reading.version + 1);
      const text = open(key, meaning, Buffer.from(document, 'base64'))?.toString('utf8');
      if (text === undefined) {
        return link.write(account, reading, document, ...rest);
      }
      const { figuresMs: _unknown, ...known } = parseJson(text) as Readonly<Record<string, unknown>>;
      const sealed = seal(key, meaning, Buffer.from(JSON.stringify(known)), random).toString('base64');
      return link.write(account, reading, sealed, ...rest);
    },
  };
}

/** The hub as a till of that version sees it and writes to it; what it cannot read it leaves alone. */
export function asEarlierVersion(link: HubLink, key: Uint8Array, random: SeededRandom): HubLink {
  const wholeOf = (account: string, version: number, sealed: string): Whole | null =>
    parseJson(
      open(key, meaningOf(account, version), Buffer.from(sealed, 'base64'))?.toString('utf8') ?? '',
    ) as Whole | null;
  return {
    ...link,
    read: async (account, timeoutMs) => {
      const read = await link.read(account, timeoutMs);
      if (!read.ok || read.value.document === null) {
        return read.ok ? succeed({ ...read.value, rows: null }) : read;
      }
      const { version, document } = read.value;
      return wholeOf(account, version, document)?.format === 1
        ? succeed({ ...read.value, rows: null })
        : fail({ kind: 'newerVersion' });
    },
    write: (account, reading, document, timeoutMs) => {
      const version = reading.version + 1;
      const whole = wholeOf(account, version, document);
      const members = Object.fromEntries(
        Object.entries(whole?.members ?? {}).map(([id, member]) => [
          id,
          Object.fromEntries(Object.entries(member).filter(([field]) => earlierFields.includes(field))),
        ]),
      );
      const { catalogueMs: _unknown, ...known } = { catalogueMs: 0, ...whole };
      const text = JSON.stringify({ ...known, members });
      const sealed = seal(key, meaningOf(account, version), Buffer.from(text), random).toString('base64');
      return link.write(account, reading, sealed, timeoutMs);
    },
  };
}
