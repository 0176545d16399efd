/** Text for a terminal or a program, with a button that copies it. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { copyCode, paintCode } from './code.ts';
import { Button } from './components.tsx';

interface CodeBlockProps {
  readonly label: string;
  readonly text: string;
  /** Shown in place of the label. */
  readonly head?: ComponentChildren;
  /** Text to copy, if another one. */
  readonly copied?: string;
  /** Whether long lines are continued on the next, so that all of it is seen at once. */
  readonly wraps?: boolean;
}

export function CodeBlock({ label, text, head, copied = text, wraps = false }: CodeBlockProps) {
  const code = useRef<HTMLElement>(null);
  const [outcome, setOutcome] = useState('');
  useEffect(() => paintCode(code.current!), [text]);
  return (
    <figure class={wraps ? 'code wraps' : 'code'}>
      <figcaption>
        {head ?? <span>{label}</span>}
        <span role="status">{outcome}</span>
        <Button
          text="Copy"
          class="compact plain"
          aria-label={`Copy: ${label}`}
          onClick={async () => setOutcome(await copyCode(code.current!, copied))}
          onBlur={() => setOutcome('')}
        />
      </figcaption>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines scroll inside the block, also by keyboard */}
      <pre tabIndex={0} role="group" aria-label={label}>
        <code ref={code}>{text}</code>
      </pre>
    </figure>
  );
}
