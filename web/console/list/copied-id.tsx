/** An id, with a button that copies it. The message about it moves nothing. */
import { useRef } from 'preact/hooks';
import { copy } from '../../common/code-block.tsx';
import { announce } from '../status.tsx';

export function CopiedId({ id }: { readonly id: string }) {
  const code = useRef<HTMLElement>(null);
  return (
    <>
      <code ref={code}>{id}</code>{' '}
      <button
        type="button"
        class="link"
        aria-label="Copy the id"
        onClick={async () => announce(`${await copy(code.current!, id)}.`)}
      >
        Copy
      </button>
    </>
  );
}
