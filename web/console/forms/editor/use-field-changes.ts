/** Adds, changes, moves and removes the fields of a form. */
import { useRef } from 'preact/hooks';
import { announce } from '../../status.tsx';
import type { FormDraft } from '../draft.tsx';
import { createField, type KindId, type TypedField, toFieldName, toLabel } from '../typed.ts';

type Fields = readonly TypedField[];

export function useFieldChanges({ typed, set }: FormDraft, onSelect: (key: string | null) => void) {
  const added = useRef<string | null>(null);
  const { fields } = typed;
  const setFields = (next: (fields: Fields) => Fields) => set((last) => ({ fields: next(last.fields) }));
  const insert = (field: TypedField, index: number) => {
    setFields((last) => last.toSpliced(index, 0, field));
    onSelect(field.key);
  };
  return {
    /** The key of the field that was added last. */
    added: added.current,
    /** After the selected field, or at the end. */
    add: (kind: KindId, selected: TypedField | undefined) => {
      const field = createField(kind, fields);
      added.current = field.key;
      insert(field, selected === undefined ? fields.length : fields.indexOf(selected) + 1);
    },
    change: (field: TypedField, members: Partial<TypedField>) =>
      setFields((last) => last.map((each) => (each.key === field.key ? rename(each, members, last) : each))),
    move: (key: string, to: number) => {
      const index = fields.findIndex((field) => field.key === key);
      if (to < 0 || to >= fields.length) return;
      setFields((last) => last.toSpliced(index, 1).toSpliced(to, 0, last[index]!));
    },
    remove: (field: TypedField) => {
      const index = fields.indexOf(field);
      setFields((last) => last.filter(({ key }) => key !== field.key));
      onSelect((fields[index + 1] ?? fields[index - 1])?.key ?? null);
      announce(`${toFieldName(field)} was removed.`, { undo: async () => insert(field, index) });
    },
  };
}

export type FieldChanges = ReturnType<typeof useFieldChanges>;

/** The label of a field that is not stored yet follows its title, until it is typed. */
function rename(field: TypedField, members: Partial<TypedField>, fields: Fields): TypedField {
  const others = fields.filter(({ key }) => key !== field.key);
  const follows = field.isNew && members.title && field.label === toLabel(field.title ?? '', others);
  return { ...field, ...members, ...(follows && { label: toLabel(members.title!, others) }) };
}
