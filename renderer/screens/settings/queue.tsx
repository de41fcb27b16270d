// Owns the settings about what is sent to the platform: the queue's limits and the allowance's. Never sends anything.
import type { ReactElement } from 'react';
import { AllowanceLimits } from '../../components/allowance-limits.tsx';
import { QueueLimits } from '../../components/queue-limits.tsx';

export function QueueSettings(): ReactElement {
  return (
    <>
      <QueueLimits />
      <AllowanceLimits />
    </>
  );
}
