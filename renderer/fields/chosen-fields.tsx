import { Button, Checkbox } from '@mantine/core';
import { useEffect, useRef, useState, type ReactElement } from 'react';
import type { ListedFields, ShownField } from '../../app/contract/fields.ts';
import { fieldPlaces, shownFieldLimits } from '../../app/contract/limits/fields.ts';
import { useCounted, useWords } from '../stores/context.tsx';
import { SettingField } from '../ui/setting-field.tsx';
import { moved, nameProblem, renamed, toggled, type Chosen } from './chosen.ts';
import { Samples } from './field-samples.tsx';

interface ChosenFieldsProps {
  readonly chosen: Chosen;
  /** The copy's fields; null while they are being read. */
  readonly listed: ListedFields | null;
  readonly change: (chosen: Chosen) => void;
}

/** Which button of which field gets the keyboard back once the fields stand in their new order. */
interface Awaited {
  readonly path: string;
  readonly control: string;
}

/** The fields in the shop's order, each with its name, its places, and the ways to move it. */
export function ChosenFields({ chosen, listed, change }: ChosenFieldsProps): ReactElement {
  const { t } = useWords();
  const list = useRef<HTMLOListElement>(null);
  const awaited = useRef<Awaited | null>(null);
  const [announced, setAnnounced] = useState('');

  useEffect(() => {
    if (awaited.current !== null) {
      const { path, control } = awaited.current;
      const row = [...(list.current?.children ?? [])].find((one) => one.getAttribute('data-path') === path);
      row?.querySelector<HTMLElement>(`[data-control="${control}"]`)?.focus();
      awaited.current = null;
    }
  });

  const move = (place: number, step: -1 | 1, control: string): void => {
    const next = moved(chosen, place, step);
    const one = chosen[place];
    if (next !== chosen && one !== undefined) {
      awaited.current = { path: one.path, control };
      setAnnounced(t('fields.moved', { name: one.name, place: place + step + 1, of: chosen.length }));
      change(next);
    }
  };
  // Alt with an arrow, wherever in the row the keyboard is.
  useEffect(() => {
    const rows = list.current;
    const press = (event: KeyboardEvent): void => {
      const { key, altKey, target } = event;
      const row = target instanceof Element ? target.closest('.chosen-field') : null;
      if (altKey && row !== null && (key === 'ArrowUp' || key === 'ArrowDown')) {
        event.preventDefault();
        const place = chosen.findIndex(({ path }) => path === row.getAttribute('data-path'));
        move(place, key === 'ArrowUp' ? -1 : 1, (target as Element).getAttribute('data-control') ?? 'name');
      }
    };
    rows?.addEventListener('keydown', press);
    return () => rows?.removeEventListener('keydown', press);
  });
  const remove = (place: number): void => {
    const next = chosen[place + 1] ?? chosen[place - 1];
    awaited.current = next === undefined ? null : { path: next.path, control: 'remove' };
    setAnnounced('');
    change(chosen.toSpliced(place, 1));
  };

  return (
    <>
      <ol className="stack-3" ref={list} aria-label={t('fields.chosen.title')}>
        {chosen.map((field, place) => (
          <ChosenField
            key={field.path}
            field={field}
            place={place}
            chosen={chosen}
            listed={listed}
            change={change}
            move={move}
            remove={remove}
          />
        ))}
      </ol>
      <p className="visually-hidden" role="status">
        {announced}
      </p>
    </>
  );
}

interface ChosenFieldProps extends ChosenFieldsProps {
  readonly field: ShownField;
  readonly place: number;
  readonly move: (place: number, step: -1 | 1, control: string) => void;
  readonly remove: (place: number) => void;
}

function ChosenField({ field, place, chosen, listed, change, move, remove }: ChosenFieldProps): ReactElement {
  const { t } = useWords();
  const counted = useCounted();
  const { path, name, on } = field;
  const found = listed?.fields.find((one) => one.path === path);
  const isLost = listed !== null && listed.counted > 0 && found === undefined;
  return (
    <li className="chosen-field" data-path={path}>
      <SettingField
        className="chosen-name"
        label={t('fields.name')}
        data-control="name"
        maxLength={shownFieldLimits.name}
        kept={name}
        wrong={(text) => {
          const problem = nameProblem(chosen, path, text);
          return problem === null ? undefined : t(`fields.wrong.${problem}`);
        }}
        save={(text) => change(renamed(chosen, path, text))}
      />
      <div className="chosen-path">
        <bdi className="mono">{path}</bdi>
        {found !== undefined && <Samples field={found} />}
        {isLost && <p className="warn-words">{t('fields.lost', counted(listed.counted))}</p>}
      </div>
      <div className="chosen-moves line-wrap">
        <Button
          variant="default"
          data-control="up"
          aria-disabled={place === 0}
          {...(place === 0 ? { 'data-disabled': true } : {})}
          aria-label={t('fields.upOf', { name })}
          onClick={() => move(place, -1, 'up')}
        >
          {t('fields.up')}
        </Button>
        <Button
          variant="default"
          data-control="down"
          aria-disabled={place === chosen.length - 1}
          {...(place === chosen.length - 1 ? { 'data-disabled': true } : {})}
          aria-label={t('fields.downOf', { name })}
          onClick={() => move(place, 1, 'down')}
        >
          {t('fields.down')}
        </Button>
        <Button
          variant="default"
          data-control="remove"
          aria-label={t('fields.removeOf', { name })}
          onClick={() => remove(place)}
        >
          {t('fields.remove')}
        </Button>
      </div>
      <div className="chosen-places" role="group" aria-label={t('fields.placesOf', { name })}>
        {fieldPlaces.map((at) => (
          <Checkbox
            key={at}
            data-control={at}
            label={t(`fields.on.${at}`)}
            checked={on.includes(at)}
            onChange={() => change(toggled(chosen, path, at))}
          />
        ))}
      </div>
    </li>
  );
}
