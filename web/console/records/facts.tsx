/** A name and its value in a list of facts. */
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { copyCode } from '../../common/code.ts';
import { announce } from '../status.tsx';

export function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

interface FactsProps {
  /** Values by name. Those without a content are left out. */
  readonly facts: Readonly<Record<string, ComponentChildren>>;
  /** Further classes of the list. */
  readonly class?: string;
}

export function Facts({ facts, class: classes = '' }: FactsProps) {
  const given = Object.entries(facts).filter(([, content]) => content != null && content !== false);
  return (
    <dl class={`facts ${classes}`}>
      {given.map(([name, content]) => (
        <Fact key={name} name={name}>
          {content}
        </Fact>
      ))}
    </dl>
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
