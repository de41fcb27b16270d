import { Button, Switch } from '@mantine/core';
import { useId, type ReactElement } from 'react';
import { useStore } from 'zustand';
import type { CouponState } from '../../app/contract/coupons.ts';
import type { Id } from '../../app/domain/int64.ts';
import { useCoupons, useIsSignedIn, useNavigation, useStores, useWords } from '../stores/context.tsx';
import { LockSign, useIsLocked } from '../ui/lock-sign.tsx';
import { useShortcut } from '../stores/use-shortcut.ts';
import { ariaKeysOf } from '../stores/shortcuts.ts';
import { wordsOfOther, wordsOfState } from './coupon-words.ts';
import { shownCoupon, type ShownCoupon } from './coupons-store.ts';
import { everyUpdate } from '../queue/queue-store.ts';

interface CouponStateProps {
  readonly coupon: ShownCoupon;
  readonly id: string;
  readonly isQuiet: boolean;
}

/** Words for a coupon's state; in a list, the ordinary one is only spoken. */
function CouponStateWords({ coupon, id, isQuiet }: CouponStateProps): ReactElement {
  const { t } = useWords();
  const { queue } = useStores();
  const ofOther = wordsOfOther(coupon, t);
  const isOrdinary = coupon.standing === 'confirmed' || coupon.standing === 'unknown';
  if (ofOther !== null && isOrdinary) {
    return (
      <span className="standing" data-standing="waiting" id={id}>
        {ofOther}
      </span>
    );
  }
  return (
    <span
      className={isQuiet && coupon.standing === 'confirmed' ? 'visually-hidden' : 'standing'}
      data-standing={coupon.standing}
      id={id}
    >
      {wordsOfState(coupon, t)}
      {ofOther !== null && ` · ${ofOther}`}
      {coupon.standing === 'parked' && (
        <>
          {' '}
          <a href="#queue" onClick={() => queue.list.getState().choose({ filter: 'parked', term: '' })}>
            {t('coupons.seeQueue')}
          </a>
        </>
      )}
    </span>
  );
}

interface CouponSwitchProps {
  readonly productId: Id;
  readonly coupon: CouponState;
  /** The product's name in a list, where several switches stand together. */
  readonly of?: string;
  /** Whether the shortcut for coupons means this one. */
  readonly hasShortcut?: boolean;
}

/**
 * While nobody is signed in: what the platform has, as far as it is known, and whose change waits. Nothing can be
 * switched.
 */
function CouponWords({ coupon }: { readonly coupon: CouponState }): ReactElement {
  const { t } = useWords();
  const lookUp = useNavigation((navigation) => navigation.lookUp);
  const ofOther = wordsOfOther(coupon, t);
  return (
    <div className="coupon">
      <div>
        <p>
          <strong>
            {t('coupons.label')}:{' '}
            {coupon.isEnabled === null
              ? t('coupons.standing.unknown')
              : t(coupon.isEnabled ? 'coupons.on' : 'coupons.off')}
          </strong>
        </p>
        {ofOther !== null && (
          <p className="standing" data-standing="waiting">
            {ofOther}
          </p>
        )}
        <Button variant="default" size="sm" className="coupon-sign-in" onClick={() => lookUp(false)}>
          {t('coupons.signInToSwitch')}
        </Button>
      </div>
    </div>
  );
}

/** The switch with its state; while nobody is signed in, words. */
export function CouponSwitch(props: CouponSwitchProps): ReactElement {
  return useIsSignedIn() ? <LiveSwitch {...props} /> : <CouponWords coupon={props.coupon} />;
}

function LiveSwitch({ productId, coupon, of, hasShortcut = false }: CouponSwitchProps): ReactElement {
  const { t } = useWords();
  const stateId = useId();
  const move = useCoupons((store) => store.move);
  const moved = useCoupons((store) => store.moved.get(productId));
  const failed = useCoupons((store) =>
    store.switchFailure?.productId === productId ? store.switchFailure.failure : null,
  );
  const { queue, pin } = useStores();
  const isPinAsked = useStore(pin, ({ asked }) => asked !== null);
  const isLocked = useIsLocked('coupons');
  const shown = shownCoupon(coupon, moved, isPinAsked || isLocked);
  useShortcut('coupon', hasShortcut ? () => void move(productId, shown.isEnabled !== true) : null);
  return (
    <div className={of === undefined ? 'coupon' : 'coupon coupon-in-row'}>
      {of !== undefined && <LockSign kind="coupons" />}
      <Switch
        size="xl"
        // In a list the keyboard reaches it through the list.
        tabIndex={of === undefined ? undefined : -1}
        label={of === undefined ? t('coupons.label') : undefined}
        aria-label={of === undefined ? undefined : t('coupons.labelOf', { product: of })}
        aria-describedby={stateId}
        aria-keyshortcuts={hasShortcut ? ariaKeysOf('coupon') : undefined}
        checked={shown.isEnabled ?? false}
        onChange={(event) => void move(productId, event.currentTarget.checked)}
        onLabel={t('coupons.on')}
        offLabel={shown.isEnabled === null ? '?' : t('coupons.off')}
      />
      <span>
        {of === undefined && <LockSign kind="coupons" />}{' '}
        <span aria-live="polite">
          {failed === null ? (
            <CouponStateWords coupon={shown} id={stateId} isQuiet={of !== undefined} />
          ) : (
            <span className="standing" data-standing="parked" id={stateId}>
              {failed.kind !== 'effectUnknown' && t('coupons.notSwitched')} {t(`failure.${failed.kind}.says`)}{' '}
              {t(`failure.${failed.kind}.advice`)}{' '}
              {failed.kind === 'effectUnknown' && (
                <a href="#queue" onClick={() => queue.list.getState().choose(everyUpdate)}>
                  {t('coupons.seeQueue')}
                </a>
              )}
            </span>
          )}
        </span>
      </span>
    </div>
  );
}
