/** Creates a record in a dialog, then shows in another one what is shown only once. */
import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Button } from '../../common/components.tsx';
import { Dialog } from '../../common/dialog.tsx';
import { navigate } from '../../common/router.tsx';
import { announce } from '../status.tsx';
import { FormInDialog, type RecordForm } from './record-form.tsx';
import { forgetCreation, post, type RecordKind, repeatCreation, type StoredRecord } from './requests.ts';

interface CreateRecordProps<T, C, V> {
  readonly records: RecordKind;
  /** The label of the button and the title of the dialog, if others than `Create webhook`. */
  readonly verb?: string;
  readonly form: RecordForm<T, V>;
  /** Headline of the error, if another one than `The webhook was not created`. */
  readonly failure?: string;
  /** Returns the title of the second dialog. */
  readonly getTitle?: (created: C) => string;
  /** Returns the content of the second dialog. Without it, there is none. */
  readonly result?: (created: C, onClose: () => void) => ComponentChildren;
  /** Whether Escape closes the second dialog: it shows nothing that would be lost. Default: it does not. */
  readonly canEscape?: (created: C) => boolean;
  /** Loads the list again. */
  readonly onCreated: () => void;
  /** Returns the message after the last dialog. */
  readonly getMessage: (created: C) => string;
  /** Whether the page of the record is shown then, or linked in the message. */
  readonly next?: 'page' | 'link';
}

export function CreateRecord<T, C extends StoredRecord, V>(props: CreateRecordProps<T, C, V>) {
  const { records, form, getTitle, result, canEscape, onCreated, getMessage, next } = props;
  const { path, noun, creation, link } = records;
  const { verb = creation, failure = `The ${noun} was not created` } = props;
  const [isOpen, setOpen] = useState(false);
  const [created, setCreated] = useState<C | null>(null);
  const onClose = () => setOpen(false);
  useStarted(verb, () => setOpen(true));
  // After a reload, until the person says that they have copied what is shown.
  useEffect(() => {
    if (result !== undefined) void repeatCreation<C>(path).then(setCreated);
  }, []);
  const conclude = (last: C) => {
    const to = link(last.id);
    if (next === 'page') navigate(to);
    announce(getMessage(last), next === 'link' ? { link: { to, text: 'Open' } } : {});
  };
  const onSubmit = async (body: object) => {
    const sent = await post<C>(path, body, result !== undefined);
    if (result) setCreated(sent);
    else conclude(sent);
    onClose();
    onCreated();
  };
  const finish = () => {
    forgetCreation(path);
    setCreated(null);
    conclude(created!);
  };
  return (
    <>
      <Button icon="plus" text={verb} class="primary" onClick={() => setOpen(true)} />
      {isOpen && (
        <Dialog title={verb} onClose={onClose}>
          <FormInDialog {...{ form, record: null, verb, failure, onSubmit, onClose }} />
        </Dialog>
      )}
      {created !== null && (
        <Dialog title={getTitle!(created)} {...(canEscape?.(created) && { onClose: finish })}>
          {result!(created, finish)}
        </Dialog>
      )}
    </>
  );
}

/** The label of the button that the next page with it presses; null if there is none. */
const wanted = signal<string | null>(null);

/** Starts an action of a page that begins elsewhere: in the palette, or in the empty state of a list. */
export function startAction(label: string): void {
  wanted.value = label;
}

/** Calls `start` when the action with this label is wanted, now or later. */
export function useStarted(label: string, start: () => void): void {
  useEffect(() => {
    if (wanted.value !== label) return;
    wanted.value = null;
    start();
  }, [wanted.value]);
}
