/** Texts of the description. Everything becomes a text node, so that nothing in the description can become markup. */
import type { ComponentChildren } from 'preact';

/** Renders the subset of CommonMark that descriptions use: paragraphs, `code` and links. */
export function Prose({ text = '' }: { readonly text?: string | undefined }) {
  return (
    <>
      {text
        .split('\n\n')
        .filter(Boolean)
        .map((paragraph) => (
          <p>
            <Inline text={paragraph} />
          </p>
        ))}
    </>
  );
}

export function Inline({ text }: { readonly text: string }) {
  return <>{text.split(/(`[^`]+`|\[[^\]]+\]\([^)\s]+\))/).map(renderPart)}</>;
}

function renderPart(text: string): ComponentChildren {
  const [, label, href] = /^\[(.+)\]\(((?:https?:\/\/|\/|#).+)\)$/s.exec(text) ?? [];
  if (href !== undefined) return <a href={href}>{label}</a>;
  return /^`.+`$/s.test(text) ? <code>{text.slice(1, -1)}</code> : text;
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
