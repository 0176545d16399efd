/** A secret that is shown once. */
import type { ComponentChildren } from 'preact';
import { CodeBlock } from '../../common/code-block.tsx';

interface SecretProps {
  readonly label: string;
  readonly secret: string;
  readonly onClose: () => void;
  /** Purpose. */
  readonly children: ComponentChildren;
}

export function Secret({ label, secret, onClose, children }: SecretProps) {
  return (
    <>
      <p>
        Copy the {label.toLowerCase()} now: it is <strong>shown only this once</strong>. {children}
      </p>
      <CodeBlock label={label} text={secret} />
      <div class="buttons">
        <button type="button" class="primary" onClick={onClose}>
          I have copied it
        </button>
      </div>
    </>
  );
}
