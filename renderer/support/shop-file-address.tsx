import { Button } from '@mantine/core';
import { useState, type ReactElement } from 'react';
import type { Diagnostics } from '../../app/contract/support.ts';
import type { Failure } from '../../app/domain/failure.ts';
import { useNow } from '../dom/clock.ts';
import { formatFullMoment } from '../formats/times.ts';
import { useStores, useWords } from '../stores/context.tsx';
import { FailureNotice } from '../ui/failure-text.tsx';
import { SettingsPart } from '../ui/settings-part.tsx';

interface ShopFileAddressProps {
  readonly file: NonNullable<Diagnostics['shopFile']>;
  /** Has what is shown read again. */
  readonly onRead: () => Promise<void>;
}

/** The outcome of reading the shop's file at its address, and a button that reads it now. */
export function ShopFileAddress({ file, onRead }: ShopFileAddressProps): ReactElement {
  const { t, language } = useWords();
  const { bridge } = useStores();
  const now = useNow();
  const [isReading, setReading] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const { url, shop, readAt, signedAt, isWaiting, lastReading } = file;
  const readAgain = async (): Promise<void> => {
    setReading(true);
    const answer = await bridge.call('provisioning:readAgain', {});
    await onRead();
    setReading(false);
    setFailure(answer.ok ? null : answer.failure);
  };
  return (
    <SettingsPart title={t('support.address.title')}>
      <dl className="facts">
        <dt>{t('support.address.shop')}</dt>
        <dd>{shop}</dd>
        <dt>{t('support.address.url')}</dt>
        <dd className="mono anywhere">{url}</dd>
        {readAt !== null && (
          <>
            <dt>{t('support.address.readAt')}</dt>
            <dd>{formatFullMoment(readAt, language)}</dd>
          </>
        )}
        {signedAt !== null && (
          <>
            <dt>{t('support.address.signedAt')}</dt>
            <dd>{formatFullMoment(signedAt, language)}</dd>
          </>
        )}
      </dl>
      <div role="status">
        <p className={['none', 'good'].includes(lastReading) ? undefined : 'warn-words'}>
          {t(`support.address.${lastReading}`, { moment: formatFullMoment(now, language) })}
        </p>
        {isWaiting && signedAt !== null && (
          <p>{t('support.address.waiting', { moment: formatFullMoment(signedAt, language) })}</p>
        )}
      </div>
      <FailureNotice failure={failure} />
      <div className="buttons">
        <Button variant="default" loading={isReading} onClick={() => void readAgain()}>
          {t('support.address.read')}
        </Button>
      </div>
    </SettingsPart>
  );
}
