/** Each has a copy of its listing, so there is a limit. */
export const maxProfiles = 10;
