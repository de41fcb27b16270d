import type { Rolldown } from 'vite';

type Context = Parameters<Extract<Rolldown.CodeSplittingGroup['name'], (...given: never[]) => unknown>>[1];

/** All modules that these import, themselves among them; not those that they only read later. */
export function importedBy(roots: readonly string[], context: Context): ReadonlySet<string> {
  const found = new Set(roots);
  for (const id of found) {
    context.getModuleInfo(id)?.importedIds.forEach((imported) => found.add(imported));
  }
  return found;
}

/**
 * In how few files the pages come: each is asked of the main process, and a hundred small ones take longer than all
 * that stands in them. `window` holds what the window's page needs at once, `screens` what it reads soon after, and
 * `pages` and `parts` what of either another page needs as well. What is read when it is needed has files of its own.
 * The window's page, the other pages and the module that reads the screens are named by their paths, with slashes.
 */
export function pageChunks(
  window: string,
  others: readonly string[],
  screens: string,
): readonly Rolldown.CodeSplittingGroup[] {
  let sets: ReadonlyMap<string, ReadonlySet<string>> | null = null;
  const readSets = (context: Context): ReadonlyMap<string, ReadonlySet<string>> => {
    const atOnce = importedBy([window], context);
    const soon = importedBy(context.getModuleInfo(screens)?.dynamicallyImportedIds ?? [], context);
    const elsewhere = importedBy(others, context);
    const alsoElsewhere = (ids: ReadonlySet<string>): ReadonlySet<string> =>
      new Set([...ids].filter((id) => elsewhere.has(id)));
    return new Map([
      ['pages', alsoElsewhere(atOnce)],
      ['window', new Set([...atOnce].filter((id) => id !== window))],
      ['parts', alsoElsewhere(soon)],
      ['screens', soon],
    ]);
  };
  // Each takes along what it imports, unless one before it has that.
  return ['pages', 'window', 'parts', 'screens'].map((chunk, place, { length }) => ({
    debugName: chunk,
    priority: length - place,
    name: (id, context) => {
      sets ??= readSets(context);
      return sets.get(chunk)?.has(id) === true ? chunk : null;
    },
  }));
}
