import { NativeSelect } from '@mantine/core';
import type { ReactElement } from 'react';
import type { QuietHours } from '../../app/contract/catalogue-plan.ts';

const hours = Array.from({ length: 24 }, (_, hour) => ({
  value: String(hour),
  label: `${String(hour).padStart(2, '0')}:00`,
}));

interface HoursFieldsProps {
  /** Begins the names of both fields. */
  readonly name: string;
  readonly labels: Readonly<Record<keyof QuietHours, string>>;
  readonly value: QuietHours;
  readonly save: (field: keyof QuietHours, hour: number) => void;
}

/** Two hours of the day. */
export function HoursFields({ name, labels, value, save }: HoursFieldsProps): ReactElement {
  return (
    <div className="form-row">
      {(['from', 'to'] as const).map((field) => (
        <NativeSelect
          key={field}
          name={`${name}-${field}`}
          label={labels[field]}
          data={hours}
          value={String(value[field])}
          onChange={(event) => save(field, Number(event.currentTarget.value))}
        />
      ))}
    </div>
  );
}
