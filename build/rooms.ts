import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { writeAccess } from './access-table.ts';
import { findArrows } from './boundaries.ts';

const root = resolve(import.meta.dirname, '..');
const readmePath = join(root, 'app/README.md');
const drawing = /```mermaid\n[^]*?```/;

/** The sources that `pattern` names, by path from the project's folder. */
export function readSources(patterns: readonly string[]): Map<string, string> {
  return new Map(
    globSync(patterns, { cwd: root }).map((path) => [
      path.replaceAll('\\', '/'),
      readFileSync(join(root, path), 'utf8'),
    ]),
  );
}

/** Whether `to` can be reached from `from` by two arrows or more. The arrows have no circle. */
function isShownAnyway(arrows: ReadonlyMap<string, ReadonlySet<string>>, from: string, to: string): boolean {
  const reaches = (part: string): boolean => part === to || [...(arrows.get(part) ?? [])].some(reaches);
  return [...(arrows.get(from) ?? [])].some((next) => next !== to && reaches(next));
}

/** Draws which part imports which. An arrow that a longer way already shows is left out. */
export function drawRooms(arrows: ReadonlyMap<string, ReadonlySet<string>>): string {
  const lines = [...arrows].flatMap(([from, targets]) =>
    [...targets].filter((to) => !isShownAnyway(arrows, from, to)).map((to) => `  ${from} --> ${to}`),
  );
  return ['```mermaid', 'flowchart TD', ...lines.toSorted(), '```'].join('\n');
}

/** Whether app/README.md shows what these sources import. */
export function isDrawn(sources: ReadonlyMap<string, string>): boolean {
  return readFileSync(readmePath, 'utf8').match(drawing)?.[0] === drawRooms(findArrows(sources));
}

if (import.meta.main) {
  const picture = drawRooms(findArrows(readSources(['app/**/*.ts'])));
  writeFileSync(
    readmePath,
    readFileSync(readmePath, 'utf8').replace(drawing, () => picture),
  );
  console.log(picture);
  writeAccess();
}
