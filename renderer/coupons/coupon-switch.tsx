import { Button, Switch } from '@mantine/core';
import type { TFunction } from 'i18next';
import { useEffect, useId, useRef, type ReactElement } from 'react';
import { useStore } from 'zustand';
import type { CouponState } from '../../app/contract/coupons.ts';
import type { Failure } from '../../app/domain/failure.ts';
import type { Id } from '../../app/domain/int64.ts';
import { useCoupons, useIsSignedIn, useNavigation, useStores, useWords } from '../stores/context.tsx';
import { CheckIcon, MinusIcon, HelpIcon } from '../ui/icons.tsx';
import { KeyHint } from '../ui/keys.tsx';
import { LockSign, useIsLocked } from '../ui/lock-sign.tsx';
import { useSound } from '../ui/use-sound.ts';
import { useShortcut } from '../stores/use-shortcut.ts';
import { ariaKeysOf } from '../stores/shortcuts.ts';
import { settingOf, wordsOfOther, wordsOfState } from './coupon-words.ts';
import { shownCoupon, type ShownCoupon } from './coupons-store.ts';
import { everyUpdate, parkedUpdates, type QueueQuery } from '../queue/queue-store.ts';

/** Whether its state alone asks for nobody's attention. */
function isOrdinary({ status }: ShownCoupon): boolean {
  return status === 'confirmed' || status === 'unknown';
}

/** Words for a coupon's state: its own, and whose change of the same product waits besides. */
function wordsOf(coupon: ShownCoupon, t: TFunction): string {
  const ofOther = wordsOfOther(coupon, t);
  const own = isOrdinary(coupon) && ofOther !== null ? null : wordsOfState(coupon, t);
  return [own, ofOther].filter((words) => words !== null).join(' · ');
}

/** A coupon's state for its colour. */
function toneOf(coupon: ShownCoupon): ShownCoupon['status'] {
  const isOfOther = coupon.ofOther !== undefined || coupon.ofTill !== undefined;
  return isOrdinary(coupon) && isOfOther ? 'waiting' : coupon.status;
}

/** The way to the queue, to all changes or to those that need a decision. */
function ToQueue({ query }: { readonly query: QueueQuery }): ReactElement {
  const { t } = useWords();
  const { queue } = useStores();
  return (
    <a href="#queue" onClick={() => queue.list.getState().choose(query)}>
      {t('coupons.seeQueue')}
    </a>
  );
}

interface FailedWordsProps {
  readonly failure: Failure;
  /** What to do on a page that cannot ask for the PIN. */
  readonly lockedAdvice?: string | undefined;
}

/** Why a coupon could not be switched. */
function FailedWords({ failure: { kind }, lockedAdvice }: FailedWordsProps): ReactElement {
  const { t } = useWords();
  // Whoever gave up the question for the PIN knows why.
  const isGivenUp = kind === 'locked' && lockedAdvice === undefined;
  return (
    <>
      {kind !== 'effectUnknown' && t('coupons.notSwitched')}{' '}
      {!isGivenUp && (
        <>
          {t(`failure.${kind}.says`)} {kind === 'locked' ? lockedAdvice : t(`failure.${kind}.advice`)}
        </>
      )}{' '}
      {kind === 'effectUnknown' && <ToQueue query={everyUpdate} />}
    </>
  );
}

interface LiveCoupon {
  readonly shown: ShownCoupon;
  readonly failed: Failure | null;
  readonly move: (isEnabled: boolean) => Promise<boolean>;
}

/** The coupon as it is shown now, and the way to switch it. */
function useLiveCoupon(productId: Id, coupon: CouponState): LiveCoupon {
  const move = useCoupons((store) => store.move);
  const moved = useCoupons((store) => store.moved.get(productId));
  const failed = useCoupons((store) =>
    store.switchFailure?.productId === productId ? store.switchFailure.failure : null,
  );
  const { pin } = useStores();
  const isPinAsked = useStore(pin, ({ asked }) => asked !== null);
  const isLocked = useIsLocked('coupons');
  return {
    shown: shownCoupon(coupon, moved, isPinAsked || isLocked),
    failed,
    move: (isEnabled) => move(productId, isEnabled),
  };
}

interface CouponProps {
  readonly productId: Id;
  readonly coupon: CouponState;
}

interface CouponButtonProps extends CouponProps {
  readonly lockedAdvice?: string;
  /** The way to the sign-in, on a page that has none of its own. */
  readonly toSignIn?: () => void;
}

/**
 * While nobody is signed in: what the platform has, as far as it is known, and whose change waits. Nothing can be
 * switched.
 */
