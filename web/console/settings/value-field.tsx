/** The field for the value of a setting, by the values that it can have. */
import type { ApiError } from '../../common/api.ts';
import type { Setting } from '../../common/api-types.ts';
import { formatCount } from '../../common/components.tsx';
import { Check, Errors, Field, Select } from '../../common/form.tsx';
import { formatChoice, formatDefault } from './value-text.ts';

export function ValueField(props: ValueFieldProps) {
  const { setting, text, onText, error } = props;
  const { name, title, format } = setting;
  if (format?.kind === 'choice')
    return (
      <Select
        label={`New value of ${title}`}
        name={name}
        options={(format.choices ?? []).map((value) => [value, formatChoice(name, value)])}
        value={text}
        onValue={onText}
        hint={formatDefault(setting)}
        errors={error?.errors[name]}
      />
    );
  if (format?.kind === 'switch') return <SwitchField {...props} format={format} />;
  if (format?.kind === 'integer' || format?.kind === 'quota')
    return <LimitField {...props} format={format} />;
  return (
    <Field
      label={`New value of ${title}`}
      name={name}
      type={format?.kind === 'url' ? 'url' : 'text'}
      value={text}
      onValue={onText}
      error={error}
      autocomplete="off"
      hint={formatDefault(setting)}
    />
  );
}

function SwitchField({ setting, text, onText, error, format }: FormattedFieldProps) {
  const { name, title } = setting;
  const [on = 'true', off = 'false'] = format.choices ?? [];
  return (
    <div class="field">
      <label class="option">
        <input
          type="checkbox"
          role="switch"
          name={name}
          aria-checked={text === on}
          checked={text === on}
          onChange={({ currentTarget }) => onText(currentTarget.checked ? on : off)}
        />
        <span>
          {title}: {text === on ? 'on' : 'off'}
        </span>
      </label>
      <small>Default: {setting.default === on ? 'on' : 'off'}</small>
      <Errors messages={error?.errors[name] ?? []} />
    </div>
  );
}

type Format = NonNullable<Setting['format']>;

interface ValueFieldProps {
  readonly setting: Setting;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly error: ApiError | null;
}

interface FormattedFieldProps extends ValueFieldProps {
  readonly format: Format;
}

function LimitField(props: FormattedFieldProps) {
  const { setting, text, onText, error, format } = props;
  const { name, title, default: standard } = setting;
  const isOff = text === 'off';
  return (
    <fieldset class="field">
      <legend>New value of {title}</legend>
      <Numbers {...props} text={isOff ? '' : text} isOff={isOff} />
      {format.can_be_off && (
        <Check
          text="No limit"
          isChecked={isOff}
          onChecked={() => onText(isOff && standard !== 'off' ? (standard ?? '') : 'off')}
        />
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
