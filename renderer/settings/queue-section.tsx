import type { ReactElement } from 'react';
import { RateLimitSetting } from './rate-limit-form.tsx';
import { QueueLimits } from './queue-form.tsx';

export function QueueSettings(): ReactElement {
  return (
    <>
      <QueueLimits />
      <RateLimitSetting />
    </>
  );
}
