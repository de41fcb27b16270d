// Owns the page's one exception from Trusted Types, which its policy demands (app/hosts/page.ts): a text without a single tag may stand where
// markup could, for Mantine writes its style sheets that way. Markup and scripts out of texts are refused, whoever makes them. Must be
// imported before anything that draws; never imports anything.

/** What of the Trusted Types interface the page needs; TypeScript's library does not have it yet (https://w3c.github.io/trusted-types/). */
interface TrustedTypesFactory {
  createPolicy(name: string, rules: { readonly createHTML: (text: string) => string | null }): unknown;
}

/** The text itself, or null, which the browser takes as a refusal. */
function onlyWithoutTags(text: string): string | null {
  return text.includes('<') ? null : text;
}

const factory = (globalThis as { readonly trustedTypes?: TrustedTypesFactory }).trustedTypes;
factory?.createPolicy('default', { createHTML: onlyWithoutTags });
