//   A million rows are 44 million pixels tall; Chromium draws well up to a few million. So the canvas in the scroll box
//   is never taller than `tallestCanvas`, and `shift` says how much further down the rows are than the box:  top =
//   scrollTop + shift.
//
//   1. A small move (wheel, finger, keys) moves the rows by just as much: `shift` stays.
//   2. A large move (the bar is dragged or clicked) goes to the same share of the rows as of the canvas.
//   3. At rest the bar is put to the place that belongs to the rows; no row moves on the screen by that.
//   4. The rows' ends are the box's ends, and near them a pixel of the bar's way is a pixel of the rows', so that they
//      can be reached.

/** Well below 2^24 pixels, from where on places are no longer exact. */
export const tallestCanvas = 4_000_000;
/** Near an end of the canvas, within this, the rows lie on it as they are. */
const endZone = 100_000;
/** A move of more than so many heights of the view is a large one. */
const smallMoveViews = 1.5;

/** The scrolled list, in CSS pixels. */
export interface TallList {
  readonly rows: number;
  readonly rowHeight: number;
  /** The part of the box in which rows are seen. */
  readonly viewHeight: number;
}

export interface ScrollPlace {
  /** Where the box is. */
  readonly scrollTop: number;
  readonly shift: number;
}

export const topPlace: ScrollPlace = { scrollTop: 0, shift: 0 };

/** The height of the canvas that the box scrolls. */
export function canvasHeightOf({ rows, rowHeight }: TallList): number {
  return Math.min(tallestCanvas, rows * rowHeight);
}

function largestTop({ rows, rowHeight, viewHeight }: TallList): number {
  return Math.max(0, rows * rowHeight - viewHeight);
}

function largestScrollTop(list: TallList): number {
  return Math.max(0, canvasHeightOf(list) - list.viewHeight);
}

function clamp(value: number, max: number): number {
  return Math.min(Math.max(0, value), max);
}

/** The place of the rows at rest, with the bar where it belongs; `top` is the first pixel of the rows that is seen. */
export function placeAt(list: TallList, top: number): ScrollPlace {
  const [maxTop, maxScrollTop] = [largestTop(list), largestScrollTop(list)];
  const wanted = clamp(Math.round(top), maxTop);
  if (maxTop === maxScrollTop) {
    return { scrollTop: wanted, shift: 0 };
  }
  const isFirstHalf = wanted < maxTop / 2;
  const toEnd = isFirstHalf ? wanted : maxTop - wanted;
  const share = (toEnd - endZone) / (maxTop - 2 * endZone);
  const onCanvas = toEnd <= endZone ? toEnd : Math.round(endZone + share * (maxScrollTop - 2 * endZone));
  const scrollTop = isFirstHalf ? onCanvas : maxScrollTop - onCanvas;
  return { scrollTop, shift: wanted - scrollTop };
}

/** Where the rows are once the box has been scrolled from the one place to this `scrollTop`. */
export function follow(list: TallList, before: ScrollPlace, scrollTop: number): ScrollPlace {
  const [maxTop, maxScrollTop] = [largestTop(list), largestScrollTop(list)];
  if (maxTop === maxScrollTop) {
    return { scrollTop, shift: 0 };
  }
  if (Math.abs(scrollTop - before.scrollTop) <= smallMoveViews * list.viewHeight) {
    return { scrollTop, shift: clamp(scrollTop + before.shift, maxTop) - scrollTop };
  }
  const onCanvas = clamp(scrollTop, maxScrollTop);
  const isFirstHalf = onCanvas < maxScrollTop / 2;
  const toEnd = isFirstHalf ? onCanvas : maxScrollTop - onCanvas;
  const share = (toEnd - endZone) / (maxScrollTop - 2 * endZone);
  const wanted = toEnd <= endZone ? toEnd : Math.round(endZone + share * (maxTop - 2 * endZone));
  return { scrollTop, shift: (isFirstHalf ? wanted : maxTop - wanted) - scrollTop };
}

/** Whether the bar would come to its end before the rows do, and so must be put right before the next move (rule 4). */
export function isCramped(list: TallList, place: ScrollPlace): boolean {
  const isNearTop = place.scrollTop < list.viewHeight && place.shift > 0;
  const isNearEnd =
    place.scrollTop > largestScrollTop(list) - list.viewHeight &&
    place.scrollTop + place.shift - largestTop(list) < place.scrollTop - largestScrollTop(list);
  return isNearTop || isNearEnd;
}

/** The place in which this row is wholly seen; the same place when it is already. */
export function reveal(list: TallList, place: ScrollPlace, row: number): ScrollPlace {
  const top = place.scrollTop + place.shift;
  const rowTop = row * list.rowHeight;
  if (rowTop >= top && rowTop + list.rowHeight <= top + list.viewHeight) {
    return place;
  }
  return placeAt(list, rowTop < top ? rowTop : rowTop + list.rowHeight - list.viewHeight);
}

/** The rows to be drawn, the first and the one after the last, with `spare` more on either side. */
export function rowsInSight(
  { rows, rowHeight, viewHeight }: TallList,
  { scrollTop, shift }: ScrollPlace,
  spare: number,
): { readonly first: number; readonly end: number } {
  const top = scrollTop + shift;
  return {
    first: Math.max(0, Math.floor(top / rowHeight) - spare),
    end: Math.min(rows, Math.ceil((top + viewHeight) / rowHeight) + spare),
  };
}
