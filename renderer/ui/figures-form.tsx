import { TextInput } from '@mantine/core';
import { useState, type ReactElement, type ReactNode, type SubmitEvent } from 'react';
import { useStore } from 'zustand';
import { useStores } from '../stores/context.tsx';
import { SaveRow } from './save-row.tsx';

export interface FiguresFormProps<Field extends string> {
  readonly fields: readonly Field[];
  readonly kept: Readonly<Record<Field, number>>;
  /** The figures that the texts say; null for one that is not possible here. */
  readonly read: (texts: Readonly<Record<Field, string>>) => Readonly<Record<Field, number | null>>;
  readonly wordsOf: (field: Field) => { readonly label: string; readonly help?: string; readonly wrong: string };
  readonly save: (figures: Readonly<Record<Field, number>>) => Promise<boolean>;
  /** Texts that stand above the figures and are saved with them, by the names of their drafts. */
  readonly above?: {
    readonly names: readonly string[];
    readonly isUnsaved: boolean;
    readonly wrong: string | undefined;
    readonly part: ReactNode;
  };
}

/** The whole number that a text says; null when it is none, or outside of the range. */
export function readFigure(text: string, { min, max }: { readonly min: number; readonly max: number }): number | null {
  const figure = /^\d{1,5}$/.test(text.trim()) ? Number(text) : NaN;
  return figure >= min && figure <= max ? figure : null;
}

/** A number a field, and a button. */
export function FiguresForm<Field extends string>({
  fields,
  kept,
  read,
  wordsOf,
  save,
  above,
}: FiguresFormProps<Field>): ReactElement {
  const { drafts } = useStores();
  const typed = useStore(drafts, (draft): Readonly<Partial<Record<string, string>>> => draft.typed);
  const [isSaved, setSaved] = useState(false);
  const texts = Object.fromEntries(fields.map((field) => [field, typed[field] ?? String(kept[field])])) as Record<
    Field,
    string
  >;
  const figures = read(texts);
  const isUnsaved = above?.isUnsaved === true || fields.some((field) => texts[field].trim() !== String(kept[field]));

  const submit = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const wrong = above?.wrong ?? fields.find((field) => figures[field] === null);
    if (wrong !== undefined) {
      event.currentTarget.querySelector<HTMLInputElement>(`[name="${wrong}"]`)?.focus();
      return;
    }
    const isKept = await save(figures as Readonly<Record<Field, number>>);
    setSaved(isKept);
    if (isKept) {
      drafts.getState().drop([...fields, ...(above?.names ?? [])]);
    }
  };

  return (
    <form className="form" noValidate onSubmit={(event) => void submit(event)}>
      {above?.part}
      {fields.map((field) => {
        const { label, help, wrong } = wordsOf(field);
        return (
          <TextInput
            key={field}
            name={field}
            label={label}
            description={help}
            error={figures[field] === null ? wrong : undefined}
            inputMode="numeric"
            autoComplete="off"
            value={texts[field]}
            onChange={(event) => {
              drafts.getState().type(field, event.currentTarget.value);
              setSaved(false);
            }}
          />
        );
      })}
      <SaveRow isUnsaved={isUnsaved} isSaved={isSaved} />
    </form>
  );
}
