import { Button, Modal } from '@mantine/core';
import { useEffect, useRef, useState, type ReactElement } from 'react';
import type { CouponSet, CouponSetHow } from '../../app/contract/coupon-sets.ts';
import type { Id } from '../../app/domain/int64.ts';
import type { Failure } from '../../app/domain/failure.ts';
import { useFocusedAnswer, useReturnedFocus } from '../dom/focus.ts';
import { useNewest } from '../dom/newest.ts';
import type { CouponAction } from '../coupons/coupon-bulk.ts';
import { everyCoupon } from '../coupons/coupons-store.ts';
import { useCounted, useStores, useWords } from '../stores/context.tsx';
import { FailureNotice } from '../ui/failure-text.tsx';
import { LockSign, useIsLocked } from '../ui/lock-sign.tsx';
import { useRemovalQuestion } from '../ui/removal-question.tsx';
import { Working } from '../ui/working.tsx';
import { PlanForm } from './plan-form.tsx';
import { wordsOfHow, wordsOfTimes } from './plan-words.ts';
import { SetFileForm } from './set-file-form.tsx';
import { SetNameForm } from './set-name-form.tsx';
import { useCouponSets } from './use-coupon-sets.ts';
import './coupon-sets.css';

/** The dialog's view: the list, or an action on a set. */
type Place =
  /** `of`: the name of the set that the keyboard comes back to. */
  | { readonly at: 'list'; readonly of?: string }
  | { readonly at: 'save'; readonly how: CouponSetHow; readonly file?: string }
  | { readonly at: 'file'; readonly set: CouponSet | null }
  | { readonly at: 'rename' | 'plan'; readonly set: CouponSet };

interface SetsDialogProps {
  /** The content to be saved as a set; null opens the list. */
  readonly how: CouponSetHow | null;
  readonly close: () => void;
}

/** The calls of the list, and what failed of them. */
function useSetCalls(close: () => void) {
  const { bridge, coupons } = useStores();
  const [failure, setFailure] = useState<Failure | null>(null);
  const [isReading, setReading] = useState(false);
  const ask = useNewest();
  const read = async (set: CouponSet, then: (productIds: readonly Id[]) => void) => {
    const isNewest = ask();
    setFailure(null);
    setReading(true);
    const found = await bridge.call('couponSet:read', { setId: set.setId });
    if (!isNewest()) {
      return;
    }
    setReading(false);
    if (!found.ok) {
      setFailure(found.failure);
    } else {
      close();
      then(found.value.productIds);
    }
  };
  return {
    failure,
    isReading,
    switchAll: (set: CouponSet, action: CouponAction): void =>
      void read(set, (productIds) => void coupons.many.getState().ask(action, productIds, 0)),
    /** Its products are chosen in the list, or its search is what is listed. */
    open: (set: CouponSet): void => {
      if (set.how.kind === 'search') {
        coupons.list.getState().choose({ filter: set.how.filter, term: set.how.term });
        close();
      } else {
        void read(set, (productIds) => coupons.choice.getState().choose(productIds));
      }
    },
    remove: async ({ setId }: CouponSet) => {
      const removed = await bridge.call('couponSet:remove', { setId });
      setFailure(removed.ok ? null : removed.failure);
    },
    removePlan: async (planId: number) => {
      const removed = await bridge.call('couponSet:removePlan', { planId });
      setFailure(removed.ok ? null : removed.failure);
    },
  };
}

interface SetRowProps {
  readonly set: CouponSet;
  readonly calls: ReturnType<typeof useSetCalls>;
  readonly begins: boolean;
  readonly go: (place: Place) => void;
  readonly askRemoval: (set: CouponSet) => void;
  readonly askPlanRemoval: (plan: DoomedPlan) => void;
}

/** A plan that may be removed, and what it does in words. */
interface DoomedPlan {
  readonly planId: number;
  readonly what: string;
}

