/** Shows two versions of a profile side by side, with a choice for each field that differs. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { User, UserChanges } from '../../common/api-types.ts';
import { Button } from '../../common/components.tsx';
import { type Action, ActionForm, Submit } from '../../common/form.tsx';
import { Time } from '../../common/time.tsx';
import { STATES } from '../users/record.tsx';

interface ConflictProps {
  readonly base: User;
  readonly typed: FormValues;
  readonly stored: User;
  readonly action: Action;
  readonly onSave: (merged: FormValues) => Promise<void>;
  /** Returns to the form, with the stored text in the fields that were not edited. */
  readonly onEdit: () => void;
}

type Choice = 'mine' | 'theirs';

export function Conflict({ base, typed, stored, action, onSave, onEdit }: ConflictProps) {
  const [choices, setChoices] = useState<Partial<Record<FieldName, Choice>>>({});
  const theirs = toFormValues(stored);
  const before = toFormValues(base);
  const renderChoice = (field: FieldName) =>
    choices[field] ?? (typed[field] === before[field] ? 'theirs' : 'mine');
  const merged = mapFields((field) => (renderChoice(field) === 'mine' ? typed[field] : theirs[field]));
  const differing = FIELD_NAMES.filter((field) => typed[field] !== theirs[field]);
  return (
    <ActionForm
      class="body"
      action={action}
      onSubmit={() => onSave(merged)}
      failure={`The profile was not saved${getDetails(action)}`}
    >
      <Explanation base={base} stored={stored} />
      {differing.map((field) => (
        <FieldChoice
          key={field}
          field={field}
          mine={typed[field]}
          theirs={theirs[field]}
          chosen={renderChoice(field)}
          onChoose={(choice) => setChoices((last) => ({ ...last, [field]: choice }))}
        />
      ))}
      {differing.length === 0 && <p>The stored profile is the same as your input.</p>}
      <div class="buttons">
        <Submit text="Save the selection" action={action} />
        <Button text="Back to the form" onClick={onEdit} />
      </div>
    </ActionForm>
  );
}

/** The fields are not shown here, so their errors are shown together. */
function getDetails({ error }: Action): string {
  const messages = Object.values(error?.errors ?? {}).flat();
  return messages.length === 0 ? '' : `: ${messages.join(' ')}`;
}

function Explanation({ base, stored }: { readonly base: User; readonly stored: User }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), [stored.version]);
  return (
    <>
      <h3 class="tone warn" ref={heading} tabIndex={-1}>
        Another person has changed this user
      </h3>
      <p>
        The stored profile was changed <Time at={stored.updated_at} />, after you had opened it. Nothing of
        yours was saved yet. Choose what to keep.
        {stored.state !== base.state &&
          ` The state is now “${STATES[stored.state]}” instead of “${STATES[base.state]}”.`}
      </p>
    </>
  );
}

interface FieldChoiceProps {
  readonly field: FieldName;
  readonly mine: string;
  readonly theirs: string;
  readonly chosen: Choice;
  readonly onChoose: (choice: Choice) => void;
}

function FieldChoice({ field, mine, theirs, chosen, onChoose }: FieldChoiceProps) {
  const option = (choice: Choice, label: string, text: string) => (
    <label class="option tile">
      <input
        type="radio"
        name={`choice-${field}`}
        checked={chosen === choice}
        onChange={() => onChoose(choice)}
      />
      <span>
        {label}
        <strong>
          <bdi>{text || '(empty)'}</bdi>
        </strong>
      </span>
    </label>
  );
  return (
    <fieldset class="grid">
      <legend>{FIELDS[field]}</legend>
      {option('mine', 'Yours', mine)}
      {option('theirs', 'Stored now', theirs)}
    </fieldset>
  );
}

export const FIELDS = {
  name: 'Name',
  email: 'Email',
  level: 'Level',
  locale: 'Language',
  zoneinfo: 'Time zone',
} as const;
export type FieldName = keyof typeof FIELDS;
export const FIELD_NAMES = Object.keys(FIELDS) as FieldName[];

/** The texts in the fields. */
export type FormValues = Readonly<Record<FieldName, string>>;

export function toFormValues(user: User): FormValues {
  return mapFields((field) => user[field] ?? '');
}

/** Returns the members that differ from the record. An empty level, language or time zone is none. */
export function getChanges(user: User, typed: FormValues): UserChanges {
  const stored = toFormValues(user);
  const changed = FIELD_NAMES.filter((field) => typed[field] !== stored[field]);
  return Object.fromEntries(
    changed.map((field) => [field, isOptional(field) && typed[field] === '' ? null : typed[field]]),
  );
}

const isOptional = (field: FieldName) => field !== 'name' && field !== 'email';

export function isChanged(user: User, typed: FormValues): boolean {
  return Object.keys(getChanges(user, typed)).length > 0;
}

/** Returns the typed values, with the stored text in fields that were not edited. */
export function rebase(base: User, typed: FormValues, stored: User): FormValues {
  const before = toFormValues(base);
  const now = toFormValues(stored);
  return mapFields((field) => (typed[field] === before[field] ? now[field] : typed[field]));
}

/** Whether a field was changed here and, differently, there. */
export function isConflict(base: User, typed: FormValues, stored: User): boolean {
  const before = toFormValues(base);
  const now = toFormValues(stored);
  return FIELD_NAMES.some(
    (field) => typed[field] !== before[field] && now[field] !== before[field] && typed[field] !== now[field],
  );
}

function mapFields(getText: (field: FieldName) => string): FormValues {
  return Object.fromEntries(FIELD_NAMES.map((field) => [field, getText(field)])) as FormValues;
}
