/**
 * The part of the Trusted Types interface that the page needs; TypeScript's library does not have it yet
 * (https://w3c.github.io/trusted-types/).
 */
interface TrustedTypesFactory {
  createPolicy(name: string, rules: { readonly createHTML: (text: string) => string | null }): unknown;
}

/** The text itself, or null, which the browser takes as a refusal. */
function onlyWithoutTags(text: string): string | null {
  return text.includes('<') ? null : text;
}

const factory = (globalThis as { readonly trustedTypes?: TrustedTypesFactory }).trustedTypes;
factory?.createPolicy('default', { createHTML: onlyWithoutTags });
