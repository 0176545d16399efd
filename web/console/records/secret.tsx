/** Secrets, which are shown until the person has copied them, for some minutes. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { CodeBlock } from '../../common/code-block.tsx';
import { CloseButton, Dialog } from '../../common/dialog.tsx';
import { ActionForm, DialogButtons, Select, useAction } from '../../common/form.tsx';
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
      <CloseButton text="I have copied it" class="primary" onClose={onClose} />
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

/** Describes the effect of a rotation on the older of two secrets. */
export const LAST_OVERLAP = ' The secret before it is rejected at once.';

interface RotateSecretProps<T> extends RecordDialogProps<T> {
  readonly kind: SecretKind;
  readonly title: string;
  /** Title of the dialog with the new secret. */
  readonly newTitle: string;
  readonly failure: string;
  readonly verb: string;
  /** Whether the person chooses how long the present secret stays valid. */
  readonly hasOverlap?: boolean;
  /** Returns the new secret. */
  readonly rotate: (body: { readonly overlap?: number }) => Promise<string>;
  readonly children: ComponentChildren;
}

/** The dialog that replaces a secret, and shows the new one. */
export function RotateSecret<T>(props: RotateSecretProps<T>) {
  const { kind, title, newTitle, failure, verb, hasOverlap = true, rotate, onChange, onClose } = props;
  const [secret, setSecret] = useState<string | null>(null);
  const [overlap, setOverlap] = useState(OVERLAPS[0]![0]);
  const action = useAction();
  const submit = async () => {
    setSecret(await rotate(hasOverlap ? { overlap: Number(overlap) } : {}));
    onChange();
  };
  if (secret !== null)
    return (
      <Dialog title={newTitle}>
        <Secret {...kind} secret={secret} onClose={onClose} />
      </Dialog>
    );
  const select = { options: OVERLAPS, value: overlap, onValue: setOverlap };
  return (
    <Dialog title={title} onClose={onClose}>
      <ActionForm action={action} onSubmit={submit} failure={failure}>
        <p>{props.children} The new one is shown only once: if you have not received it, rotate again.</p>
        {hasOverlap && <Select label="The present secret stays valid for" {...select} />}
        <DialogButtons text={verb} onClose={onClose} action={action} />
      </ActionForm>
    </Dialog>
  );
}
