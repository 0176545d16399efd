/** Switches two-step sign-in off, or gets new recovery codes: both need a code. */
import { useState } from 'preact/hooks';
import { Dialog } from '../../common/dialog.tsx';
import { ActionForm, DialogButtons } from '../../common/form.tsx';
import { useAction } from '../../common/use-action.ts';
import { announce } from '../status.tsx';
import { CodeField } from './code-field.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { renewRecoveryCodes, switchOff } from './totp.ts';

const TEXTS = {
  renew: {
    title: 'New recovery codes',
    explanation: 'The recovery codes that you have are not accepted any more.',
    verb: 'Get new recovery codes',
    failure: 'The recovery codes were not replaced',
    style: 'primary',
  },
  'switch-off': {
    title: 'Switch two-step sign-in off?',
    explanation:
      'Your credential alone signs in then, and works outside of this console again. The recovery codes are deleted.',
    verb: 'Switch two-step sign-in off',
    failure: 'Two-step sign-in is still on',
    style: 'danger primary',
  },
} as const;

interface ChangeDialogProps {
  readonly action: keyof typeof TEXTS;
  readonly onChange: () => void;
  readonly onClose: () => void;
}

export function ChangeDialog({ action: kind, onChange, onClose }: ChangeDialogProps) {
  const [code, setCode] = useState('');
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const action = useAction();
  const { title, explanation, verb, failure, style } = TEXTS[kind];
  const finish = (message: string) => {
    announce(message);
    onChange();
    onClose();
  };
  const change = async () => {
    if (kind === 'renew') setCodes(await renewRecoveryCodes(code));
    else {
      await switchOff(code);
      finish('Two-step sign-in is off.');
    }
  };
  if (codes !== null)
    return (
      <Dialog title="Keep your recovery codes">
        <RecoveryCodes codes={codes} onClose={() => finish('The recovery codes were replaced.')} />
      </Dialog>
    );
  return (
    <Dialog title={title} onClose={onClose}>
      <ActionForm action={action} onSubmit={change} failure={failure} fields={['code']}>
        <p>{explanation}</p>
        <CodeField code={code} onCode={setCode} errors={action.error?.errors.code ?? []} />
        <DialogButtons onClose={onClose} action={action} class={style}>
          {verb}
        </DialogButtons>
      </ActionForm>
    </Dialog>
  );
}
