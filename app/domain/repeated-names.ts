interface Level {
  /** Of an object, the names so far, and whether each has been told; of an array null. */
  readonly names: Map<string, boolean> | null;
  /** Where the value stands that comes next. */
  place: string;
  /** How many values stand before it. */
  count: number;
  /** Whether the next text is a name. */
  isBeforeName: boolean;
}

// A text, or a sign of the structure; all else lies between two of them.
const token = /"(?:[^"\\]|\\.)*"|[{}[\],]/g;

/** More of them nobody reads; a path can be as long as the text. */
const mostTold = 50;

/**
 * The paths of names that an object of a JSON text has more than once, such as "settings.scanner", each of them once, and
 * the first fifty: of such names JSON.parse keeps the last in silence (RFC 8259 §4). The text must be JSON.
 */
export function repeatedNames(text: string): readonly string[] {
  const repeated = new Set<string>();
  const levels: Level[] = [];
  for (const [sign] of text.matchAll(token)) {
    const level = levels.at(-1);
    if (sign === '{' || sign === '[') {
      levels.push({ names: sign === '{' ? new Map() : null, place: '0', count: 0, isBeforeName: sign === '{' });
    } else if (sign === '}' || sign === ']') {
      levels.pop();
    } else if (level !== undefined && sign === ',') {
      level.count += 1;
      level.place = String(level.count);
      level.isBeforeName = level.names !== null;
    } else if (level?.names && level.isBeforeName) {
      const name = String(JSON.parse(sign));
      level.place = name;
      level.isBeforeName = false;
      if (level.names.get(name) === false) {
        // Where the levels stand now is the path: one kept in each would take the square of their number.
        repeated.add(levels.map(({ place }) => place).join('.'));
      }
      if (repeated.size === mostTold) {
        break;
      }
      level.names.set(name, level.names.has(name));
    }
  }
  return [...repeated];
}
