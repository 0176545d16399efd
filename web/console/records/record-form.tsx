/** Forms of records, whose fields are data. */
import type { ComponentChildren, ComponentProps } from 'preact';
import { useState } from 'preact/hooks';
import type { ApiError } from '../../common/api.ts';
import { Dialog } from '../../common/dialog.tsx';
import { ActionForm, Check, DialogButtons, Field, Select, useAction } from '../../common/form.tsx';
import { Tiles } from '../../common/tiles.tsx';
import { announce } from '../status.tsx';
import type { RecordDialogProps } from './record-actions.tsx';
import type { Records, StoredRecord } from './requests.ts';

type TextOptions = Partial<
  Pick<ComponentProps<typeof Field>, 'type' | 'rows' | 'autocomplete' | 'direction'>
>;

/** A field of a form; by default one of a text that the browser does not complete. */
export interface FormField<V> extends TextOptions {
  /** The member of the request, by which the service names it in its errors. */
  readonly name: keyof V & string;
  readonly label?: string;
  readonly hint?: string;
  /** Makes it a choice among a few values, with their texts. */
  readonly options?: ComponentProps<typeof Select>['options'];
  /** Makes it a choice among a few kinds, each with a sentence. */
  readonly tiles?: Readonly<Record<string, readonly [title: string, text: string]>>;
  /** Makes it a check box with this text. */
  readonly check?: ComponentChildren;
  /** Returns another control. */
  readonly render?: (errors: readonly string[]) => ComponentChildren;
}

export type SetTyped<V> = (changes: Partial<V>) => void;

/** How a record is typed. */
export interface RecordForm<T, V> {
  /** Returns what the fields have at first; those of a new record without one. */
  readonly toTyped: (record: T | null) => V;
  readonly getFields: (typed: V, set: SetTyped<V>, record: T | null) => readonly FormField<V>[];
  /** Returns the body of the request. */
  readonly toBody: (typed: V, record: T | null) => object;
}

interface FormFieldsProps<V> {
  readonly fields: readonly FormField<V>[];
  readonly typed: V;
  readonly set: SetTyped<V>;
  readonly error: ApiError | null;
}

export function FormFields<V>({ fields, typed, set, error }: FormFieldsProps<V>) {
  return fields.map((field) => {
    const { name, label = '', tiles, check, options, render, ...rest } = field;
    const onValue = (value: unknown) => set({ [name]: value } as Partial<V>);
    const errors = error?.errors[name] ?? [];
    if (render) return render(errors);
    const value = (typed[name] ?? '') as string;
    if (tiles) return <Tiles key={name} legend={label} {...{ name, value, onValue }} options={tiles} />;
    if (check)
      return <Check key={name} text={check} name={name} isChecked={Boolean(value)} onChecked={onValue} />;
    if (options) return <Select key={name} {...{ name, label, options, value, onValue, errors }} />;
    return <Field key={name} autocomplete="off" {...rest} {...{ name, label, value, onValue, error }} />;
  });
}

/** Returns what is typed, and a function that changes members of it. */
export function useTyped<V>(initial: () => V): [V, SetTyped<V>] {
  const [typed, setTyped] = useState(initial);
  return [typed, (changes) => setTyped((last) => ({ ...last, ...changes }))];
}

/** Returns the names of the fields that show their errors. */
export function listErrorNames<V>(fields: readonly FormField<V>[]): readonly string[] {
  return fields.filter(({ tiles, check }) => !tiles && !check).map(({ name }) => name);
}

interface FormInDialogProps<T, V> {
  readonly form: RecordForm<T, V>;
  readonly record: T | null;
  /** The text of the button. */
  readonly verb: string;
  /** Headline of the error: `The webhook was not created`. */
  readonly failure: string;
  readonly onSubmit: (body: object) => Promise<unknown>;
  readonly onClose: () => void;
  /** Text above the fields. */
  readonly children?: ComponentChildren;
}

export function FormInDialog<T, V>(props: FormInDialogProps<T, V>) {
  const { form, record, verb, failure, onSubmit, onClose, children } = props;
  const [typed, set] = useTyped(() => form.toTyped(record));
  const action = useAction();
  const fields = form.getFields(typed, set, record);
  return (
    <ActionForm
      action={action}
      onSubmit={async () => onSubmit(form.toBody(typed, record))}
      failure={failure}
      fields={listErrorNames(fields)}
    >
      {children}
      <FormFields fields={fields} typed={typed} set={set} error={action.error} />
      <DialogButtons text={verb} onClose={onClose} action={action} />
    </ActionForm>
  );
}

interface FormDialogProps<T, V> extends Omit<FormInDialogProps<T, V>, 'onSubmit'> {
  readonly title: string;
  /** Sends the body, and returns the message when it was saved. */
  readonly act: (body: object) => Promise<string>;
  readonly onChange: () => void;
}

/** A dialog with a form, which closes when its request has succeeded. */
export function FormDialog<T, V>({ title, act, onChange, ...form }: FormDialogProps<T, V>) {
  const onSubmit = async (body: object) => {
    announce(await act(body));
    onChange();
    form.onClose();
  };
  return (
    <Dialog title={title} onClose={form.onClose}>
      <FormInDialog {...form} onSubmit={onSubmit} />
    </Dialog>
  );
}

interface EditRecordProps<T extends StoredRecord, V> extends RecordDialogProps<T> {
  readonly records: Records<T>;
  readonly form: RecordForm<T, V>;
  readonly title: string;
  /** The message when it was saved. */
  readonly done: string;
}

/** The dialog that changes a record. */
export function EditRecord<T extends StoredRecord, V>(props: EditRecordProps<T, V>) {
  const { records, done, ...dialog } = props;
  const { noun } = records;
  const save = async (body: object) => {
    await records.change(dialog, body);
    return done;
  };
  return <FormDialog {...dialog} verb={`Save ${noun}`} failure={`The ${noun} was not changed`} act={save} />;
}

interface CheckListProps<T extends string> {
  /** Values with their texts. */
  readonly options: readonly (readonly [value: T, text: ComponentChildren])[];
  readonly chosen: readonly T[];
  readonly onChosen: (chosen: readonly T[]) => void;
}

/** A choice of any number of values. */
export function CheckList<T extends string>({ options, chosen, onChosen }: CheckListProps<T>) {
  return options.map(([value, text]) => (
    <Check
      key={value}
      text={text}
      isChecked={chosen.includes(value)}
      onChecked={() => onChosen(toggleItem(chosen, value))}
    />
  ));
}

/** Returns the list with the item at its end, or without it. */
export function toggleItem<T>(list: readonly T[], item: T): readonly T[] {
  return list.includes(item) ? list.filter((each) => each !== item) : [...list, item];
}
