/** Creates a record in a dialog, then shows in another one what is shown only once. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Dialog } from '../../common/dialog.tsx';
import { Icon } from '../../common/icon.tsx';
import { usePostOnce } from './requests.ts';
import { useStarted } from '../start-action.ts';

interface CreateRecordProps<T> {
  /** Of the button and the dialog: `Create webhook`. */
  readonly verb: string;
  readonly path: string;
  /** Returns the form. `onSubmit` sends its settings. */
  readonly form: (dialog: CreateForm) => ComponentChildren;
  readonly getTitle: (created: T) => string;
  /** Returns the content of the second dialog. */
  readonly result: (created: T, onClose: () => void) => ComponentChildren;
  /** Whether Escape closes the second dialog: it shows nothing that would be lost. Default: it does not. */
  readonly canEscape?: (created: T) => boolean;
  /** Loads the list again. */
  readonly onCreated: () => void;
  /** Called after the second dialog. */
  readonly onFinished: (created: T) => void;
}

export interface CreateForm {
  readonly onSubmit: (settings: object) => Promise<void>;
  readonly onClose: () => void;
}

export function CreateRecord<T>(props: CreateRecordProps<T>) {
  const { verb, path, form, getTitle, result, canEscape, onCreated, onFinished } = props;
  const [isOpen, setOpen] = useState(false);
  const [created, setCreated] = useState<T | null>(null);
  const send = usePostOnce<T>(path);
  const onClose = () => setOpen(false);
  useStarted(verb, () => setOpen(true));
  const onSubmit = async (settings: object) => {
    setCreated(await send(settings));
    onClose();
    onCreated();
  };
  const finish = () => {
    setCreated(null);
    onFinished(created!);
  };
  return (
    <>
      <button type="button" class="primary" onClick={() => setOpen(true)}>
        <Icon name="plus" />
        {verb}
      </button>
      {isOpen && (
        <Dialog title={verb} onClose={onClose}>
          {form({ onSubmit, onClose })}
        </Dialog>
      )}
      {created !== null && (
        <Dialog title={getTitle(created)} {...(canEscape?.(created) && { onClose: finish })}>
          {result(created, finish)}
        </Dialog>
      )}
    </>
  );
}
