/** Endings of domains up to this length are shown: `example`. */
const MAX_ENDING_LENGTH = 8;

/**
 * Returns an address in which its owner recognises it, without text chosen by a user: local part and domain
 * can be an advertisement, and mail programs turn names of hosts into links. `www.prize@win.example` becomes
 * `w…@w….example`.
 */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  const labels = email.slice(at + 1).split('.');
  const masked = labels.map((label, index) => {
    const isEnding = index > 0 && index === labels.length - 1;
    const isShown = label.length === 1 || (isEnding && label.length <= MAX_ENDING_LENGTH);
    return isShown ? label : shorten(label);
  });
  return `${shorten(email.slice(0, at))}@${masked.join('.')}`;
}

function shorten(text: string): string {
  return `${String.fromCodePoint(text.codePointAt(0) ?? 0)}…`;
}
