/** An identifier with a button that copies it. */
import { useRef } from 'preact/hooks';
import { copyCode } from '../../common/code.ts';
import { Button } from '../../common/components.tsx';
import { announce } from '../status.tsx';

interface CopiedIdProps {
  readonly id: string;
  /** What it is. */
  readonly name?: string;
}

export function CopiedId({ id, name = 'id' }: CopiedIdProps) {
  const code = useRef<HTMLElement>(null);
  return (
    <>
      <code ref={code}>{id}</code>{' '}
      <Button
        text="Copy"
        class="link"
        aria-label={`Copy the ${name}`}
        onClick={async () => announce(`${await copyCode(code.current!, id)}.`)}
      />
    </>
  );
}
