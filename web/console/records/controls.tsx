/** A choice that opens beside its button, and closes when it was made. */
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { Check, Options } from '../../common/form.tsx';
import { Icon, type IconName } from '../../common/icon.tsx';

interface DropdownProps {
  readonly icon: IconName;
  readonly label: string;
  readonly onOpen?: () => void;
  /** Whether it stays open after a press of one of its buttons. */
  readonly staysOpen?: boolean;
  readonly children: ComponentChildren;
}

export function Dropdown({ icon, label, onOpen, staysOpen = false, children }: DropdownProps) {
  const details = useClosing();
  const toggle = ({ currentTarget }: { currentTarget: HTMLDetailsElement }) => {
    if (!currentTarget.open) return;
    // A text field gets the focus.
    currentTarget.querySelector<HTMLElement>('input:not([type])')?.focus();
    onOpen?.();
  };
  return (
    <details
      class="dropdown"
      ref={details}
      onToggle={toggle}
      onClick={staysOpen ? undefined : closeAfter}
      onKeyDown={apply}
    >
      <summary>
        <Icon name={icon} />
        {label}
      </summary>
      {children}
    </details>
  );
}

/** Closes the choice after a press of one of its buttons. */
function closeAfter({ currentTarget, target }: Event): void {
  if ((target as Element).closest('button') !== null) close(currentTarget as HTMLDetailsElement);
}

/** Enter ends the typing: the field applies its value when it loses the focus. */
function apply(event: KeyboardEvent): void {
  if (event.key !== 'Enter' || !(event.target as Element).matches('input')) return;
  event.preventDefault();
  close(event.currentTarget as HTMLDetailsElement);
}

function close(details: HTMLDetailsElement): void {
  details.querySelector('summary')?.focus();
  details.open = false;
}

/** Closes the choice on Escape, and on a press elsewhere. */
function useClosing() {
  const details = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const leave = (event: Event) => {
      const shown = details.current;
      if (!shown?.open) return;
      const isKey = event instanceof KeyboardEvent;
      if (isKey ? event.key !== 'Escape' : shown.contains(event.target as Node)) return;
      if (!isKey) {
        shown.open = false;
        return;
      }
      event.preventDefault();
      close(shown);
    };
    addEventListener('keydown', leave);
    addEventListener('pointerdown', leave);
    return () => {
      removeEventListener('keydown', leave);
      removeEventListener('pointerdown', leave);
    };
  }, []);
  return details;
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly options: Readonly<Record<string, string>>;
  /** Without it, the choice is disabled. */
  readonly onChoose?: (value: string) => void;
}

export function Choice({ label, value, options, onChoose }: ChoiceProps) {
  const id = useId();
  return (
    <div class="select">
      <label for={id}>{label}</label>
      <select
        id={id}
        value={value}
        disabled={onChoose === undefined}
        onChange={({ currentTarget }) => onChoose?.(currentTarget.value)}
      >
        <Options options={Object.entries(options)} />
      </select>
    </div>
  );
}

interface SearchFieldProps {
  readonly label: string;
  readonly placeholder: string;
  readonly search: string;
  readonly onSearch: (text: string) => void;
}

/** Debounce delay of fast typing; the result should be shown 200 ms after the last letter. */
const DEBOUNCE_MS = 60;

/** Follows the URL, for example after Back, unless the change there is its own. */
export function SearchField({ label, placeholder, search, onSearch }: SearchFieldProps) {
  const id = useId();
  const [text, setText] = useState(search);
  const sent = useRef(search);
  useEffect(() => {
    if (search === sent.current) return;
    sent.current = search;
    setText(search);
  }, [search]);
  useEffect(() => {
    const wanted = text.trim();
    if (wanted === sent.current) return;
    const timer = setTimeout(() => {
      sent.current = wanted;
      onSearch(wanted);
    }, DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <div class="search">
      <label for={id} class="visually-hidden">
        {label}
      </label>
      <Icon name="search" />
      <input
        id={id}
        type="search"
        value={text}
        maxLength={255}
        placeholder={placeholder}
        autocomplete="off"
        spellcheck={false}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || text === '') return;
          event.preventDefault();
          setText('');
        }}
      />
      <kbd>/</kbd>
    </div>
  );
}

interface ColumnOption {
  readonly id: string;
  readonly title: string;
  readonly isShown: boolean;
  readonly isFixed?: boolean;
}

interface ColumnChoiceProps {
  readonly columns: readonly ColumnOption[];
  /** Called with the ids of the columns that are to be shown. */
  readonly onChoose: (ids: readonly string[]) => void;
}

export function ColumnChoice({ columns, onChoose }: ColumnChoiceProps) {
  const toggle = (changed: ColumnOption) =>
    onChoose(columns.filter((each) => each.isShown !== (each === changed)).map(({ id }) => id));
  return (
    <Dropdown icon="columns" label="Columns">
      <fieldset>
        <legend class="visually-hidden">Columns</legend>
        {columns.map((column) => (
          <Check
            key={column.id}
            text={column.title}
            isChecked={column.isShown}
            isDisabled={column.isFixed}
            onChecked={() => toggle(column)}
          />
        ))}
      </fieldset>
    </Dropdown>
  );
}
