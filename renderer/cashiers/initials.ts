/** How a person is shown of whom only the e-mail is known. */
export interface ShortName {
  /** A letter or two; a number at the end stands in the place of the second. */
  readonly initials: string;
  /** The part that tells them apart: the one before the @. */
  readonly name: string;
  /** The @ and what follows; empty where there is none. */
  readonly rest: string;
}

/** Takes the e-mail apart. */
export function shortNameOf(email: string): ShortName {
  const at = email.lastIndexOf('@');
  const name = at > 0 ? email.slice(0, at) : email;
  const words = name.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  const [first = name, last] = [words[0], words.length > 1 ? words.at(-1) : undefined];
  const number = /\d+$/
    .exec(name)?.[0]
    .replace(/^0+(?=\d)/, '')
    .slice(-2);
  const letterOf = (word: string | undefined): string => [...(word ?? '')][0] ?? '';
  return {
    initials: `${letterOf(first)}${number ?? letterOf(last)}`.toLocaleUpperCase(),
    name,
    rest: at > 0 ? email.slice(at) : '',
  };
}
