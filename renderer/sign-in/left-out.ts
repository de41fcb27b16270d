/** What a till leaves empty in the file that it saves for others: it holds no secret. */
export const secretKinds = ['clientSecret', 'pin', 'hub'] as const;
export type SecretKind = (typeof secretKinds)[number];

const places: Readonly<Record<SecretKind, RegExp>> = {
  clientSecret: /("clientSecret"\s*:\s*)""/g,
  pin: /("managerLock"\s*:\s*\{\s*"pin"\s*:\s*)""/g,
  hub: /("hub"\s*:\s*\{\s*"address"\s*:\s*)""/g,
};

/** The secrets that the file leaves out. */
export function leftOutOf(text: string): readonly SecretKind[] {
  return secretKinds.filter((kind) => text.search(places[kind]) !== -1);
}

/** The file with its secrets; nothing else of it is touched, so that what is wrong in it is still told. */
export function fillIn(text: string, secrets: Readonly<Partial<Record<SecretKind, string>>>): string {
  return secretKinds.reduce(
    (filled, kind) =>
      filled.replaceAll(places[kind], (_place, before: string) => before + JSON.stringify(secrets[kind] ?? '')),
    text,
  );
}
