// Owns the barcode on a product's card: a white plate whose room is there from the first painting, and into which the bars come when
// the page has nothing better to do. Never delays an answer: what draws is loaded and run only after the card has been painted.
import { useEffect, useState, type ReactElement } from 'react';
import type { ProductCard } from '../../app/contract/products.ts';
import type { BarcodePicture } from '../barcodes/picture.ts';
import { useWords } from '../context.tsx';
import { useShortcut } from '../shortcut-keys.ts';
import { ariaKeysOf } from '../shortcuts.ts';
import { PrintIcon } from './icons.tsx';
import { KeyHint } from './keys.tsx';
import { useOpenLabel } from './label-request.ts';

/** In CSS pixels; as wide as the plate at its narrowest. */
const room = { width: 290, height: 48 };
/** Drawn by then even when the page never rests. */
const latestMs = 1000;

function usePicture(card: ProductCard, scanned: string, place: number): BarcodePicture | null {
  const { language } = useWords();
  const { barcodes, code, extra } = card;
  // A fresh figure makes a new card of the same codes, which are not drawn again.
  const key = JSON.stringify([barcodes, code, extra, scanned, place, language]);
  const [drawn, setDrawn] = useState<{ readonly key: string; readonly picture: BarcodePicture | null } | null>(null);
  useEffect(() => {
    let isWanted = true;
    const draw = async (): Promise<void> => {
      const { pictureOf } = await import('../barcodes/picture.ts');
      if (isWanted) {
        setDrawn({ key, picture: pictureOf({ barcodes, code, extra }, scanned, place, language, room) });
      }
    };
    // Without the bars the card is whole: the code itself stands in its head.
    const waiting = requestIdleCallback(() => void draw().catch(() => {}), { timeout: latestMs });
    return () => {
      isWanted = false;
      cancelIdleCallback(waiting);
    };
    // oxlint-disable-next-line react/exhaustive-deps -- the key stands for all that is drawn
  }, [key]);
  return drawn?.key === key ? drawn.picture : null;
}

function Plate({ picture }: { readonly picture: BarcodePicture }): ReactElement {
  const { t } = useWords();
  const { width, height, path, name, readable, refusedName } = picture;
  return (
    <>
      <svg role="img" aria-label={t('barcode.label', { name, code: readable })} width={width} height={height} viewBox={`0 0 ${width} ${height}`} shapeRendering="crispEdges">
        <path d={path} fill="#000" fillRule="evenodd" />
      </svg>
      <p className="barcode-text mono" aria-hidden="true">
        {readable}
      </p>
      <p className="barcode-type">{refusedName === null ? name : t('barcode.refused', { name, refused: refusedName })}</p>
    </>
  );
}

/** The plate, and below it the way to a label and to the product's other codes. */
export function ProductBarcode({ card, scanned, isFirst }: { readonly card: ProductCard; readonly scanned: string; readonly isFirst: boolean }): ReactElement {
  const { t } = useWords();
  const openLabel = useOpenLabel();
  const [place, setPlace] = useState(0);
  const picture = usePicture(card, scanned, place);
  const count = Math.max(1, card.barcodes.length);
  useShortcut('label', isFirst ? () => openLabel({ card, scanned }) : null);
  return (
    <div className="card-barcode">
      <div className="barcode-plate">{picture !== null && <Plate picture={picture} />}</div>
      <div className="barcode-actions">
        <button type="button" className="text-button" aria-keyshortcuts={isFirst ? ariaKeysOf('label') : undefined} onClick={() => openLabel({ card, scanned })}>
          <PrintIcon size={22} /> {t('label.open')} {isFirst && <KeyHint of="label" />}
        </button>
        {count > 1 && (
          <button type="button" className="text-button" onClick={() => setPlace((place + 1) % count)}>
            {t('barcode.next', { place: place + 1, total: count })}
          </button>
        )}
      </div>
    </div>
  );
}
