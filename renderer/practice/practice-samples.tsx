import { useEffect, useState, type ReactElement } from 'react';
import { everyProduct } from '../../app/contract/every-product.ts';
import type { BarcodePicture } from '../labels/barcode-picture.ts';
import { useLookup, useStores, useTerminal, useWords } from '../stores/context.tsx';

/** GS1 gives prefix 950 to nobody's goods. */
const nobodysCode = '9500000000006';
const maxProducts = 3;
/** So many lines of the stock are looked through for products that differ and have a barcode. */
const linesRead = 120;
const room = { width: 260, height: 56 };

interface Sample {
  readonly code: string;
  /** Null: nobody's. */
  readonly name: string | null;
}

/** The first products with a barcode of different kinds of goods; none until the copy has some. */
function useSamples(): readonly Sample[] {
  const { bridge } = useStores();
  const copied = useTerminal((state) => state.catalogue.copied);
  const stockId = useTerminal((state) => state.profile?.stockIds[0] ?? null);
  const [products, setProducts] = useState<readonly Sample[]>([]);
  const isWanted = products.length < maxProducts && copied > 0;
  useEffect(() => {
    let isCurrent = true;
    const read = async (): Promise<void> => {
      const listed = await bridge.call('stock:browse', {
        query: { ...everyProduct, stockId, amount: 'positive', orderBy: 'code' },
        offset: 0,
        limit: linesRead,
      });
      const kinds = listed.ok
        ? Map.groupBy(
            listed.value.rows.flatMap((row) => row ?? []),
            ({ name }) => name.split(' ')[0],
          )
        : new Map<string, never[]>();
      const found: Sample[] = [];
      for (const hit of [...kinds.values()].flatMap(([first]) => first ?? [])) {
        if (found.length === maxProducts || !isCurrent) {
          break;
        }
        const card = await bridge.call('product:read', { stockId: hit.stockId, productId: hit.productId });
        const code = card.ok ? card.value.barcodes.find((barcode) => barcode.length === 13) : undefined;
        if (code !== undefined) {
          found.push({ code, name: hit.name });
        }
      }
      if (isCurrent) {
        setProducts(found);
      }
    };
    if (isWanted) {
      void read();
    }
    return () => {
      isCurrent = false;
    };
  }, [copied, isWanted, stockId, bridge]);
  return products.length === 0 ? [] : [...products, { code: nobodysCode, name: null }];
}

function SamplePlate({ code }: { readonly code: string }): ReactElement {
  const { language } = useWords();
  const [picture, setPicture] = useState<BarcodePicture | null>(null);
  useEffect(() => {
    let isWanted = true;
    void import('../labels/barcode-picture.ts').then(({ pictureOf }) => {
      if (isWanted) {
        setPicture(pictureOf({ barcodes: [code], code: null, extra: [] }, code, 0, language, room));
      }
    });
    return () => {
      isWanted = false;
    };
  }, [code, language]);
  return (
    <span className="sample-plate">
      {picture !== null && (
        <svg
          aria-hidden="true"
          width={picture.width}
          height={picture.height}
          viewBox={`0 0 ${picture.width} ${picture.height}`}
          shapeRendering="crispEdges"
        >
          <path d={picture.path} fill="#000" fillRule="evenodd" />
        </svg>
      )}
      <span className="mono">{code}</span>
    </span>
  );
}

/** Barcodes to try; a press looks one up as a scan would. */
export function PracticeSamples(): ReactElement | null {
  const { t } = useWords();
  const find = useLookup((lookup) => lookup.find);
  const samples = useSamples();
  if (samples.length === 0) {
    return <p role="status">{t('ui.copy.soon')}</p>;
  }
  return (
    <ul className="samples" aria-label={t('practice.samples.title')}>
      {samples.map(({ code, name }) => (
        <li key={code}>
          <button type="button" className="sample stack-2" onClick={() => void find(code, 'scan')}>
            <SamplePlate code={code} />
            <span className="sample-name">{name ?? t('practice.samples.nobodys')}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
