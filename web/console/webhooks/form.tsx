/** The settings of a webhook. */
import { EVENT_GROUPS } from '../../../src/features/events/event-types.ts';
import type { Webhook } from '../../common/api-types.ts';
import { Check, FieldGroup } from '../../common/form.tsx';
import { CheckList, type RecordForm } from '../records/record-form.tsx';

interface TypedWebhook {
  readonly url: string;
  readonly description: string;
  readonly types: readonly string[] | null;
}

export const WEBHOOK_FORM: RecordForm<Webhook, TypedWebhook> = {
  toTyped: (webhook) => ({
    url: webhook?.url ?? '',
    description: webhook?.description ?? '',
    types: webhook?.types ?? null,
  }),
  toBody: ({ description, ...typed }) => ({ ...typed, description: description || null }),
  getFields: ({ types }, set) => [
    { name: 'url', label: 'URL', type: 'url', hint: 'Begins with https:// and leads to a public address.' },
    { name: 'description', label: 'Description (optional)', direction: 'auto' },
    {
      name: 'types',
      render: (errors) => (
        <TypeChoice types={types} onTypes={(chosen) => set({ types: chosen })} errors={errors} />
      ),
    },
  ],
};

interface TypeChoiceProps {
  readonly types: readonly string[] | null;
  readonly onTypes: (types: readonly string[] | null) => void;
  readonly errors: readonly string[];
}

function TypeChoice({ types, onTypes, errors }: TypeChoiceProps) {
  return (
    <FieldGroup legend="Events" errors={errors}>
      <Check
        text="All, also those of later releases"
        isChecked={types === null}
        onChecked={(areAll) => onTypes(areAll ? null : [])}
      />
      {types !== null && (
        <div class="box stack tight">
          {Object.entries(EVENT_GROUPS).map(([name, group]) => (
            <fieldset key={name} class="stack tight">
              <legend>
                <strong>{name}</strong>
              </legend>
              <CheckList
                options={Object.entries(group).map(([type, { label }]) => [type, nameType(type, label)])}
                chosen={types}
                onChosen={onTypes}
              />
            </fieldset>
          ))}
        </div>
      )}
    </FieldGroup>
  );
}

const nameType = (type: string, label: string) => (
  <>
    {label} <code>{type}</code>
  </>
);
