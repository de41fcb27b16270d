// Owns the settings about what is sent to the platform: the queue's limits, the allowance's, and restoring a user. Never sends anything.
import type { ReactElement } from 'react';
import { AllowanceLimits } from '../../components/allowance-limits.tsx';
import { QueueLimits } from '../../components/queue-limits.tsx';
import { RestoreUser } from '../../components/restore-user.tsx';

export function QueueSettings(): ReactElement {
  return (
    <>
      <QueueLimits />
      <AllowanceLimits />
      <RestoreUser />
    </>
  );
}
