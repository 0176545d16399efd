/** Code in pages: quotes, copies and paints it. */

/** Quotes a text for POSIX shells. */
export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Copies the text, or selects it where there is no clipboard: that needs a secure context. Returns the outcome. */
export async function copyCode(code: HTMLElement, text: string): Promise<string> {
  try {
    await navigator.clipboard.writeText(text);
    return 'Copied';
  } catch {
    getSelection()?.selectAllChildren(code);
    return 'Selected: copy with the keyboard';
  }
}

/**
 * The parts that have colours. They are ranges of the document: the code stays one text. Comments are first, whose
 * quotes begin no string. JSON in single quotes of a shell is read as JSON.
 */
const PARTS =
  /(?<comment>(?:^|\s)(?:#|\/\/)\s.*$)|(?<text>"(?:[^"\\\n]|\\.)*"|(?<![\w}\]])'(?![{[])[^'\n]*'|`[^`]*`)(?<colon>\s*:)?/gm;

/** Paints when the code comes into view. Returns a function that ends it, before the code changes. */
export function paintCode(code: Element): () => void {
  let painted: [kind: string, range: Range][] = [];
  const observer = new IntersectionObserver((entries) => {
    if (painted.length > 0 || !entries.some(({ isIntersecting }) => isIntersecting)) return;
    painted = listRanges(code);
    for (const [kind, range] of painted) getHighlight(kind).add(range);
  });
  observer.observe(code);
  return () => {
    observer.disconnect();
    for (const [kind, range] of painted) getHighlight(kind).delete(range);
  };
}

/** Paints all code of a page. */
export function paintAll(): void {
  for (const code of document.querySelectorAll('.code code')) paintCode(code);
}

function listRanges(code: Element): [kind: string, range: Range][] {
  const node = code.firstChild;
  if (!(node instanceof Text) || !('highlights' in CSS)) return [];
  return [...node.data.matchAll(PARTS)].flatMap(({ index, groups }) => {
    const { text, colon } = groups!;
    if (text === undefined) return [];
    const range = new Range();
    range.setStart(node, index);
    range.setEnd(node, index + text.length);
    return [[colon === undefined ? 'string' : 'key', range]];
  });
}

function getHighlight(kind: string): Highlight {
  const known = CSS.highlights.get(kind);
  if (known !== undefined) return known;
  const highlight = new Highlight();
  CSS.highlights.set(kind, highlight);
  return highlight;
}
