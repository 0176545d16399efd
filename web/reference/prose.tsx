/** Texts of the description. Everything becomes a text node, so that nothing in the description can become markup. */
import type { ComponentChildren } from 'preact';

/** Renders the subset of CommonMark that descriptions use: paragraphs, lists, `code`, **strong** and links. */
export function Prose({ text = '' }: { readonly text?: string | undefined }) {
  const blocks = text
    .trim()
    .split(/\n\s*\n/)
    .filter(Boolean);
  return <>{blocks.map(block)}</>;
}

function block(text: string) {
  const [lead = '', ...items] = text.split(/^\s*[-*] /m);
  if (items.length === 0)
    return (
      <p>
        <Inline text={lead} />
      </p>
    );
  return (
    <>
      {lead.trim() && (
        <p>
          <Inline text={lead} />
        </p>
      )}
      <ul>
        {items.map((item) => (
          <li>
            <Inline text={item} />
          </li>
        ))}
      </ul>
    </>
  );
}

const PIECES = /(`[^`]+`|\*\*[^*]+\*\*|\[[^\]]+\]\((?:https?:\/\/|\/|#)[^)\s]*\))/;

export function Inline({ text }: { readonly text: string }) {
  return <>{text.split(PIECES).filter(Boolean).map(piece)}</>;
}

function piece(text: string): ComponentChildren {
  const [, label, href] = /^\[(.+)\]\((.+)\)$/s.exec(text) ?? [];
  if (label && href) return <a href={href}>{label}</a>;
  if (/^`.+`$/s.test(text)) return <code>{text.slice(1, -1)}</code>;
  return /^\*\*.+\*\*$/s.test(text) ? <strong>{text.slice(2, -2)}</strong> : text;
}

interface MarkProps {
  /** Nothing is rendered without a text. */
  readonly text: string | false | undefined;
  readonly tone?: 'warn' | 'bad';
}

/** A label after a name. */
export function Mark({ text, tone }: MarkProps) {
  return text ? (
    <>
      {' '}
      <span class={tone ? `small tone ${tone}` : 'small muted'}>{text}</span>
    </>
  ) : null;
}

const TONES: Readonly<Record<string, string>> = { POST: 'good', PUT: 'warn', PATCH: 'warn', DELETE: 'bad' };

export function Badge({ method }: { readonly method: string }) {
  return <span class={`method tone ${TONES[method] ?? 'note'}`}>{method}</span>;
}

/** Allows line breaks after the slashes and dots of a path, but not inside its names. */
export function Breakable({ path }: { readonly path: string }) {
  return (
    <>
      {path.split(/(?<=[/.])/).map((part) => (
        <>
          {part}
          <wbr />
        </>
      ))}
    </>
  );
}
