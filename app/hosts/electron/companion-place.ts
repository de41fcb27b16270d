export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** How far across and down the room that the bar leaves free, from 0 to 1: the same on screens of every size. */
export interface Place {
  readonly across: number;
  readonly down: number;
}

/** In the middle and near the top, where programs of tills have their headings. */
export const defaultPlace: Place = { across: 0.5, down: 0.12 };

const within = (value: number, most: number): number => Math.min(Math.max(value, 0), Math.max(most, 0));

/** The bar's box at its place of this area: it keeps its upper left corner as it grows, and stays within. */
export function boxAt(
  area: Box,
  size: { readonly width: number; readonly height: number },
  place: Place,
  lowHeight: number,
): Box {
  const width = Math.min(size.width, area.width);
  const height = Math.min(size.height, area.height);
  const x = within(Math.round((area.width - width) * place.across), area.width - width);
  // The place is that of the bar without an answer, which it mostly is.
  const y = within(Math.round((area.height - lowHeight) * place.down), area.height - height);
  return { x: area.x + x, y: area.y + y, width, height };
}

/** The place at which a person has left the bar. */
export function placeOf(area: Box, { x, y, width }: Box, lowHeight: number): Place {
  const part = (from: number, room: number): number => (room <= 0 ? 0 : Math.min(1, Math.max(0, from / room)));
  return { across: part(x - area.x, area.width - width), down: part(y - area.y, area.height - lowHeight) };
}
