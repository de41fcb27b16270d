interface Level {
  readonly path: readonly string[];
  /** Of an object, the names so far; of an array null. */
  readonly names: Set<string> | null;
  /** Where the value stands that comes next. */
  place: string;
  /** How many values stand before it. */
  count: number;
  /** Whether the next text is a name. */
  isBeforeName: boolean;
}

// A text, or a sign of the structure; all else lies between two of them.
const token = /"(?:[^"\\]|\\.)*"|[{}[\],]/g;

/**
 * The paths of names that an object of a JSON text has more than once, such as "settings.scanner", each of them once: of
 * such names JSON.parse keeps the last in silence (RFC 8259 §4). The text must be JSON.
 */
export function repeatedNames(text: string): readonly string[] {
  const repeated = new Set<string>();
  const levels: Level[] = [];
  for (const [sign] of text.matchAll(token)) {
    const level = levels.at(-1);
    if (sign === '{' || sign === '[') {
      const path = level === undefined ? [] : [...level.path, level.place];
      levels.push({ path, names: sign === '{' ? new Set() : null, place: '0', count: 0, isBeforeName: sign === '{' });
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
      if (level.names.has(name)) {
        repeated.add([...level.path, name].join('.'));
      }
      level.names.add(name);
    }
  }
  return [...repeated];
}
