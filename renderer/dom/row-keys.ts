/** A box of rows that are all about as tall, and how far it is scrolled, in CSS pixels. */
interface RowBox {
  readonly rows: number;
  readonly rowHeight: number;
  readonly viewHeight: number;
  readonly scrollTop: number;
}

/** The row that a key leads to from the one `at`, or from what is in sight when that is -1; undefined by any other key. */
export function rowByKey(
  key: string,
  at: number,
  { rows, rowHeight, viewHeight, scrollTop }: RowBox,
): number | undefined {
  const inView = Math.max(1, Math.floor(viewHeight / rowHeight) - 1);
  const firstSeen = Math.ceil(scrollTop / rowHeight);
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: at < 0 ? firstSeen : at + 1,
    ArrowUp: at < 0 ? firstSeen : at - 1,
    PageDown: (at < 0 ? firstSeen : at) + inView,
    PageUp: (at < 0 ? firstSeen : at) - inView,
    Home: 0,
    End: rows - 1,
  };
  const row = steps[key];
  return row === undefined ? undefined : Math.min(Math.max(0, row), rows - 1);
}
