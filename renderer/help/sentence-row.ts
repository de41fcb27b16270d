/** True where a row of the help has this sentence, or how it begins; "…" in it is any name, time or number. */
export function matchesRow(sentence: string, row: string): boolean {
  let end = 0;
  return (
    row !== '' &&
    row.split('…').every((part, place) => {
      const at = sentence.indexOf(part.trim(), end);
      end = at + part.trim().length;
      return place === 0 ? at === 0 : at !== -1;
    })
  );
}
