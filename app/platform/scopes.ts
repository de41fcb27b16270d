// The reading of `oauth/scopes` (API v3 §4.2), of which the document shows nothing but that it exists and needs no
// Authorization. Never decides which scope is asked for: that is "*", the known usage (API v3 §2 "Token request").
import { z } from 'zod';
import { isObject, toText } from '../domain/loose-json.ts';

const maxScopes = 100;
const maxScopeLength = 100;
/** The fields that the list may be wrapped in, once or twice. */
const listKeys = ['scopes', 'data', 'items', 'scope'];
const deepest = 2;
const nameKeys = ['scope', 'name', 'id', 'code', 'value'];

function namesIn(value: unknown, depth = 0): readonly string[] {
  if (typeof value === 'string') {
    // RFC 6749 §3.3: one text, with spaces between.
    return value.slice(0, maxScopes * maxScopeLength).split(' ');
  }
  if (Array.isArray(value)) {
    return value
      .slice(0, maxScopes)
      .map((one: unknown) =>
        isObject(one) ? (nameKeys.flatMap((key) => toText(one[key]) ?? [])[0] ?? '') : (toText(one) ?? ''),
      );
  }
  if (!isObject(value)) {
    return [];
  }
  const inner = listKeys.map((key) => value[key]).find((candidate) => candidate !== undefined && candidate !== null);
  if (inner === undefined) {
    // Each under its name, with its description.
    return Object.keys(value);
  }
  return depth < deepest ? namesIn(inner, depth + 1) : [];
}

/** Names in a list, in a text, as keys, or in objects; malformed when there is none. */
export const scopesAnswerSchema = z.unknown().transform((answer, context): readonly string[] => {
  const names = namesIn(answer)
    .slice(0, maxScopes)
    .flatMap((name) => toText(name, maxScopeLength) ?? []);
  if (names.length === 0) {
    context.addIssue({ code: 'custom', message: 'no scope can be read' });
    return z.NEVER;
  }
  return [...new Set(names)];
});
