/** The members of one field. */
import { useEffect, useRef } from 'preact/hooks';
import type { ApiError } from '../../../common/api.ts';
import { Button, Panel } from '../../../common/components.tsx';
import { Check, Field, Select } from '../../../common/form.tsx';
import {
  findKind,
  KIND_IDS,
  KINDS,
  type KindId,
  type TypedField,
  toFieldName,
  toKind,
  toNumber,
} from '../typed.ts';
import type { FieldChanges } from './use-field-changes.ts';
import { ValueList } from './value-list.tsx';

interface FieldPanelProps {
  readonly field: TypedField;
  readonly fields: readonly TypedField[];
  readonly error: ApiError | null;
  readonly edit: FieldChanges;
}

type TextMember = 'title' | 'help' | 'label' | 'max_length' | 'min' | 'max';

export function FieldPanel({ field, fields, error, edit }: FieldPanelProps) {
  const heading = useShown(edit.added === field.key);
  const { key, options, isNew } = field;
  const change = (members: Partial<TypedField>) => edit.change(field, members);
  const member = (name: TextMember, read: (text: string) => unknown = String) => ({
    name: `${key}/${name}`,
    value: String(field[name] ?? ''),
    onValue: (text: string) => change({ [name]: read(text) }),
    ...({ error, autocomplete: 'off', direction: 'auto' } as const),
  });
  return (
    <Panel title={toFieldName(field)} id="field" heading={heading} body="stack tight">
      <Field {...member('title')} label="Question" />
      <Select
        label="Type"
        options={KIND_IDS.map((kind) => [kind, KINDS[kind].name])}
        value={findKind(field)}
        errors={error?.errors[`${key}/type`]}
        onValue={(kind) => change(toKind(field, kind as KindId))}
      />
      <Field {...member('help')} label="Help (optional)" />
      {options && (
        <ValueList
          names={['Choices', 'Choice']}
          values={options}
          onValues={(values) => change({ options: values })}
          errors={error?.errors[`${key}/options`]}
          hint="Up to 6 are shown as a list, more as a menu."
        />
      )}
      {listBounds(field).map((bound) => (
        <Field key={bound.name} {...member(bound.name, bound.read)} label={bound.label} type={bound.type} />
      ))}
      <Field
        {...member('label')}
        label="Label"
        hint={`Name of the answer in the API and in exports.${isNew ? '' : ' Another one begins a new column.'}`}
      />
      <Actions field={field} fields={fields} edit={edit} />
    </Panel>
  );
}

/** Returns the ref of the heading of a panel that is brought into view, or gets the focus in its first field. */
function useShown(takesFocus: boolean) {
  const heading = useRef<HTMLHeadingElement>(null);
  // After the menu that has added the field was closed.
  useEffect(() => {
    const panel = heading.current!.closest('section')!;
    if (takesFocus) panel.querySelector('input')!.focus();
    // Below the list, where there is no room beside it.
    else if (matchMedia('(width < 64rem)').matches) panel.scrollIntoView();
  }, []);
  return heading;
}

/** Returns the bounds that the answer can have. */
function listBounds({ type, options }: TypedField) {
  const bound = (name: TextMember, label: string, read: (text: string) => unknown = toNumber) => ({
    ...{ name, label, read },
    type: type === 'date' ? ('date' as const) : ('text' as const),
  });
  if (type === 'text' && !options) return [bound('max_length', 'Maximum length (optional)')];
  if (type === 'number') return [bound('min', 'Minimum (optional)'), bound('max', 'Maximum (optional)')];
  if (type !== 'date') return [];
  return [bound('min', 'First day (optional)', String), bound('max', 'Last day (optional)', String)];
}

function Actions({ field, fields, edit }: Omit<FieldPanelProps, 'error'>) {
  const index = fields.indexOf(field);
  return (
    <>
      <Check
        text={field.type === 'checkbox' ? 'Has to be checked' : 'Required'}
        isChecked={field.is_required}
        onChecked={(is_required) => edit.change(field, { is_required })}
      />
      <div class="row">
        {(['up', 'down'] as const).map((direction) => {
          const to = direction === 'up' ? index - 1 : index + 1;
          return (
            <Button
              key={direction}
              icon={direction}
              text={`Move ${direction}`}
              class="compact"
              aria-disabled={fields[to] === undefined}
              onClick={() => edit.move(field.key, to)}
            />
          );
        })}
        {fields.length > 1 && (
          <Button text="Remove" class="compact danger" onClick={() => edit.remove(field)} />
        )}
      </div>
    </>
  );
}
