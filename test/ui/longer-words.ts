/**
 * Makes each word of the page longer by the share, so that lines break where a translation's would; 0.3 makes "Sign
 * out" "Siign ouut". Figures, codes and addresses stay as they are, and so does what is longer already.
 */
export function lengthenWords(share: number): void {
  // At a vowel, so that it stays a word; a word without one grows at its end.
  const lengthen = (word: string): string => {
    const at = [...word.matchAll(/[aeiou]/gi)].at(-1)?.index ?? word.length - 1;
    return word.slice(0, at + 1) + (word[at] ?? '').repeat(Math.round(word.length * share)) + word.slice(at + 1);
  };
  const longer = ((window as unknown as { longerWords?: Set<string> }).longerWords ??= new Set());
  const once = (sentence: string): string => {
    const long = longer.has(sentence)
      ? sentence
      : sentence.replaceAll(/(?<![\p{L}\p{N}_@.-])\p{L}+(?![\p{L}\p{N}_@-]|\.\p{L})/gu, lengthen);
    longer.add(long);
    return long;
  };
  // Mantine's variables are a style element of the body.
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT, (node) =>
    node.parentElement?.closest('style, script') === null ? NodeFilter.FILTER_ACCEPT : NodeFilter.FILTER_REJECT,
  );
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    node.nodeValue = once(node.nodeValue ?? '');
  }
  for (const element of document.querySelectorAll('[title]')) {
    element.setAttribute('title', once(element.getAttribute('title') ?? ''));
  }
}
