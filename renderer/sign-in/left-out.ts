export type SecretKind = 'clientSecret' | 'pin' | 'address';

/** A secret that a till leaves empty in the file that it saves for others. */
export interface LeftOut {
  readonly kind: SecretKind;
  /** Of a client's secret, its platform and client: profiles that share these have one secret. */
  readonly of: readonly string[];
}

interface Profile {
  readonly platformUrl?: string;
  readonly clientId?: string;
  readonly clientSecret?: string;
}

const places = /(?<="(clientSecret|managerLock"\s*:\s*\{\s*"pin|hub"\s*:\s*\{\s*"address)"\s*:\s*)""/g;

/** The file with its secrets, one a place; nothing else of it is touched, so that what is wrong in it is still told. */
export function fillIn(text: string, secrets: readonly string[]): string {
  const left = secrets.values();
  return text.replaceAll(places, () => JSON.stringify(left.next().value ?? ''));
}

function profilesOf(text: string): readonly (Profile | null)[] {
  try {
    const file = JSON.parse(text) as Profile & { readonly otherProfiles?: readonly Profile[] };
    return [file, ...(file.otherProfiles ?? [])];
  } catch {
    return [];
  }
}

/** The places that the file leaves empty, in its order. */
export function leftOutOf(text: string): readonly LeftOut[] {
  const kinds = [...text.matchAll(places)].map(([, upToName = '']) => upToName.split('"').at(-1) as SecretKind);
  const marks = kinds.map((_kind, place) => `left out ${place}`);
  const profiles = profilesOf(fillIn(text, marks));
  return kinds.map((kind, place) => {
    const { platformUrl = '', clientId = '' } = profiles.find((one) => one?.clientSecret === marks[place]) ?? {};
    return { kind, of: [platformUrl, clientId].filter((part) => part !== '') };
  });
}
