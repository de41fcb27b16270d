import { use, type ComponentType } from 'react';
import type { Language } from '../../app/contract/basics.ts';
import type { HelpPage } from '../stores/navigation.ts';

/** The module that build/help-pages.ts makes of a Markdown file. */
interface PageModule {
  readonly default: ComponentType<{ readonly components: object }>;
  readonly sections: readonly { readonly id: string; readonly title: string }[];
}

// Each a file of its own, read when somebody opens it.
const readers = import.meta.glob<PageModule>('../../docs/*/*.md');
const begun = new Map<string, Promise<PageModule>>();

/** The page in this language; the component waits until it has been read. */
export function useHelpPage(page: HelpPage, language: Language): PageModule {
  const path = `../../docs/${language}/${page}.md`;
  const reading = begun.get(path) ?? readers[path]?.() ?? Promise.reject(new Error(`there is no ${path}`));
  begun.set(path, reading);
  return use(reading);
}
