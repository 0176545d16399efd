/** A number with its unit. */
import type { Setting } from '../../common/api-types.ts';

interface NumberFieldProps {
  readonly label: string;
  readonly name: string;
  readonly format: NonNullable<Setting['format']>;
  readonly unit: string | null;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly isDisabled: boolean;
  readonly isInvalid: boolean;
}

export function NumberField(props: NumberFieldProps) {
  const { label, name, format, unit, text, onText, isDisabled, isInvalid } = props;
  return (
    <label class="row number">
      <span class="visually-hidden">{label}</span>
      <input
        type="number"
        inputMode="numeric"
        step={1}
        min={format.minimum ?? undefined}
        max={format.maximum ?? undefined}
        name={name}
        value={text}
        disabled={isDisabled}
        aria-invalid={isInvalid ? true : undefined}
        onInput={({ currentTarget }) => onText(currentTarget.value)}
      />
      {unit !== null && <span aria-hidden="true">{unit}</span>}
    </label>
  );
}
