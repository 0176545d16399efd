/** Sets two-step sign-in up: the secret for the app, a code that confirms it, and the recovery codes. */
import { useState } from 'preact/hooks';
import { CodeBlock } from '../../common/code-block.tsx';
import { Failure, Loading } from '../../common/components.tsx';
import { Dialog } from '../../common/dialog.tsx';
import { ActionForm, DialogButtons } from '../../common/form.tsx';
import { useAction } from '../../common/use-action.ts';
import { useLoad } from '../../common/use-load.ts';
import { announce } from '../status.tsx';
import { CodeField } from './code-field.tsx';
import { QrCode } from './qr-code.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { beginEnrolment, confirmEnrolment, type Enrolment, inGroups } from './totp.ts';

interface SetUpDialogProps {
  readonly onChange: () => void;
  readonly onClose: () => void;
}

export function SetUpDialog({ onChange, onClose }: SetUpDialogProps) {
  const [enrolment, retry] = useLoad('secret', beginEnrolment);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const finish = () => {
    announce('Two-step sign-in is on.');
    onChange();
    onClose();
  };
  if (codes !== null)
    return (
      <Dialog title="Keep your recovery codes">
        <RecoveryCodes codes={codes} onClose={finish} />
      </Dialog>
    );
  return (
    <Dialog title="Set up two-step sign-in" onClose={onClose}>
      {enrolment.state === 'loading' && <Loading what="the secret" />}
      {enrolment.state === 'failed' && (
        <Failure what="The secret could not be created" error={enrolment.error} retry={retry} />
      )}
      {enrolment.state === 'ready' ? (
        <ConfirmForm enrolment={enrolment.data} onConfirmed={setCodes} onClose={onClose} />
      ) : (
        <div class="buttons">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </div>
      )}
    </Dialog>
  );
}

interface ConfirmFormProps {
  readonly enrolment: Enrolment;
  readonly onConfirmed: (codes: readonly string[]) => void;
  readonly onClose: () => void;
}

function ConfirmForm({ enrolment, onConfirmed, onClose }: ConfirmFormProps) {
  const [code, setCode] = useState('');
  const action = useAction();
  const confirm = async () => onConfirmed(await confirmEnrolment(code));
  return (
    <ActionForm action={action} onSubmit={confirm} failure="Two-step sign-in is still off" fields={['code']}>
      <AppSecret enrolment={enrolment} />
      <p>Then enter the code that the app shows.</p>
      <CodeField
        code={code}
        onCode={setCode}
        errors={action.error?.errors.code ?? []}
        acceptsRecovery={false}
      />
      <DialogButtons onClose={onClose} action={action}>
        Switch on
      </DialogButtons>
    </ActionForm>
  );
}

/** The secret as a picture, as text and as a link: one of them is enough. */
function AppSecret({ enrolment: { secret, uri } }: { readonly enrolment: Enrolment }) {
  return (
    <>
      <p>
        Scan this code with an authenticator app on your phone. It is shown only now. On this device,{' '}
        <a href={uri}>open it in an app</a>.
      </p>
      <QrCode text={uri} label="QR code with the secret for the app; the same is below as text" />
      <CodeBlock label="Secret, to type it in" text={inGroups(secret)} copied={secret} wraps />
      <CodeBlock label="Link" text={uri} />
    </>
  );
}
