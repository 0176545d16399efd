/** A name and its value in a list of facts. */
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { copyCode } from '../../common/code.ts';
import { Time } from '../../common/time.tsx';
import { announce } from '../status.tsx';

export function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

interface TimeFactProps {
  readonly name: string;
  readonly at: string | null;
  /** In place of a time that is not known. Without it, there is no such fact. */
  readonly otherwise?: string;
}

export function TimeFact({ name, at, otherwise = '' }: TimeFactProps) {
  if (at === null && otherwise === '') return null;
  return (
    <Fact name={name}>
      <Time at={at} otherwise={otherwise} />
    </Fact>
  );
}

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
      <button
        type="button"
        class="link"
        aria-label={`Copy the ${name}`}
        onClick={async () => announce(`${await copyCode(code.current!, id)}.`)}
      >
        Copy
      </button>
    </>
  );
}
