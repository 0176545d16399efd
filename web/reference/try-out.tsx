/** The form that sends a request to an operation. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../common/components.tsx';
import { ConfirmDialog } from '../common/confirm-dialog.tsx';
import { type ControlAttributes, Labelled } from '../common/form.tsx';
import { type Credential, credentialFor } from './credentials.ts';
import type { Access, Operation } from './description.ts';
import { Mark } from './prose.tsx';
import { checkField, type Field, type HttpRequest, toRequest } from './request.ts';
import { ResponseView } from './response-view.tsx';
import { useSendRequest } from './send-request.ts';

export function TryOut({ operation, fields }: Readonly<{ operation: Operation; fields: readonly Field[] }>) {
  const form = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<ReadonlyMap<Field, string | null>>(new Map());
  const [unconfirmed, setUnconfirmed] = useState<HttpRequest | null>(null);
  const [sending, send, cancel] = useSendRequest();
  const credential = credentialFor(operation.access);
  const isSending = sending.state === 'sending';
  useEffect(() => form.current!.querySelector<HTMLElement>('[aria-invalid]')?.focus(), [errors]);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (isSending) return;
    const data = new FormData(form.current!);
    const getValue = ({ key }: Field) => String(data.get(key));
    const found = new Map(fields.map((field) => [field, checkField(field, getValue(field))]));
    setErrors(found);
    if ([...found.values()].some((message) => message !== null)) return;
    const request = toRequest(operation, fields, getValue);
    if (request.method === 'DELETE') setUnconfirmed(request);
    else void send(request, credential);
  };
  return (
    <>
      <form ref={form} noValidate onSubmit={submit}>
        {fields.map((field) => (
          <FieldInput key={field.key} field={field} error={errors.get(field) ?? null} />
        ))}
        <CredentialNote access={operation.access} credential={credential} />
        <Buttons method={operation.method} isSending={isSending} onCancel={cancel} />
        <ResponseView sending={sending} />
      </form>
      {unconfirmed && (
        <Confirmation
          request={unconfirmed}
          {...{ operation, credential }}
          onClose={() => setUnconfirmed(null)}
          onConfirm={() => send(unconfirmed, credential)}
        />
      )}
    </>
  );
}

interface ButtonsProps {
  readonly method: string;
  readonly isSending: boolean;
  readonly onCancel: () => void;
}

function Buttons({ method, isSending, onCancel }: ButtonsProps) {
  return (
    <div class="buttons">
      <button type="submit" class="primary" aria-busy={isSending} aria-disabled={isSending}>
        Send {method}
      </button>
      {isSending && <Button text="Cancel" onClick={onCancel} />}
    </div>
  );
}

function FieldInput({ field, error }: { readonly field: Field; readonly error: string | null }) {
  const { name, place, isRequired, type } = field;
  const isBody = place === 'body';
  const label = (
    <>
      {isBody ? name : <code>{name}</code>}
      <Mark text={type ?? place} />
      <Mark text={!isBody && isRequired && 'required'} tone="bad" />
    </>
  );
  return (
    <Labelled label={label} errors={error === null ? [] : [error]}>
      {(attributes) => <Control field={field} attributes={attributes} />}
    </Labelled>
  );
}

/** Its value is that of the browser. */
function Control({ field, attributes }: Readonly<{ field: Field; attributes: ControlAttributes }>) {
  const { key: name, place, isRequired, hint, sample, choices } = field;
  const shared = { ...attributes, name, required: isRequired, spellcheck: false };
  if (place === 'body') {
    const rows = Math.min(Math.max(sample.split('\n').length, 3), 24);
    return <textarea {...shared} rows={rows} defaultValue={sample} />;
  }
  if (choices === null) return <input {...shared} type="text" autocomplete="off" placeholder={hint} />;
  return (
    <select {...shared}>
      {(!isRequired || choices.length > 1) && (
        <option value="">{isRequired ? 'Choose a value' : 'Not sent'}</option>
      )}
      {choices.map((choice) => (
        <option key={choice}>{choice}</option>
      ))}
    </select>
  );
}

const SENT: Readonly<Record<Credential, string>> = {
  token: 'Sent with the token that you pasted.',
  session: 'Sent with your session of the console.',
};

const ANONYMOUS: Readonly<Record<Access, string>> = {
  public: 'Sent without a credential: this operation ignores them.',
  optional: 'Sent anonymously.',
  user: 'Sent anonymously, but this operation needs the token of a user.',
  admin: 'Sent anonymously, but this operation needs a session of the console or a credential.',
};

function CredentialNote({ access, credential }: Readonly<{ access: Access; credential: Credential | null }>) {
  return (
    <p>
      {credential === null ? ANONYMOUS[access] : SENT[credential]}
      {access !== 'public' && (
        <>
          {' '}
          <a href="#sender">Change the sender</a>
        </>
      )}
    </p>
  );
}

interface ConfirmationProps {
  readonly operation: Operation;
  readonly request: HttpRequest;
  readonly credential: Credential | null;
  readonly onClose: () => void;
  readonly onConfirm: () => Promise<void>;
}

const SENDERS: Readonly<Record<Credential, string>> = {
  token: 'with the pasted token',
  session: 'with your session of the console',
};

function Confirmation({ operation: { name }, request, credential, onClose, onConfirm }: ConfirmationProps) {
  const { pathname, search } = new URL(request.url);
  const confirm = async () => {
    onClose();
    void onConfirm();
  };
  return (
    <ConfirmDialog title={`${name}?`} verb={name} failure="" onClose={onClose} onConfirm={confirm}>
      <p>
        <code>
          {request.method} {pathname + search}
        </code>{' '}
        is sent {credential === null ? 'anonymously' : SENDERS[credential]}. What it deletes or revokes cannot
        be restored.
      </p>
    </ConfirmDialog>
  );
}
