/** Secrets, which are shown until the person has copied them, for some minutes. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { CodeBlock } from '../../common/code-block.tsx';
import { Dialog } from '../../common/dialog.tsx';
import { ActionForm, DialogButtons, Select } from '../../common/form.tsx';
import { useAction } from '../../common/use-action.ts';
import type { RecordDialogProps } from './record-actions.tsx';

/** A kind of secrets. */
export interface SecretKind {
  readonly label: string;
  readonly purpose: string;
}

interface SecretProps extends SecretKind {
  readonly secret: string;
  readonly onClose: () => void;
}

export function Secret({ label, purpose, secret, onClose }: SecretProps) {
  return (
    <>
      <p>
        Copy the {label.toLowerCase()} now: it is <strong>shown only now</strong>. {purpose}
      </p>
      <CodeBlock label={label} text={secret} />
      <div class="buttons">
        <button type="button" class="primary" onClick={onClose}>
          I have copied it
        </button>
      </div>
    </>
  );
}

/** Names of overlaps of secrets by their seconds. */
const OVERLAPS: readonly (readonly [string, string])[] = [
  ['86400', '24 hours'],
  ['604800', '7 days'],
  ['3600', 'one hour'],
  ['0', 'not at all: it is rejected at once'],
];

/** A record with a secret. */
interface Owner {
  readonly name: string;
  readonly previous_until: string | null;
}

interface RotateSecretProps<T extends Owner> extends RecordDialogProps<T> {
  readonly kind: SecretKind;
  readonly title: string;
  readonly failure: string;
  readonly verb: string;
  /** Returns the new secret. */
  readonly rotate: (body: { readonly overlap: number }) => Promise<string>;
  readonly children: ComponentChildren;
}

/** The dialog that replaces a secret, and shows the new one. */
export function RotateSecret<T extends Owner>(props: RotateSecretProps<T>) {
  const { record, kind, title, failure, verb, onChange, onClose } = props;
  const [secret, setSecret] = useState<string | null>(null);
  const [overlap, setOverlap] = useState(OVERLAPS[0]![0]);
  const action = useAction();
  const rotate = async () => {
    setSecret(await props.rotate({ overlap: Number(overlap) }));
    onChange();
  };
  if (secret !== null)
    return (
      <Dialog title={`The new secret of ${record.name}`}>
        <Secret {...kind} secret={secret} onClose={onClose} />
      </Dialog>
    );
  return (
    <Dialog title={title} onClose={onClose}>
      <ActionForm action={action} onSubmit={rotate} failure={failure}>
        <p>
          {props.children} The new one is shown only once: if you have not received it, rotate again.
          {record.previous_until !== null && ' The secret before it is rejected at once.'}
        </p>
        <Select
          label="The present secret stays valid for"
          options={OVERLAPS}
          value={overlap}
          onValue={setOverlap}
        />
        <DialogButtons onClose={onClose} action={action}>
          {verb}
        </DialogButtons>
      </ActionForm>
    </Dialog>
  );
}
