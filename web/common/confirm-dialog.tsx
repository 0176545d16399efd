/** Confirmation dialog of an irreversible action, which names its effects. */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Button } from './components.tsx';
import { Dialog } from './dialog.tsx';
import { ActionForm, Field, Submit, useAction } from './form.tsx';

export interface ConfirmDialogProps {
  readonly title: string;
  /** The text of the button: `Delete ada@example.com`. */
  readonly verb: string;
  /** Headline of the error: `The user was not deleted`. */
  readonly failure: string;
  readonly isDestructive?: boolean;
  /** Has to be typed before. */
  readonly expected?: { readonly label: string; readonly text: string } | undefined;
  /** Closes the dialog itself. */
  readonly onConfirm: () => Promise<unknown>;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, verb, failure, isDestructive = true, expected, onConfirm, onClose, children } = props;
  const action = useAction();
  const [typed, setTyped] = useState('');
  const [isWrong, setWrong] = useState(false);
  const cancel = useRef<HTMLButtonElement>(null);
  // The dialog is read from its top: a field below what fits is not focused, and Cancel is always in view. A second press
  // of the key that has opened the dialog must not confirm it. Not after the next frame, when the person
  // may have moved the focus already.
  useLayoutEffect(() => {
    const dialog = cancel.current!.closest('dialog')!;
    const fits = dialog.scrollHeight <= dialog.clientHeight;
    const field = fits ? cancel.current!.form!.querySelector('input') : null;
    (field ?? cancel.current!).focus({ preventScroll: true });
    dialog.scrollTo(0, 0);
  }, []);
  const confirm = async () => {
    const isRight = expected === undefined || typed.trim() === expected.text;
    setWrong(!isRight);
    if (isRight) await onConfirm();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <ActionForm action={action} onSubmit={confirm} failure={failure}>
        {expected && (
          <>
            <Field
              label={expected.label}
              name="confirmation"
              value={typed}
              onValue={setTyped}
              error={null}
              autocomplete="off"
            />
            <p class="error" role="alert">
              {isWrong && `This is not “${expected.text}”. Nothing has been changed.`}
            </p>
          </>
        )}
        <div class="buttons">
          <Button text="Cancel" class="secondary outline" onClick={onClose} ref={cancel} />
          <Submit text={verb} action={action} class={isDestructive ? 'danger primary' : 'primary'} />
        </div>
      </ActionForm>
    </Dialog>
  );
}
