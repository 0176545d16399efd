/** The dialog that replaces a secret, and shows the new one once. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Dialog } from '../common/dialog.tsx';
import { ActionForm, DialogButtons, Select } from '../common/form.tsx';
import { useAction } from '../common/use-action.ts';

/** Names of overlaps of secrets by their seconds. */
const OVERLAPS: readonly (readonly [string, string])[] = [
  ['86400', '24 hours'],
  ['604800', '7 days'],
  ['3600', 'one hour'],
  ['0', 'not at all: it is rejected at once'],
];

interface RotateSecretProps {
  /** The credential or application. */
  readonly owner: { readonly name: string; readonly previous_until: string | null };
  readonly title: string;
  readonly failure: string;
  readonly verb: string;
  /** Returns the new secret. */
  readonly rotate: (overlapSeconds: number) => Promise<string>;
  readonly renderSecret: (secret: string) => ComponentChildren;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

export function RotateSecret(props: RotateSecretProps) {
  const { owner, title, failure, verb, onClose } = props;
  const [secret, setSecret] = useState<string | null>(null);
  const [overlap, setOverlap] = useState(OVERLAPS[0]![0]);
  const action = useAction();
  const rotate = async () => setSecret(await props.rotate(Number(overlap)));
  if (secret !== null)
    return <Dialog title={`The new secret of ${owner.name}`}>{props.renderSecret(secret)}</Dialog>;
  return (
    <Dialog title={title} onClose={onClose}>
      <ActionForm action={action} onSubmit={rotate} failure={failure}>
        <p>
          {props.children}
          {owner.previous_until !== null && ' The secret before it is rejected at once.'}
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
