const [longestText, longestEmail] = [500, 320];

/** A text of a row as a screen takes it: the beginning of one that is longer than any that was written there. */
export const shownText = (text: string, longest = longestText): string =>
  text.length > longest ? text.slice(0, longest).toWellFormed() : text;

/** The same of what a user signs in with. */
export const shownEmail = (email: string): string => shownText(email, longestEmail);
