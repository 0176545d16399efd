/** The field for the value of a setting, by the values that it can have. */
import { useId } from 'preact/hooks';
import { Field } from '../../common/form.tsx';
import { Errors, type FormattedFieldProps, formatDefault, type ValueFieldProps } from './field-parts.tsx';
import { LimitField } from './limit-field.tsx';
import { formatChoice } from './value-text.ts';

export function ValueField(props: ValueFieldProps) {
  const { setting, text, onText, error } = props;
  const { name, format } = setting;
  if (format?.kind === 'choice') return <ChoiceField {...props} format={format} />;
  if (format?.kind === 'switch') return <SwitchField {...props} format={format} />;
  if (format?.kind === 'integer' || format?.kind === 'quota')
    return <LimitField {...props} format={format} />;
  return (
    <Field
      label={`Value of ${name}`}
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

function ChoiceField({ setting, text, onText, error, format }: FormattedFieldProps) {
  const id = useId();
  const { name } = setting;
  const errors = error?.errors[name] ?? [];
  return (
    <div class="field">
      <label for={id}>Value of {name}</label>
      <select
        id={id}
        name={name}
        value={text}
        aria-describedby={`${id}-hint`}
        aria-invalid={errors.length > 0 ? true : undefined}
        onChange={({ currentTarget }) => onText(currentTarget.value)}
      >
        {format.choices?.map((value) => (
          <option key={value} value={value}>
            {formatChoice(name, value)}
          </option>
        ))}
      </select>
      <small id={`${id}-hint`}>{formatDefault(setting)}</small>
      <Errors messages={errors} />
    </div>
  );
}

function SwitchField({ setting, text, onText, error, format }: FormattedFieldProps) {
  const { name } = setting;
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
          {name} is {text === on ? 'on' : 'off'}
        </span>
      </label>
      <small>Default: {setting.default === on ? 'on' : 'off'}</small>
      <Errors messages={error?.errors[name] ?? []} />
    </div>
  );
}
