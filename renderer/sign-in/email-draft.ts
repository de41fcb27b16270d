/** The draft of the e-mail that signs in: typed for anybody, or for whoever took their own tile. */
export const emailDraft = (of = ''): string => `signIn.email ${of}`;
