// Owns the settings about what is sent to the platform: the queue's limits and the allowance's. Never sends anything.
import type { ReactElement } from 'react';
import { AllowanceLimits } from './rate-limit-form.tsx';
import { QueueLimits } from './queue-form.tsx';

export function QueueSettings(): ReactElement {
  return (
    <>
      <QueueLimits />
      <AllowanceLimits />
    </>
  );
}
