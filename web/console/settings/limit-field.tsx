/** The field for a number, or for the two of a quota, which may be without a limit. */
import type { ApiError } from '../../common/api.ts';
import type { Setting } from '../../common/api-types.ts';
import { formatCount } from '../../common/components.tsx';
import { Check, Errors } from '../../common/form.tsx';
import { formatDefault } from './value-text.ts';

type Format = NonNullable<Setting['format']>;

export interface ValueFieldProps {
  readonly setting: Setting;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly error: ApiError | null;
}

export interface FormattedFieldProps extends ValueFieldProps {
  readonly format: Format;
}

export function LimitField(props: FormattedFieldProps) {
  const { setting, text, onText, error, format } = props;
  const { name, title, default: standard } = setting;
  const isOff = text === 'off';
  return (
    <fieldset class="field">
      <legend>New value of {title}</legend>
      <Numbers {...props} text={isOff ? '' : text} isOff={isOff} />
      {format.can_be_off && (
        <Check
          isChecked={isOff}
          onChecked={() => onText(isOff && standard !== 'off' ? (standard ?? '') : 'off')}
        >
          No limit
        </Check>
      )}
      <small>
        {formatDefault(setting)}. {formatBounds(format)}
      </small>
      <Errors messages={error?.errors[name] ?? []} />
    </fieldset>
  );
}

function Numbers(props: FormattedFieldProps & { readonly isOff: boolean }) {
  const { setting, text, onText, error, format, isOff } = props;
  const { name, title } = setting;
  const number = { name, format, isDisabled: isOff, isInvalid: error?.errors[name] !== undefined };
  if (format.kind === 'integer')
    return (
      <NumberField {...number} label={`Number of ${title}`} unit={format.unit} text={text} onText={onText} />
    );
  const [requests = '', seconds = ''] = text.split('/');
  return (
    <div class="row">
      <NumberField
        {...number}
        label={`Requests of ${title}`}
        unit="in"
        text={requests}
        onText={(changed) => onText(`${changed}/${seconds}`)}
      />
      <NumberField
        {...number}
        label={`Seconds of ${title}`}
        unit="seconds"
        text={seconds}
        onText={(changed) => onText(`${requests}/${changed}`)}
      />
    </div>
  );
}

interface NumberFieldProps extends Pick<FormattedFieldProps, 'format' | 'text' | 'onText'> {
  readonly label: string;
  readonly name: string;
  readonly unit: string | null;
  readonly isDisabled: boolean;
  readonly isInvalid: boolean;
}

/** A number with its unit. */
function NumberField({ label, format, unit, onText, isDisabled, isInvalid, ...props }: NumberFieldProps) {
  return (
    <label class="row number">
      <span class="visually-hidden">{label}</span>
      <input
        type="number"
        inputMode="numeric"
        step={1}
        min={format.minimum ?? undefined}
        max={format.maximum ?? undefined}
        name={props.name}
        value={props.text}
        disabled={isDisabled}
        aria-invalid={isInvalid ? true : undefined}
        onInput={({ currentTarget }) => onText(currentTarget.value)}
      />
      {unit !== null && <span aria-hidden="true">{unit}</span>}
    </label>
  );
}

function formatBounds({ minimum, maximum }: Format): string {
  if (minimum === null) return '';
  if (maximum === null) return `Whole numbers from ${formatCount(minimum)}.`;
  return `From ${formatCount(minimum)} to ${formatCount(maximum)}.`;
}