function SetRow({ set, calls, begins, go, askRemoval, askPlanRemoval }: SetRowProps): ReactElement {
  const { t, language } = useWords();
  const sign = useIsLocked('coupons') ? <LockSign kind="coupons" /> : undefined;
  return (
    <li className="coupon-set stack-3">
      <div className="coupon-set-head">
        <h3>{set.name}</h3>
        <p className="row-sub">{wordsOfHow(set.how, t, language)}</p>
        {set.how.kind === 'search' && set.how.elsewhere.length > 0 && (
          <p className="row-sub">{t('couponSets.elsewhere', { stocks: set.how.elsewhere.join(', ') })}</p>
        )}
      </div>
      {set.plans.length > 0 && (
        <ul className="coupon-set-plans">
          {set.plans.map(({ planId, times, email, isShared }) => (
            <li key={planId}>
              <span>
                {wordsOfTimes(times, t, language)}{' '}
                <span className="row-sub">{isShared ? `${email} · ${t('couponSets.shared')}` : email}</span>
              </span>
              <Button
                variant="subtle"
                aria-label={t('couponSets.removePlanOf', { plan: wordsOfTimes(times, t, language), name: set.name })}
                onClick={() => askPlanRemoval({ planId, what: wordsOfTimes(times, t, language) })}
              >
                {t('couponSets.removePlan')}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <div className="coupon-set-actions wrap" role="group" aria-label={set.name}>
        {/* It asks before it does anything: the keyboard may begin here. */}
        <Button leftSection={sign} data-autofocus onClick={() => calls.switchAll(set, 'on')}>
          {t('coupons.many.on')}
        </Button>
        <Button variant="default" leftSection={sign} onClick={() => calls.switchAll(set, 'off')}>
          {t('coupons.many.off')}
        </Button>
        <Button variant="default" data-begins={begins || undefined} onClick={() => go({ at: 'plan', set })}>
          {t('couponSets.planning')}
        </Button>
        <Button variant="subtle" onClick={() => calls.open(set)}>
          {t('couponSets.open')}
        </Button>
        <Button variant="subtle" onClick={() => go({ at: 'rename', set })}>
          {t('couponSets.rename')}
        </Button>
        <Button variant="subtle" color="red" onClick={() => askRemoval(set)}>
          {t('couponSets.remove')}
        </Button>
      </div>
    </li>
  );
}

/** The list, with the ways to a new set. */
function SetList({
  sets,
  of,
  calls,
  go,
}: Pick<SetRowProps, 'calls' | 'go'> & {
  readonly sets: readonly CouponSet[];
  readonly of: string | undefined;
}): ReactElement {
  const { t } = useWords();
  const { coupons } = useStores();
  const { filter, term } = coupons.list.getState().filter;
  const isNarrowed = filter !== everyCoupon.filter || term.trim() !== '';
  const { ask, dialog, isCovered } = useRemovalQuestion<CouponSet>(
    {
      title: ({ name }) => t('couponSets.removal.title', { name }),
      text: ({ plans }) => t(plans.length > 0 ? 'couponSets.removal.planned' : 'couponSets.removal.text'),
      keep: t('couponSets.removal.keep'),
      remove: t('couponSets.remove'),
    },
    (set) => void calls.remove(set),
  );
  const plan = useRemovalQuestion<DoomedPlan>(
    {
      title: () => t('couponSets.planRemoval'),
      text: ({ what }) => what,
      keep: t('couponSets.removal.keep'),
      remove: t('couponSets.removePlan'),
    },
    ({ planId }) => void calls.removePlan(planId),
  );
  // The button goes with the plan or the set that it removed.
  const box = useFocusedAnswer(
    `${sets.length} ${sets.flatMap(({ plans }) => plans).length} ${isCovered || plan.isCovered}`,
  );
  return (
    <div ref={box} tabIndex={-1} className="answer-place dialog">
      {sets.length === 0 ? (
        <p>{t('couponSets.none')}</p>
      ) : (
        <ul className="coupon-sets" aria-label={t('couponSets.title')}>
          {sets.map((set) => (
            <SetRow
              key={set.setId}
              set={set}
              begins={set.name === of}
              calls={calls}
              go={go}
              askRemoval={ask}
              askPlanRemoval={plan.ask}
            />
          ))}
        </ul>
      )}
      <div className="form-actions coupon-set-ways">
        {isNarrowed ? (
          <Button size="lg" variant="default" onClick={() => go({ at: 'save', how: { kind: 'search', filter, term } })}>
            {t('couponSets.saveSearch')}
          </Button>
        ) : (
          sets.length > 0 && <p className="hint">{t('couponSets.searchFirst')}</p>
        )}
        <Button size="lg" variant="default" onClick={() => go({ at: 'file', set: null })}>
          {t('couponSets.fromFile')}
        </Button>
      </div>
      {dialog}
      {plan.dialog}
    </div>
  );
}

/** Sets of coupons: switched together, planned, named, removed; or a new one. */
export function SetsDialog({ how, close }: SetsDialogProps): ReactElement {
  useReturnedFocus();
  const { t, language } = useWords();
  const write = useCounted();
  const { value, failure } = useCouponSets();
  const [place, setPlace] = useState<Place>(how === null ? { at: 'list' } : { at: 'save', how });
  const calls = useSetCalls(close);
  const sets = value?.sets ?? [];
  const toList = (of?: string): void => setPlace(of === undefined ? { at: 'list' } : { at: 'list', of });
  const of = place.at === 'list' ? place.of : undefined;
  // A set that was just saved is listed a little later.
  const isListed = sets.some(({ name }) => name === of);
  const box = useRef<HTMLDivElement>(null);
  const isRead = value !== null;
  // The pressed button goes with the view before: the keyboard stays in the dialog.
  useEffect(() => {
    const inside = box.current;
    (
      inside?.querySelector<HTMLElement>('[data-begins]') ??
      inside?.querySelector<HTMLElement>('[data-autofocus]') ??
      inside?.querySelector<HTMLElement>('input, button')
    )?.focus();
  }, [place, isRead, isListed]);
  const wordsOfNew = (what: CouponSetHow, file: string | undefined): string => {
    if (what.kind === 'search') {
      return t('couponSets.saveSearchText', { what: wordsOfHow(what, t, language) });
    }
    const counted = write(what.productIds.length);
    return file === undefined ? t('couponSets.saveChosen', counted) : t('couponSets.saveFile', { ...counted, file });
  };
  const title = (): string => {
    switch (place.at) {
      case 'list':
        return t('couponSets.title');
      case 'save':
        return t('couponSets.saveTitle');
      case 'file':
        return place.set === null ? t('couponSets.fileTitle') : t('couponSets.fileTitleOf', { name: place.set.name });
      case 'rename':
        return t('couponSets.renameTitle', { name: place.set.name });
      case 'plan':
        return t('couponSets.planTitle', { name: place.set.name });
    }
  };
  return (
    <Modal opened onClose={close} size={800} title={title()}>
      <div ref={box}>
        {place.at === 'list' && (
          <div className="dialog">
            <p className="hint">{t('couponSets.lead')}</p>
            <FailureNotice failure={calls.failure ?? failure} />
            {((value === null && failure === null) || calls.isReading) && <Working words={t('ui.list.reading')} />}
            {value !== null && <SetList sets={sets} of={of} calls={calls} go={setPlace} />}
          </div>
        )}
        {place.at === 'save' && (
          <SetNameForm set={null} how={place.how} what={wordsOfNew(place.how, place.file)} sets={sets} close={toList} />
        )}
        {place.at === 'file' && (
          <SetFileForm
            set={place.set}
            onChosen={(file, chosen) => setPlace({ at: 'save', how: chosen, file })}
            close={() => toList(place.set?.name)}
          />
        )}
        {place.at === 'rename' && (
          <SetNameForm
            set={place.set}
            how={null}
            what=""
            sets={sets}
            close={toList}
            chooseFile={() => setPlace({ at: 'file', set: place.set })}
          />
        )}
        {place.at === 'plan' && <PlanForm set={place.set} close={() => toList(place.set.name)} />}
      </div>
    </Modal>
  );
}
