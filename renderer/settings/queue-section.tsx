import type { ReactElement } from 'react';
import { RateLimitSetting } from './rate-limit-form.tsx';
import { PlanGrace, QueueLimits } from './queue-form.tsx';

export function QueueSettings(): ReactElement {
  return (
    <>
      <QueueLimits />
      <PlanGrace />
      <RateLimitSetting />
    </>
  );
}
