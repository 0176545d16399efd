/** The form that sends a request to an operation. */
import { useRef, useState } from 'preact/hooks';
import { BODY, checkDraft } from './check-draft.ts';
import { Confirmation } from './confirmation.tsx';
import { CredentialNote } from './credential-note.tsx';
import { toKey } from './draft.ts';
import { BodyField, ParameterField } from './fields.tsx';
import { ResponseView } from './response-view.tsx';
import type { TryOutProps } from './try-out-props.ts';
import { useSendRequest } from './use-send-request.ts';

export function TryOut({ operation, form, draft, request, credential, onChange }: TryOutProps) {
  const element = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const [isConfirming, setConfirming] = useState(false);
  const [sending, send, cancel] = useSendRequest();
  const transmitDraft = () => void send(request, credential);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (sending.state === 'sending') return;
    const found = checkDraft(form, draft);
    setErrors(found);
    if (Object.keys(found).length > 0) focusFirst(element.current!, found);
    else if (operation.method === 'DELETE') setConfirming(true);
    else transmitDraft();
  };
  return (
    <form ref={element} noValidate onSubmit={submit}>
      <Fields {...{ form, draft, errors, onChange }} />
      <CredentialNote access={operation.access} credential={credential} />
      <Buttons method={request.method} isSending={sending.state === 'sending'} onCancel={cancel} />
      <ResponseView sending={sending} />
      {isConfirming && (
        <Confirmation
          {...{ operation, request, credential }}
          onClose={() => setConfirming(false)}
          onConfirm={transmitDraft}
        />
      )}
    </form>
  );
}

/** Moves the focus to the first field with an error, once its message is there. */
function focusFirst(form: HTMLFormElement, errors: Readonly<Record<string, string>>): void {
  const fields = [...form.elements].filter((each) => each instanceof HTMLElement);
  fields.find((each) => each.getAttribute('name') !== null && errors[each.getAttribute('name')!])?.focus();
}

type FieldsProps = Pick<TryOutProps, 'form' | 'draft' | 'onChange'> & {
  readonly errors: Readonly<Record<string, string>>;
};

function Fields({ form, draft, errors, onChange }: FieldsProps) {
  return (
    <>
      {form.fields.map((field) => {
        const key = toKey(field);
        return (
          <ParameterField
            key={key}
            field={field}
            value={draft.values[key] ?? ''}
            errors={errors[key] === undefined ? [] : [errors[key]]}
            onInput={(value) => onChange({ ...draft, values: { ...draft.values, [key]: value } })}
          />
        );
      })}
      {form.bodyType !== null && (
        <BodyField
          type={form.bodyType}
          value={draft.body}
          errors={errors[BODY] === undefined ? [] : [errors[BODY]]}
          onInput={(body) => onChange({ ...draft, body })}
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
      {isSending && (
        <button type="button" onClick={onCancel}>
          Cancel
        </button>
      )}
    </div>
  );
}
