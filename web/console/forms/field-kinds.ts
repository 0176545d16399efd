/** Kinds of fields, as the editor names them: a type of the API with its members. */
import type { FormField } from '../../common/api-types.ts';

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
