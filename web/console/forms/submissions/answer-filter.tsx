/** The filter by the answer to one field: `label:answer`. */
import { useState } from 'preact/hooks';
import type { FormField } from '../../../common/api-types.ts';
import { Labelled, Options, Select } from '../../../common/form.tsx';
import { Dropdown } from '../../records/controls.tsx';
import { type FilterField, splitCondition } from '../../records/filters.tsx';
import { toFieldName } from '../typed.ts';
import { formatChoice, isChoice } from './answers.tsx';

export function answerField(fields: readonly FormField[]): FilterField {
  const find = (label: string) => fields.find((field) => field.label === label);
  return {
    parameters: {
      answer: {
        read: (text) => (text.includes(':') ? text : null),
        getChip: (answer) => toFieldName(find(splitCondition(answer).label) ?? splitCondition(answer)),
        format: (answer) => <bdi>{formatChoice(splitCondition(answer).value)}</bdi>,
      },
    },
    Control: ({ filter, onFilter }) => (
      <Dropdown icon="filter" label="Answer">
        <Fields
          key={filter.answer}
          fields={fields}
          given={splitCondition(filter.answer ?? '')}
          onAnswer={(answer) => onFilter({ answer })}
        />
      </Dropdown>
    ),
  };
}

interface FieldsProps {
  readonly fields: readonly FormField[];
  readonly given: ReturnType<typeof splitCondition>;
  readonly onAnswer: (answer: string | null) => void;
}

function Fields({ fields, given, onAnswer }: FieldsProps) {
  const [label, setLabel] = useState(given.label || fields[0]!.label);
  const field = fields.find((each) => each.label === label);
  const choices = field?.options ?? ['true', 'false'];
  const answer = {
    value: label === given.label ? given.value : '',
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      onAnswer(value === '' ? null : `${label}:${value.trim()}`),
  };
  return (
    <div class="choice-panel">
      <Select
        label="Question"
        options={fields.map((each) => [each.label, toFieldName(each)])}
        value={label}
        onValue={setLabel}
      />
      <Labelled label="Answer, exactly">
        {(attributes) =>
          field && isChoice(field) ? (
            <select {...attributes} {...answer}>
              <option value="">Any</option>
              <Options options={choices.map((option) => [option, formatChoice(option)])} />
            </select>
          ) : (
            <input
              {...attributes}
              {...answer}
              type={(field?.type === 'date' ? 'date' : 'text') as 'date'}
              autocomplete="off"
            />
          )
        }
      </Labelled>
    </div>
  );
}
