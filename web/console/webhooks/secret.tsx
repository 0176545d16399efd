/** A secret that is shown once. */
import { CodeBlock } from '../../common/code-block.tsx';

interface SecretProps {
  readonly secret: string;
  readonly onClose: () => void;
}

export function Secret({ secret, onClose }: SecretProps) {
  return (
    <>
      <p>
        Copy the secret now: it is <strong>shown only this once</strong>. The receiver verifies the signatures
        of deliveries with it.
      </p>
      <CodeBlock label="Secret" text={secret} />
      <div class="buttons">
        <button type="button" class="primary" onClick={onClose}>
          I have copied it
        </button>
      </div>
    </>
  );
}
