import type { ReactElement } from 'react';
import { HubSettings } from '../hub/hub-section.tsx';
import { ShopLists } from '../shop-lists/shop-lists.tsx';

/** What the shop's tills share. */
export function ShopSettings(): ReactElement {
  return (
    <>
      <HubSettings />
      <ShopLists />
    </>
  );
}
