import { useLayoutEffect, useMemo, useRef, type ComponentProps, type MouseEvent, type ReactElement } from 'react';
import type { Language } from '../../app/contract/basics.ts';
import { useNavigation, useWords } from '../stores/context.tsx';
import { helpPages, type HelpPage as Page, type HelpPlace } from '../stores/navigation.ts';
import { useHelpPage } from './help-pages.ts';
import { matchesRow } from './sentence-row.ts';

/** The identifiers of headings begin with it (build/help-pages.ts), lest they be those of something on the screen. */
const idPrefix = 'help-';

/** Where a link such as `questions.md#scanner` on this page leads; null for what is no page, such as an address. */
function placeOf(href: string, page: Page): HelpPlace | null {
  const [file = '', section] = href.split('#');
  const part = file === '' ? page : helpPages.find((one) => `${one}.md` === file);
  return part === undefined
    ? null
    : { part, ...(section === undefined ? {} : { section: decodeURIComponent(section) }) };
}

// The dialog's own title is the heading above them. The focus is put on the heading or the row that is shown.
const focusable = {
  h1: ({ children, ...others }: ComponentProps<'h2'>) => (
    <h2 {...others} tabIndex={-1}>
      {children}
    </h2>
  ),
  h2: ({ children, ...others }: ComponentProps<'h3'>) => (
    <h3 {...others} tabIndex={-1}>
      {children}
    </h3>
  ),
  h3: ({ children, ...others }: ComponentProps<'h4'>) => (
    <h4 {...others} tabIndex={-1}>
      {children}
    </h4>
  ),
  tr: (row: ComponentProps<'tr'>) => <tr {...row} tabIndex={-1} />,
};

/** A picture keeps its room before it has been read. */
const Picture = ({ alt, ...others }: ComponentProps<'img'>): ReactElement => (
  <img {...others} alt={alt} width={1024} height={768} />
);

interface HelpPageProps {
  readonly page: Page;
  /** Shown anew whenever it is another object. */
  readonly place: HelpPlace;
  readonly language: Language;
}

/** One page of docs/, with its sections as a list. */
export function HelpPage({ page, place, language }: HelpPageProps): ReactElement {
  const { t } = useWords();
  const showHelp = useNavigation((navigation) => navigation.showHelp);
  const { default: Text, sections } = useHelpPage(page, language);
  const article = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const { section, sentence } = place;
    const row =
      sentence === undefined
        ? undefined
        : [...(article.current?.querySelectorAll('tr') ?? [])].find(({ cells }) =>
            matchesRow(sentence, cells[0]?.textContent ?? ''),
          );
    const aimed = row ?? (section === undefined ? null : document.getElementById(`${idPrefix}${section}`));
    const shown = aimed ?? article.current?.querySelector<HTMLElement>('h2');
    // The dialog puts the focus there as well when it has just opened.
    article.current?.querySelector('[data-autofocus]')?.removeAttribute('data-autofocus');
    shown?.setAttribute('data-autofocus', '');
    shown?.focus({ preventScroll: true });
    // In a small window the dialog scrolls instead of the article.
    article.current?.scrollTo(0, 0);
    article.current?.closest('[role="dialog"]')?.scrollTo(0, 0);
    aimed?.scrollIntoView({ block: row === undefined ? 'start' : 'center' });
  }, [place, language]);
  const components = useMemo(
    () => ({
      ...focusable,
      img: Picture,
      a: ({ href = '', children }: ComponentProps<'a'>) => {
        const target = placeOf(href, page);
        return target === null ? (
          children
        ) : (
          <a
            href={href}
            onClick={(event: MouseEvent) => {
              event.preventDefault();
              showHelp(target);
            }}
          >
            {children}
          </a>
        );
      },
    }),
    [page, showHelp],
  );
  return (
    <>
      <nav className="help-sections" aria-label={t('help.sections')}>
        <ul>
          {sections.map(({ id, title }) => (
            <li key={id}>
              <button type="button" className="text-button" onClick={() => showHelp({ part: page, section: id })}>
                {title}
              </button>
            </li>
          ))}
        </ul>
      </nav>
      <article className="help-page" ref={article} tabIndex={0} aria-label={t(`help.part.${page}`)}>
        <Text components={components} />
      </article>
    </>
  );
}
