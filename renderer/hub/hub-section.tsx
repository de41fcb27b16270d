import { useState, type ReactElement } from 'react';
import type { HubReading } from '../../app/contract/hub.ts';
import type { Failure } from '../../app/domain/failure.ts';
import type { Result } from '../../app/domain/result.ts';
import type { Bridge } from '../bridge/bridge.ts';
import { useFocusedAnswer } from '../dom/focus.ts';
import { useWords } from '../stores/context.tsx';
import { useReadRepeatedly } from '../stores/use-repeated-read.ts';
import { FailureNotice } from '../ui/failure-text.tsx';
import { Working } from '../ui/working.tsx';
import { JoinHub } from './join-hub.tsx';
import { JoinedHub } from './joined-hub.tsx';

const everyMs = 2_000;

/** Another one each time, so that what was just changed is read at once. */
const createReader =
  () =>
  (bridge: Bridge): Promise<Result<HubReading, Failure>> =>
    bridge.call('hub:read', {});

export function HubSettings(): ReactElement {
  const { t } = useWords();
  const [read, setRead] = useState(createReader);
  const [hasChanged, setChanged] = useState(false);
  const reading = useReadRepeatedly(read, everyMs);
  const [isMoving, setMoving] = useState(false);
  const hub = reading?.ok === true ? reading.value.hub : null;
  const box = useFocusedAnswer(hasChanged ? `${hub !== null} ${isMoving}` : null);
  const move = (isNow: boolean) => (): void => {
    setChanged(true);
    setMoving(isNow);
  };
  const onChanged = (): void => {
    move(false)();
    setRead(createReader);
  };
  return (
    <div ref={box} tabIndex={-1} className="answer-place">
      {reading === null && <Working words={t('hub.reading')} />}
      {reading?.ok === false && <FailureNotice failure={reading.failure} />}
      {reading?.ok === true &&
        (hub === null || isMoving ? (
          <JoinHub
            joinedAs={hub?.terminalName ?? null}
            onJoined={onChanged}
            {...(hub === null ? {} : { onStay: move(false) })}
          />
        ) : (
          <JoinedHub hub={hub} readAt={reading.value.readAt} onLeft={onChanged} onMove={move(true)} />
        ))}
    </div>
  );
}