function CouponWords({ coupon, toSignIn }: Pick<CouponButtonProps, 'coupon' | 'toSignIn'>): ReactElement {
  const { t } = useWords();
  const lookUp = useNavigation((navigation) => navigation.lookUp);
  const ofOther = wordsOfOther(coupon, t);
  const signIn = toSignIn ?? ((): void => lookUp(false));
  useShortcut('coupon', signIn);
  return (
    <div className="coupon-words">
      <p>
        <strong>
          {t('coupons.label')}: {settingOf(coupon.isEnabled, t)}
        </strong>
      </p>
      {ofOther !== null && (
        <p className="coupon-status" data-status="waiting">
          {ofOther}
        </p>
      )}
      <Button
        variant="default"
        aria-keyshortcuts={ariaKeysOf('coupon')}
        rightSection={<KeyHint of="coupon" />}
        onClick={signIn}
      >
        {t('coupons.signInToSwitch')}
      </Button>
    </div>
  );
}

const shapes = { on: CheckIcon, off: MinusIcon, unknown: HelpIcon } as const;

function shapeOf(isEnabled: boolean | null): keyof typeof shapes {
  if (isEnabled === null) {
    return 'unknown';
  }
  return isEnabled ? 'on' : 'off';
}

function LiveButton({ productId, coupon, lockedAdvice }: CouponButtonProps): ReactElement {
  const { t } = useWords();
  const stateId = useId();
  const { shown, failed, move } = useLiveCoupon(productId, coupon);
  const sound = useSound();
  const part = useRef<HTMLDivElement>(null);
  const bringIntoSight = (): void => part.current?.scrollIntoView({ block: 'nearest' });
  useEffect(() => {
    if (failed !== null) {
      bringIntoSight();
    }
  }, [failed]);
  const flip = (): void => {
    const isEnabled = shown.isEnabled !== true;
    // Its key works also where bands above the card have pushed it out of the window.
    bringIntoSight();
    void move(isEnabled).then((isMoved) => isMoved && sound(isEnabled ? 'couponOn' : 'couponOff'));
  };
  useShortcut('coupon', flip);
  const shape = shapeOf(shown.isEnabled);
  const Shape = shapes[shape];
  const setting = settingOf(shown.isEnabled, t);
  const words = wordsOf(shown, t);
  const needsPerson = failed !== null || shown.status === 'parked';
  return (
    <div ref={part} className="coupon-part">
      <button
        type="button"
        role="switch"
        className="coupon-button line-3"
        data-setting={shape}
        aria-label={t('coupons.label')}
        aria-checked={shown.isEnabled ?? false}
        aria-describedby={stateId}
        aria-keyshortcuts={ariaKeysOf('coupon')}
        onClick={flip}
      >
        <span className="coupon-shape">
          <Shape size={28} />
        </span>
        <span className="coupon-label">
          {t('coupons.label')}
          <small id={stateId}>{words}</small>
        </span>
        <strong aria-hidden="true">{setting}</strong>
        <LockSign kind="coupons" />
        <KeyHint of="coupon" />
      </button>
      {/* A switch does not announce what its key did: this does. */}
      <p className={needsPerson ? 'coupon-status' : 'visually-hidden'} data-status="parked" aria-live="polite">
        {failed === null ? (
          <>
            <span className="visually-hidden">
              {shown.isEnabled !== null && t(shown.isEnabled ? 'coupons.isOn' : 'coupons.isOff')}, {words}
            </span>{' '}
            {shown.status === 'parked' && <ToQueue query={parkedUpdates} />}
          </>
        ) : (
          <FailedWords failure={failed} lockedAdvice={lockedAdvice} />
        )}
      </p>
    </div>
  );
}

/** The coupon of the answered product, as one large button with its key; while nobody is signed in, words. */
export function CouponButton(props: CouponButtonProps): ReactElement {
  return useIsSignedIn() ? <LiveButton {...props} /> : <CouponWords {...props} />;
}

/** A list's small switch of the product with this name. In a list the keyboard reaches it through the list. */
export function CouponSwitch({ productId, coupon, of }: CouponProps & { readonly of: string }): ReactElement {
  const { t } = useWords();
  const stateId = useId();
  const { shown, failed, move } = useLiveCoupon(productId, coupon);
  const words = wordsOf(shown, t);
  const isQuiet = failed === null && toneOf(shown) === 'confirmed';
  return (
    <div className="coupon-in-row">
      <LockSign kind="coupons" />
      <Switch
        size="lg"
        tabIndex={-1}
        aria-label={t('coupons.labelOf', { product: of })}
        aria-describedby={stateId}
        checked={shown.isEnabled ?? false}
        onChange={(event) => void move(event.currentTarget.checked)}
        onLabel={t('coupons.settingOn')}
        offLabel={shown.isEnabled === null ? '?' : t('coupons.settingOff')}
      />
      <span
        className={isQuiet ? 'visually-hidden' : 'coupon-status'}
        data-status={failed === null ? toneOf(shown) : 'parked'}
        id={stateId}
        aria-live="polite"
      >
        {failed === null ? words : <FailedWords failure={failed} />}{' '}
        {failed === null && shown.status === 'parked' && <ToQueue query={parkedUpdates} />}
      </span>
    </div>
  );
}
