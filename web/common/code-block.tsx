/** Text for a terminal or a program, with a button that copies it. */
import { useState } from 'preact/hooks';

export function CodeBlock({ label, text }: { readonly label: string; readonly text: string }) {
  const [outcome, setOutcome] = useState('');
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setOutcome('Copied'),
      () => setOutcome('The browser did not allow it: select the text and copy it'),
    );
  return (
    <figure class="code">
      <figcaption>
        {label}{' '}
        <button type="button" class="link" onClick={copy}>
          Copy
        </button>{' '}
        <span role="status">{outcome}</span>
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: without the focus, the keyboard could not scroll it */}
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
    </figure>
  );
}

/** Quotes a text for POSIX shells. */
export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
