// @ts-check
/** Creates elements. Every text becomes a text node, so that nothing in the description can become markup. */

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string>} attributes
 * @param {(Node | string)[]} children strings become text nodes
 */
export function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

/** Renders the subset of CommonMark that descriptions use: paragraphs, lists, `code`, **strong** and links. */
export function prose(/** @type {string | undefined} */ text) {
  const blocks = (text ?? '')
    .trim()
    .split(/\n\s*\n/)
    .filter(Boolean);
  return blocks.map((block) => {
    const items = block.split(/^\s*[-*] /m);
    if (items.length === 1) return element('p', {}, ...inline(block));
    const [lead = '', ...rest] = items;
    const list = element('ul', {}, ...rest.map((item) => element('li', {}, ...inline(item))));
    return lead.trim() ? element('div', {}, element('p', {}, ...inline(lead)), list) : list;
  });
}

/** @returns {(Node | string)[]} */
export function inline(/** @type {string} */ text) {
  const pieces = text.split(/(`[^`]+`|\*\*[^*]+\*\*|\[[^\]]+\]\((?:https?:\/\/|\/|#)[^)\s]*\))/);
  return pieces.filter(Boolean).map((piece) => {
    const link = /^\[(.+)\]\((.+)\)$/s.exec(piece);
    if (link?.[1] && link[2]) return element('a', { href: link[2] }, link[1]);
    if (/^`.+`$/s.test(piece)) return element('code', {}, piece.slice(1, -1));
    return /^\*\*.+\*\*$/s.test(piece) ? element('strong', {}, piece.slice(2, -2)) : piece;
  });
}

/** @returns {(Node | string)[]} a label after a name, or nothing */
export function mark(/** @type {string | false | undefined} */ text, /** @type {string} */ kind) {
  return text ? [' ', element('span', { class: `mark ${kind}` }, text)] : [];
}

/** @param {keyof HTMLElementTagNameMap} tag @param {Node[]} children */
export function some(tag, /** @type {string} */ name, children) {
  return children.length > 0 ? [element(tag, { class: name }, ...children)] : [];
}

export function badge(/** @type {string} */ method) {
  return element('span', { class: `method ${method.toLowerCase()}` }, method);
}

/** Allows line breaks after the slashes and dots of a path, but not inside its names. */
export function breakable(/** @type {string} */ path) {
  return path.split(/(?<=[/.])/).flatMap((part) => [part, element('wbr')]);
}

export function codeBlock(/** @type {string} */ label, /** @type {string} */ text) {
  const code = element('code', {}, text);
  const copy = element('button', { type: 'button', 'aria-label': `Copy: ${label}` }, 'Copy');
  copy.addEventListener('click', () => copyText(code, text));
  const head = element('figcaption', {}, element('span', {}, label), copy);
  // Long lines scroll inside the block: it is focusable, so that the keyboard can scroll it too.
  const block = element('pre', { tabindex: '0', 'aria-label': label, role: 'group' }, code);
  return element('figure', { class: 'code' }, head, block);
}

/** Copies the text, or selects it where there is no clipboard: that needs a secure context. */
async function copyText(/** @type {HTMLElement} */ code, /** @type {string} */ text) {
  const status = /** @type {HTMLElement} */ (document.getElementById('reference-status'));
  try {
    await navigator.clipboard.writeText(text);
    status.textContent = 'Copied';
  } catch {
    getSelection()?.selectAllChildren(code);
    status.textContent = 'Selected: copy with the keyboard';
  }
  setTimeout(() => {
    status.textContent = '';
  }, 3000);
}
