import { useEffect, useState, type ReactElement } from 'react';
import type { ProductCard } from '../../app/contract/products.ts';
import type { BarcodePicture } from '../labels/barcode-picture.ts';
import { useIsSignedIn, useWords } from '../stores/context.tsx';
import { useShortcut } from '../stores/use-shortcut.ts';
import { ariaKeysOf } from '../stores/shortcuts.ts';
import { PrintIcon } from '../ui/icons.tsx';
import { KeyHint } from '../ui/keys.tsx';
import { useShelfLabels } from '../labels/label-request.ts';

/** In CSS pixels; as wide as the plate at its narrowest. */
const room = { width: 480, height: 110 };

interface PrintedCodes {
  readonly card: ProductCard;
  readonly scanned: string;
}

function usePicture(card: ProductCard, scanned: string, place: number): BarcodePicture | null {
  const { language } = useWords();
  const { barcodes, code, extra } = card;
  // A fresh figure makes a new card of the same codes, which are not drawn again.
  const key = JSON.stringify([barcodes, code, extra, scanned, place, language]);
  const [drawn, setDrawn] = useState<{ readonly key: string; readonly picture: BarcodePicture | null } | null>(null);
  useEffect(() => {
    let isWanted = true;
    const draw = async (): Promise<void> => {
      const { pictureOf } = await import('../labels/barcode-picture.ts');
      if (isWanted) {
        setDrawn({ key, picture: pictureOf({ barcodes, code, extra }, scanned, place, language, room) });
      }
    };
    void draw().catch(() => {});
    return () => {
      isWanted = false;
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
      <svg
        role="img"
        aria-label={t('lookup.barcode.label', { name, code: readable })}
        width={width}
        height={height}
        viewBox={`0 0 ${width} ${height}`}
        shapeRendering="crispEdges"
      >
        <path d={path} fill="#000" fillRule="evenodd" />
      </svg>
      <p className="barcode-text mono" aria-hidden="true">
        {readable}
      </p>
      <p className="barcode-type">
        {refusedName === null ? name : t('lookup.barcode.refused', { name, refused: refusedName })}
      </p>
    </>
  );
}

/** The way to a label of this product, with its key. */
export function LabelButton({ card, scanned }: PrintedCodes): ReactElement | null {
  const { t } = useWords();
  const { open, waiting } = useShelfLabels();
  const isSignedIn = useIsSignedIn();
  useShortcut('label', isSignedIn ? () => open({ card, scanned }) : null);
  return isSignedIn ? (
    <button
      type="button"
      className="text-button"
      aria-keyshortcuts={ariaKeysOf('label')}
      onClick={() => open({ card, scanned })}
    >
      <PrintIcon size={24} /> {t('labels.one.open')}
      {waiting > 0 && <span className="hint">{t('labels.one.waiting', { count: waiting })}</span>}{' '}
      <KeyHint of="label" />
    </button>
  ) : null;
}

/** The product's codes one at a time, the scanned one first, large enough for a scanner to read from the screen. */
export function ProductBarcode({ card, scanned }: PrintedCodes): ReactElement | null {
  const { t } = useWords();
  const [place, setPlace] = useState(0);
  const picture = usePicture(card, scanned, place);
  const count = card.barcodes.length;
  return card.code === null && count === 0 ? null : (
    <div className="card-barcode">
      <div className="barcode-plate">{picture !== null && <Plate picture={picture} />}</div>
      {count > 1 && (
        <button type="button" className="text-button" onClick={() => setPlace((place + 1) % count)}>
          {t('lookup.barcode.next', { place: place + 1, total: count })}
        </button>
      )}
    </div>
  );
}
