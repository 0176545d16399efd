/** The field for the value of a setting, by the values that it can have. */
import { Errors, Field, Select } from '../../common/form.tsx';
import { type FormattedFieldProps, LimitField, type ValueFieldProps } from './limit-field.tsx';
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
