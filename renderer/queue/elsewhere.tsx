import { Button } from '@mantine/core';
import type { TFunction } from 'i18next';
import { useState, type ReactElement } from 'react';
import type { KeptProfile } from '../../app/contract/profiles.ts';
import type { QueueState } from '../../app/contract/terminal-state.ts';
import type { Failure } from '../../app/domain/failure.ts';
import { useStores, useTerminal, useWords } from '../stores/context.tsx';
import { FailureNotice } from '../ui/failure-text.tsx';

type OfCompany = QueueState['elsewhere'][number];

/** How many changes wait for another company, and whose. */
export function wordsOfElsewhere({ count, companyId, emails }: OfCompany, t: TFunction): string {
  return t('queue.elsewhere', { count, company: companyId, emails: emails.join(', ') });
}

/** The profile of that company; one that shares the present sign-in comes first. */
function profileOf(
  { platformUrl, companyId }: OfCompany,
  profiles: readonly KeptProfile[],
  clientId: string | undefined,
): KeptProfile | undefined {
  const ofCompany = profiles.filter((one) => one.platformUrl === platformUrl && one.companyId === companyId);
  return ofCompany.find((one) => one.clientId === clientId) ?? ofCompany[0];
}

/** Updates that wait for other companies, with the way there: in their profiles they go out by themselves. */
export function Elsewhere(): ReactElement | null {
  const { t } = useWords();
  const { bridge } = useStores();
  const elsewhere = useTerminal((state) => state.queue.elsewhere);
  const profiles = useTerminal((state) => state.profiles);
  const clientId = useTerminal((state) => state.profile?.clientId);
  const [isWorking, setWorking] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);

  const switchTo = async ({ profileId }: KeptProfile): Promise<void> => {
    setWorking(true);
    const switched = await bridge.call('profile:switch', { profileId });
    setWorking(false);
    setFailure(switched.ok ? null : switched.failure);
  };

  if (elsewhere.length === 0) {
    return null;
  }
  return (
    <div className="elsewhere">
      {elsewhere.map((one) => {
        const profile = profileOf(one, profiles, clientId);
        return (
          <div key={`${one.platformUrl} ${one.companyId}`}>
            <p>{wordsOfElsewhere(one, t)}</p>
            {profile !== undefined && (
              <Button variant="default" disabled={isWorking} onClick={() => void switchTo(profile)}>
                {t('queue.switchAndSend')}
              </Button>
            )}
          </div>
        );
      })}
      <FailureNotice failure={failure} />
    </div>
  );
}
