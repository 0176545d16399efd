/** Code that can be copied. */
import { signal } from '@preact/signals';
import { useRef } from 'preact/hooks';

/** Name of the text that was copied last, for the status line of the page. */
const status = signal('');
let timer: number | undefined;

interface CodeBlockProps {
  readonly label: string;
  readonly text: string;
}

export function CodeBlock({ label, text }: CodeBlockProps) {
  const code = useRef<HTMLElement>(null);
  return (
    <figure class="code">
      <figcaption>
        <span>{label}</span>
        <button
          type="button"
          class="plain"
          aria-label={`Copy: ${label}`}
          onClick={() => copyText(code.current!, text)}
        >
          Copy
        </button>
      </figcaption>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines scroll inside the block, also by keyboard */}
      <pre tabIndex={0} role="group" aria-label={label}>
        <code ref={code}>{text}</code>
      </pre>
    </figure>
  );
}

/** Copies the text, or selects it where there is no clipboard: that needs a secure context. */
async function copyText(code: HTMLElement, text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    status.value = 'Copied';
  } catch {
    getSelection()?.selectAllChildren(code);
    status.value = 'Selected: copy with the keyboard';
  }
  clearTimeout(timer);
  timer = setTimeout(() => {
    status.value = '';
  }, 3000);
}

export function CopyStatus() {
  return (
    <p class="status" id="reference-status" role="status">
      {status}
    </p>
  );
}
