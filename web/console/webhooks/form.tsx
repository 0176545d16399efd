/** The settings of a webhook. */
import { useState } from 'preact/hooks';
import { EVENT_GROUPS } from '../../../src/features/events/event-types.ts';
import type { Webhook } from '../../common/api-types.ts';
import { ActionForm, DialogButtons, Errors, Field } from '../../common/form.tsx';
import { useAction } from '../../common/use-action.ts';

export interface WebhookSettings {
  readonly url: string;
  readonly description: string | null;
  readonly types: readonly string[] | null;
}

interface WebhookFormProps {
  /** Null for a new one. */
  readonly webhook: Webhook | null;
  readonly verb: string;
  readonly failure: string;
  readonly onSubmit: (settings: WebhookSettings) => Promise<unknown>;
  readonly onClose: () => void;
}

export function WebhookForm({ webhook, verb, failure, onSubmit, onClose }: WebhookFormProps) {
  const [url, setUrl] = useState(webhook?.url ?? '');
  const [description, setDescription] = useState(webhook?.description ?? '');
  const [types, setTypes] = useState<readonly string[] | null>(webhook?.types ?? null);
  const action = useAction();
  const submit = () => onSubmit({ url, description: description || null, types });
  return (
    <ActionForm action={action} onSubmit={submit} failure={failure} fields={['url', 'description', 'types']}>
      <Field
        label="URL"
        name="url"
        type="url"
        value={url}
        onValue={setUrl}
        error={action.error}
        autocomplete="off"
        hint="Begins with https:// and leads to a public address."
      />
      <Field
        label="Description (optional)"
        name="description"
        value={description}
        onValue={setDescription}
        error={action.error}
        autocomplete="off"
        direction="auto"
      />
      <TypeChoice types={types} onTypes={setTypes} errors={action.error?.errors.types ?? []} />
      <DialogButtons onClose={onClose} action={action}>
        {verb}
      </DialogButtons>
    </ActionForm>
  );
}

interface TypeChoiceProps {
  readonly types: readonly string[] | null;
  readonly onTypes: (types: readonly string[] | null) => void;
  readonly errors: readonly string[];
}

function TypeChoice({ types, onTypes, errors }: TypeChoiceProps) {
  const toggle = (type: string) =>
    onTypes(types?.includes(type) ? types.filter((each) => each !== type) : [...(types ?? []), type]);
  return (
    <fieldset class="field" aria-invalid={errors.length > 0 ? true : undefined} tabIndex={-1}>
      <legend>Events</legend>
      <label class="option">
        <input
          type="checkbox"
          checked={types === null}
          onChange={() => onTypes(types === null ? [] : null)}
        />
        All, also those of later releases
      </label>
      {types !== null && (
        <div class="box stack tight">
          {Object.entries(EVENT_GROUPS).map(([name, group]) => (
            <fieldset key={name} class="stack tight">
              <legend>
                <strong>{name}</strong>
              </legend>
              {Object.entries(group).map(([type, { label }]) => (
                <label key={type} class="option">
                  <input type="checkbox" checked={types.includes(type)} onChange={() => toggle(type)} />
                  {label} <code>{type}</code>
                </label>
              ))}
            </fieldset>
          ))}
        </div>
      )}
      <Errors messages={errors} />
    </fieldset>
  );
}
