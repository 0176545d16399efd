/** A form as it is edited: as the API returns it, with keys of its fields, and with what is typed instead of numbers. */
import type { Form, FormField } from '../../common/api-types.ts';

export interface TypedField extends FormField {
  /** Stays the same when the field is moved or changed. */
  readonly key: string;
  /** Whether it is not stored yet: its label follows its title. */
  readonly isNew?: boolean;
}

const STORED = [
  ...(['id', 'state', 'published_version', 'draft_version'] as const),
  ...(['created_at', 'updated_at', 'revision', 'submissions'] as const),
];

/** The members of a form that can be changed. */
export type FormBody = Omit<Form, (typeof STORED)[number]>;
export type FormMember = keyof FormBody;
export type TypedForm = Omit<FormBody, 'fields'> & { readonly fields: readonly TypedField[] };

/** Also with members that this page does not know: they are replaced together. */
export function toTypedForm(form: Form): TypedForm {
  const members = Object.entries(form).filter(([name]) => !STORED.some((each) => each === name));
  const fields = form.fields.map((field) => ({ ...field, key: `field-${field.label}` }));
  return { ...(Object.fromEntries(members) as unknown as FormBody), fields };
}

/** Returns the form as the API reads it. */
export function toBody(typed: TypedForm): FormBody {
  return {
    ...typed,
    description: typed.description || null,
    once: typed.once && typed.access === 'token',
    allowed_origins: typed.allowed_origins.filter(Boolean),
    notify: typed.notify && { ...typed.notify, addresses: typed.notify.addresses.filter(Boolean) },
    fields: typed.fields.map(toField),
  };
}

/** With its members in one order, so that fields can be compared. */
function toField({ key: _, isNew: _isNew, options, ...members }: TypedField): FormField {
  const given = Object.entries({ ...members, options: options?.filter(Boolean) }).sort();
  const filled = given.filter(([, value]) => value !== null && value !== undefined && value !== '');
  return { label: '', ...Object.fromEntries(filled) } as FormField;
}

/** Returns a number if the text is exactly that of one. The service explains what is wrong with other texts. */
export function toNumber(text: string): number | null {
  return (String(Number(text)) === text ? Number(text) : text || null) as number | null;
}

let lastKey = 0;

export function createField(kind: KindId, taken: readonly TypedField[]): TypedField {
  const field: TypedField = {
    key: `new-${++lastKey}`,
    isNew: true,
    label: '',
    type: 'text',
    is_required: false,
  };
  return { ...field, label: toLabel('', taken), ...toKind(field, kind) };
}

/** Returns the members that the field has as one of another kind. */
export function toKind({ options, type: before }: TypedField, kind: KindId): Partial<TypedField> {
  const { type } = KINDS[kind];
  const hasOptions = kind === 'choice' || kind === 'choices';
  return {
    type,
    options: hasOptions ? (options ?? ['', '']) : null,
    multiple: kind === 'choices' || null,
    multiline: kind === 'multiline' || null,
    ...(hasOptions && { max_length: null }),
    ...(type !== before && { min: null, max: null, max_length: null }),
  };
}

/** Returns a label for the API: `full_name` for “Full name”, with a number if another field has it. */
export function toLabel(title: string, taken: readonly TypedField[]): string {
  const ascii = title.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const words = ascii
    .replace(/[^a-z0-9]+/g, '_')
    .slice(0, 44)
    .replace(/^_|_$/g, '');
  const stem = words.length < 3 ? `field_${words}`.replace(/_$/, '') : words;
  const isTaken = (label: string) => taken.some((each) => each.label.toLowerCase() === label);
  let label = stem;
  for (let number = 2; isTaken(label); number++) label = `${stem}_${number}`;
  return label;
}

export const KINDS = {
  text: { name: 'Text', icon: 'text', type: 'text' },
  multiline: { name: 'Long text', icon: 'lines', type: 'text' },
  choice: { name: 'One choice', icon: 'choice', type: 'text' },
  choices: { name: 'Several choices', icon: 'choices', type: 'text' },
  number: { name: 'Number', icon: 'number', type: 'number' },
  email: { name: 'Email', icon: 'at', type: 'email' },
  date: { name: 'Date', icon: 'date', type: 'date' },
  checkbox: { name: 'Check box', icon: 'checkbox', type: 'checkbox' },
} as const;

export type KindId = keyof typeof KINDS;
export const KIND_IDS = Object.keys(KINDS) as readonly KindId[];

export function findKind({ type, options, multiple, multiline }: FormField): KindId {
  if (options) return multiple ? 'choices' : 'choice';
  return multiline ? 'multiline' : type;
}

/** Returns what people read as the name of the field. */
export function toFieldName({ title, label }: Pick<FormField, 'title' | 'label'>): string {
  return title || label || 'Field without a name';
}
