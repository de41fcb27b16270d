/** Text of somebody else as a command prints it: on one line, moving no cursor, hiding and turning round nothing. */
export const onOneLine = (text: string): string => text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '�');
