/** A choice in the head of code, such as its language. */
import { useId } from 'preact/hooks';

interface TabChoiceProps {
  readonly legend: string;
  /** Labels by value. */
  readonly options: Readonly<Record<string, string>>;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

export function TabChoice({ legend, options, value, onChange }: TabChoiceProps) {
  const name = useId();
  return (
    <fieldset class="tab-choice">
      <legend class="visually-hidden">{legend}</legend>
      {Object.entries(options).map(([each, label]) => (
        <label key={each}>
          <input
            type="radio"
            name={name}
            value={each}
            class="visually-hidden"
            checked={each === value}
            onChange={() => onChange(each)}
          />
          {label}
        </label>
      ))}
    </fieldset>
  );
}
