/** A choice that opens beside its button. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Icon, type IconName } from '../../common/icon.tsx';

interface DropdownProps {
  readonly icon: IconName;
  readonly label: string;
  readonly children: ComponentChildren;
}

export function Dropdown({ icon, label, children }: DropdownProps) {
  const details = useClosing();
  return (
    <details class="dropdown" ref={details} onToggle={focusText}>
      <summary>
        <Icon name={icon} />
        {label}
      </summary>
      {children}
    </details>
  );
}

/** Where there is a text to type, it can be typed at once. */
function focusText({ currentTarget }: Event): void {
  const { open } = currentTarget as HTMLDetailsElement;
  if (open) (currentTarget as Element).querySelector<HTMLElement>('input:not([type])')?.focus();
}

/** Closes the choice on Escape, and on a press elsewhere. */
function useClosing() {
  const details = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const close = (event: Event) => {
      const shown = details.current;
      if (!shown?.open) return;
      const isKey = event instanceof KeyboardEvent;
      if (isKey ? event.key !== 'Escape' : shown.contains(event.target as Node)) return;
      shown.open = false;
      if (!isKey) return;
      event.preventDefault();
      shown.querySelector('summary')?.focus();
    };
    addEventListener('keydown', close);
    addEventListener('pointerdown', close);
    return () => {
      removeEventListener('keydown', close);
      removeEventListener('pointerdown', close);
    };
  }, []);
  return details;
}
