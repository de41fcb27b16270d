import { Button, TextInput } from '@mantine/core';
import { useState, type ReactElement } from 'react';
import type { CouponSet, CouponSetHow } from '../../app/contract/coupon-sets.ts';
import { maxCouponSets, maxSetNameLength } from '../../app/contract/limits/coupon-sets.ts';
import { fitText } from '../../app/domain/visible-text.ts';
import type { Failure } from '../../app/domain/failure.ts';
import { formatNumber } from '../formats/numbers.ts';
import { useStores, useWords } from '../stores/context.tsx';
import { useDraft } from '../stores/use-draft.ts';
import { FailureNotice } from '../ui/failure-text.tsx';
import { UploadIcon } from '../ui/icons.tsx';
import { SetForm } from './set-form.tsx';

interface SetNameFormProps {
  /** The set that gets another name; null for a new one. */
  readonly set: CouponSet | null;
  /** The content of a new set, in words. */
  readonly what: string;
  readonly how: CouponSetHow | null;
  readonly sets: readonly CouponSet[];
  /** Goes back to the set of this name, if there is one. */
  readonly close: (name?: string) => void;
  /** Replaces the set's products. */
  readonly chooseFile?: () => void;
}

/** A set gets its name. A new one under the name of another takes its place. */
export function SetNameForm({ set, what, how, sets, close, chooseFile }: SetNameFormProps): ReactElement {
  const { t, language } = useWords();
  const { bridge, drafts } = useStores();
  const draft = `couponSet.name.${String(set?.setId ?? 'new')}`;
  const [name, setName] = useDraft(draft, set?.name ?? '');
  const [isAsked, setAsked] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const chosen = fitText(name, maxSetNameLength) ?? '';
  const same = sets.find((one) => one.name === chosen && one.setId !== set?.setId);
  const isFull = set === null && same === undefined && sets.length >= maxCouponSets;
  const isTaken = set !== null && same !== undefined;
  const submit = async (): Promise<void> => {
    setAsked(true);
    if (chosen === '' || isTaken || isFull) {
      return;
    }
    setBusy(true);
    const saved = await bridge.call('couponSet:save', {
      setId: set?.setId ?? same?.setId ?? null,
      name: chosen,
      how: set === null ? how : null,
    });
    setBusy(false);
    if (saved.ok) {
      drafts.getState().drop([draft]);
      close(chosen);
    } else {
      setFailure(saved.failure);
    }
  };
  const error = (): string | undefined => {
    if (isTaken) {
      return t('couponSets.nameTaken');
    }
    return isAsked && chosen === '' ? t('couponSets.nameMissing') : undefined;
  };
  return (
    <SetForm
      words={t(set === null && same !== undefined ? 'couponSets.replace' : 'couponSets.save')}
      isBusy={isBusy}
      submit={submit}
      close={() => close(set?.name)}
    >
      {set === null && <p>{what}</p>}
      <TextInput
        label={t('couponSets.name')}
        placeholder={t('couponSets.nameExample')}
        error={error()}
        maxLength={maxSetNameLength}
        autoFocus
        data-autofocus
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      {set === null && same !== undefined && (
        <p className="notice" data-kind="warn" role="status">
          {t('couponSets.replaces', { name: same.name })}
        </p>
      )}
      {isFull && (
        <p className="notice" data-kind="warn" role="alert">
          {t('couponSets.full', { max: formatNumber(maxCouponSets, language) })}
        </p>
      )}
      {chooseFile !== undefined && (
        <div>
          <Button variant="default" leftSection={<UploadIcon size={20} />} onClick={chooseFile}>
            {t('couponSets.replaceFromFile')}
          </Button>
        </div>
      )}
      <FailureNotice failure={failure} />
    </SetForm>
  );
}
