/** Answers, as people read them, and the filter by one: `label:answer`. */
import { useState } from 'preact/hooks';
import type { FormField, Submission } from '../../../common/api-types.ts';
import { Labelled, Options, Select } from '../../../common/form.tsx';
import { pageLanguage } from '../../../common/page-language.ts';
import { Dropdown } from '../../records/controls.tsx';
import { type FilterField, splitCondition } from '../../records/filters.tsx';
import { toFieldName } from '../typed.ts';

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

/** Returns the answer in one line; null if there is none. Labels such as `__proto__` are own members only. */
export function formatAnswer({ answers }: Submission, { label }: FormField): string | null {
  if (!Object.hasOwn(answers, label)) return null;
  const answer: unknown = answers[label];
  if (typeof answer === 'boolean') return answer ? 'Yes' : 'No';
  return Array.isArray(answer) ? answer.join(', ') : String(answer);
}

const DAY = new Intl.DateTimeFormat(pageLanguage, { dateStyle: 'full', timeZone: 'UTC' });

/** The whole answer. Days are written out, and addresses are links. */
export function Answer({ field, submission }: Readonly<{ field: FormField; submission: Submission }>) {
  const text = formatAnswer(submission, field);
  if (text === null) return <span class="none">–</span>;
  if (field.type === 'email') return <a href={`mailto:${encodeURIComponent(text)}`}>{text}</a>;
  return <bdi>{field.type === 'date' ? DAY.format(new Date(text)) : text}</bdi>;
}

export function isChoice({ options, type }: FormField): boolean {
  return options !== undefined || type === 'checkbox';
}

/** Returns an answer that is written as in filters and totals. */
export function formatChoice(value: string): string {
  return { true: 'Yes', false: 'No' }[value] ?? value;
}

export const MAX_ANSWERS = 4;

/** Returns the fields of a line. Long texts have little meaning there. */
export function listShownFields(fields: readonly FormField[]): readonly FormField[] {
  const short = fields.filter(({ multiline }) => !multiline);
  return (short.length === 0 ? fields : short).slice(0, MAX_ANSWERS);
}

/** Returns the answer to the first field, or else the end of the id. */
export function getName(submission: Submission, fields: readonly FormField[]): string {
  const [first] = listShownFields(fields);
  return formatAnswer(submission, first!) ?? `Submission ${submission.id.slice(-6)}`;
}
