/** Texts that are edited in place, one in a line. Lines that are pasted become texts of their own. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Button } from '../../../common/components.tsx';
import { Errors } from '../../../common/form.tsx';

interface ValueListProps {
  /** Name of all of them, and of one. */
  readonly names: readonly [string, string];
  readonly values: readonly string[];
  readonly onValues: (values: string[]) => void;
  readonly errors?: readonly string[] | undefined;
  readonly hint: string;
  /** Corrects a value when it is left. */
  readonly onLeave?: (value: string) => string;
}

export function ValueList({ names, values, onValues, errors = [], hint, onLeave }: ValueListProps) {
  const [title, one] = names;
  const noun = one.toLowerCase();
  const { list, replace, paste } = useReplace(values, onValues);
  return (
    <fieldset class="field" ref={list}>
      <legend>{title}</legend>
      {values.map((value, index) => (
        <div key={index} class="value">
          <input
            aria-label={`${one} ${index + 1}`}
            aria-invalid={errors.length > 0 ? true : undefined}
            value={value}
            dir="auto"
            autocomplete="off"
            onBlur={() => onLeave && onValues(values.map(onLeave))}
            onInput={({ currentTarget }) => onValues(values.with(index, currentTarget.value))}
            onKeyDown={({ key }) => key === 'Enter' && replace(index + 1, 0, [''])}
            onPaste={(event) => paste(event, index)}
          />
          <Button
            icon="close"
            class="plain square"
            aria-label={`Remove ${value || `${noun} ${index + 1}`}`}
            onClick={() => replace(index, 1, [])}
          />
        </div>
      ))}
      <Button
        icon="plus"
        text={`Add ${noun}`}
        class="compact"
        onClick={() => replace(values.length, 0, [''])}
      />
      <small>{hint}</small>
      <Errors messages={errors} />
    </fieldset>
  );
}

/** Returns functions that replace values, or paste lines, and focus the last one before the next key. */
function useReplace(values: readonly string[], onValues: ValueListProps['onValues']) {
  const list = useRef<HTMLFieldSetElement>(null);
  const focused = useRef(-1);
  useLayoutEffect(() => {
    list.current?.querySelectorAll('input')[focused.current]?.focus();
    focused.current = -1;
  }, [values.length]);
  const replace = (index: number, count: number, texts: readonly string[]) => {
    focused.current = Math.max(0, index + texts.length - 1);
    onValues(values.toSpliced(index, count, ...texts));
  };
  const paste = (event: ClipboardEvent, index: number) => {
    const lines = event.clipboardData?.getData('text').split(/\r?\n/).filter(Boolean) ?? [];
    if (lines.length < 2) return;
    event.preventDefault();
    replace(index, 1, [values[index]!, ...lines].filter(Boolean));
  };
  return { list, replace, paste };
}
