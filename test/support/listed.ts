import { ListedElement } from '../../app/platform/listing/listed-element.ts';

/** Elements of the listing as the client answers them. */
export function listed(elements: readonly unknown[]): readonly ListedElement[] {
  return elements.map((element) => new ListedElement(element));
}
