import { Button, Modal } from '@mantine/core';
import { useEffect, useState, type ReactElement } from 'react';
import type { LookupAnswer } from '../../app/contract/lookup.ts';
import type { ProductCard } from '../../app/contract/products.ts';
import type { Failure } from '../../app/domain/failure.ts';
import type { Result } from '../../app/domain/result.ts';
import { useReturnedFocus } from '../dom/focus.ts';
import { useStores, useWords } from '../stores/context.tsx';
import { FailureNotice } from '../ui/failure-text.tsx';
import { LockSign } from '../ui/lock-sign.tsx';
import type { Link } from './link-store.ts';

type CouponLink = Extract<Link, { kind: 'coupon' }>;

/** The one product that the answer is about; null when there is none, or are several. */
function onlyProduct(answer: LookupAnswer): ProductCard | null {
  const [first = null, ...others] = answer.kind === 'found' ? answer.cards : [];
  return others.every(({ productId }) => productId === first?.productId) ? first : null;
}

/** This terminal's product for the link; null until the copy has answered. */
function useProduct(text: string): Result<LookupAnswer, Failure> | null {
  const { bridge } = useStores();
  const [answer, setAnswer] = useState<Result<LookupAnswer, Failure> | null>(null);
  useEffect(() => {
    void bridge.call('lookup:find', { text, source: 'program' }).then(setAnswer);
  }, [bridge, text]);
  return answer;
}

function CouponQuestion({ link, close }: { readonly link: CouponLink; readonly close: () => void }): ReactElement {
  const { t } = useWords();
  const { bridge } = useStores();
  const answer = useProduct(link.product);
  const [isWorking, setWorking] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const product = answer?.ok === true ? onlyProduct(answer.value) : null;
  const isSo = product?.coupon.isEnabled === link.isEnabled;
  // The platform's state at a reading may have changed since, also where a change of this terminal was refused.
  const isAlready = isSo && (product.coupon.status === 'waiting' || product.coupon.status === 'sending');
  const isMany = answer?.ok === true && (answer.value.kind === 'found' || answer.value.kind === 'several');

  const change = async ({ productId }: ProductCard): Promise<void> => {
    setWorking(true);
    const changed = await bridge.call('coupon:switch', { productId, isEnabled: link.isEnabled });
    setWorking(false);
    setFailure(changed.ok ? null : changed.failure);
    if (changed.ok) {
      close();
    }
  };

  return (
    <div className="dialog">
      {answer === null && <p role="status">{t('shell.link.looking')}</p>}
      {product !== null && (
        <>
          <p className="dialog-figure">{product.name}</p>
          {product.code !== null && <p>{product.code}</p>}
          {isAlready ? (
            <p>{t(link.isEnabled ? 'shell.link.isOn' : 'shell.link.isOff')}</p>
          ) : (
            <>
              {isSo && <p>{t(link.isEnabled ? 'shell.link.wasOn' : 'shell.link.wasOff')}</p>}
              <p>
                <LockSign kind="coupons" /> {t('shell.link.asks')}
              </p>
            </>
          )}
        </>
      )}
      {answer?.ok === true && product === null && (
        <p>{t(isMany ? 'shell.link.several' : 'shell.link.unknown', { product: link.product })}</p>
      )}
      <FailureNotice failure={answer?.ok === false ? answer.failure : failure} />
      <div className="form-actions">
        <Button size="lg" variant="default" onClick={close} data-autofocus>
          {t(product === null || isAlready ? 'ui.form.close' : 'shell.link.leave')}
        </Button>
        {product !== null && !isAlready && (
          <Button size="lg" loading={isWorking} onClick={() => void change(product)}>
            {t(link.isEnabled ? 'coupons.many.on' : 'coupons.many.off')}
          </Button>
        )}
      </div>
    </div>
  );
}

function titleOf(link: Link): 'shell.link.titleOn' | 'shell.link.titleOff' | 'shell.link.refusedTitle' {
  if (link.kind === 'refused') {
    return 'shell.link.refusedTitle';
  }
  return link.isEnabled ? 'shell.link.titleOn' : 'shell.link.titleOff';
}

/** Shows the change that a link asks for, before it is made. */
export function LinkDialog({ link, close }: { readonly link: Link; readonly close: () => void }): ReactElement {
  useReturnedFocus();
  const { t } = useWords();
  return (
    <Modal opened onClose={close} title={t(titleOf(link))}>
      {link.kind === 'coupon' ? (
        <CouponQuestion link={link} close={close} />
      ) : (
        <div className="dialog">
          <p>{t('shell.link.refused')}</p>
          <div className="form-actions">
            <Button size="lg" onClick={close} data-autofocus>
              {t('ui.form.close')}
            </Button>
          </div>
        </div>
      )}
    </Modal>
  );
}
