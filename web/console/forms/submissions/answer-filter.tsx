/** The filter by the answer to one field: `label:answer`. */
import { useId, useState } from 'preact/hooks';
import type { FormField } from '../../../common/api-types.ts';
import { Dropdown } from '../../records/controls.tsx';
import type { FilterField } from '../../records/filters.tsx';
import { toFieldName } from '../typed.ts';
import { formatChoice, isChoice } from './answers.tsx';

/** Labels have no colons. */
function splitAnswer(answer: string): { readonly label: string; readonly value: string } {
  const [label = '', ...rest] = answer.split(':');
  return { label, value: rest.join(':') };
}

export function answerField(fields: readonly FormField[]): FilterField {
  const find = (label: string) => fields.find((field) => field.label === label);
  return {
    parameters: {
      answer: {
        read: (text) => (text.includes(':') ? text : null),
        getChip: (answer) => toFieldName(find(splitAnswer(answer).label) ?? splitAnswer(answer)),
        format: (answer) => <bdi translate={false}>{formatChoice(splitAnswer(answer).value)}</bdi>,
      },
    },
    Control: ({ filter, onFilter }) => (
      <Dropdown icon="filter" label="Answer">
        <Fields
          key={filter.answer}
          fields={fields}
          given={splitAnswer(filter.answer ?? '')}
          onAnswer={(answer) => onFilter({ answer })}
        />
      </Dropdown>
    ),
  };
}

interface FieldsProps {
  readonly fields: readonly FormField[];
  readonly given: ReturnType<typeof splitAnswer>;
  readonly onAnswer: (answer: string | null) => void;
}

function Fields({ fields, given, onAnswer }: FieldsProps) {
  const [questionId, answerId] = [useId(), useId()];
  const [label, setLabel] = useState(given.label || fields[0]!.label);
  const field = fields.find((each) => each.label === label);
  const answer = {
    id: answerId,
    value: label === given.label ? given.value : '',
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      onAnswer(value === '' ? null : `${label}:${value.trim()}`),
  };
  return (
    <div class="choice-panel">
      <div class="field">
        <label for={questionId}>Question</label>
        <select id={questionId} value={label} onChange={({ currentTarget }) => setLabel(currentTarget.value)}>
          {fields.map((each) => (
            <option key={each.label} value={each.label}>
              {toFieldName(each)}
            </option>
          ))}
        </select>
      </div>
      <div class="field">
        <label for={answerId}>Answer, exactly</label>
        {field && isChoice(field) ? (
          <select {...answer}>
            <option value="">Any</option>
            {(field.options ?? ['true', 'false']).map((option) => (
              <option key={option} value={option}>
                {formatChoice(option)}
              </option>
            ))}
          </select>
        ) : (
          <input {...answer} type={(field?.type === 'date' ? 'date' : 'text') as 'date'} autocomplete="off" />
        )}
      </div>
    </div>
  );
}
