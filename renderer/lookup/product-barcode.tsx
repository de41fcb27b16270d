import { useEffect, useState, type ReactElement } from 'react';
import type { ProductCard } from '../../app/contract/products.ts';
import type { BarcodePicture } from '../labels/barcode-picture.ts';
import { useIsSignedIn, useWords } from '../stores/context.tsx';
import { useShortcut } from '../stores/use-shortcut.ts';
import { ariaKeysOf } from '../stores/shortcuts.ts';
import { PrintIcon } from '../ui/icons.tsx';
import { KeyHint } from '../ui/keys.tsx';
import { useOpenLabel } from '../labels/label-request.ts';

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
      const { pictureOf } = await import('../labels/barcode-picture.ts');
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

interface CodesProps {
  readonly card: ProductCard;
  readonly scanned: string;
  /** Which of the product's codes is drawn. */
  readonly place: number;
  readonly showNext: () => void;
}

/** The way to the product's other codes; beside the bars, wherever the card has them. */
function NextCode({ card, place, showNext }: Omit<CodesProps, 'scanned'>): ReactElement | null {
  const { t } = useWords();
  const count = card.barcodes.length;
  return count < 2 ? null : (
    <button type="button" className="text-button barcode-next" onClick={showNext}>
      {t('lookup.barcode.next', { place: place + 1, total: count })}
    </button>
  );
}

/** The way to a label, and where the bars stand right above it, to the next code. */
export function LabelActions({ card, scanned, place, showNext }: CodesProps): ReactElement {
  const { t } = useWords();
  const openLabel = useOpenLabel();
  const isSignedIn = useIsSignedIn();
  useShortcut('label', isSignedIn ? () => openLabel({ card, scanned }) : null);
  return (
    <div className="barcode-actions">
      {isSignedIn && (
        <button
          type="button"
          className="text-button"
          aria-keyshortcuts={ariaKeysOf('label')}
          onClick={() => openLabel({ card, scanned })}
        >
          <PrintIcon size={24} /> {t('labels.one.open')} <KeyHint of="label" />
        </button>
      )}
      <NextCode card={card} place={place} showNext={showNext} />
    </div>
  );
}

/**
 * The plate: beside the figure where there is room, below all that a person asks for where there is not; there it has
 * the way to the next code.
 */
export function BarcodeStand({ card, scanned, place, showNext }: CodesProps): ReactElement {
  const picture = usePicture(card, scanned, place);
  return (
    <div className="card-barcode line-wrap">
      <div className="barcode-plate">{picture !== null && <Plate picture={picture} />}</div>
      <NextCode card={card} place={place} showNext={showNext} />
    </div>
  );
}
