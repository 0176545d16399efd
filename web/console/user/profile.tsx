/** The profile, editable. */
import { useEffect, useState } from 'preact/hooks';
import { listZoneChoices } from '../../../src/lib/text/time-zones.ts';
import type { User } from '../../common/api-types.ts';
import { Button, Panel } from '../../common/components.tsx';
import { type Action, ActionForm, Submit, useAction } from '../../common/form.tsx';
import { formatTime } from '../../common/time.tsx';
import { type FormField, FormFields } from '../records/record-form.tsx';
import { isOutdated } from '../records/requests.ts';
import { announce } from '../status.tsx';
import { toLabel, type UserSection, users } from '../users/record.tsx';
import {
  Conflict,
  FIELD_NAMES,
  type FormValues,
  getChanges,
  isChanged,
  isConflict,
  rebase,
  toFormValues,
} from './conflict.tsx';

/** Typed values, and the version of the record that it is based on. */
interface Draft {
  readonly base: User;
  readonly typed: FormValues;
  /** The stored record, during a conflict. */
  readonly stored: User | null;
}

const createDraft = (user: User): Draft => ({ base: user, typed: toFormValues(user), stored: null });

export function Profile(section: UserSection) {
  const { draft, setDraft, save } = useProfile(section);
  const action = useAction();
  const { base, typed, stored } = draft;
  return (
    <Panel title="Profile" id="profile">
      {stored === null ? (
        <ProfileForm
          draft={draft}
          action={action}
          onType={(changes) => setDraft((last) => ({ ...last, typed: { ...last.typed, ...changes } }))}
          onSave={() => save(base, typed)}
          onDiscard={() => setDraft(createDraft(base))}
        />
      ) : (
        <Conflict
          base={base}
          typed={typed}
          stored={stored}
          action={action}
          onSave={(merged) => save(stored, merged)}
          onEdit={() => setDraft({ base: stored, typed: rebase(base, typed, stored), stored: null })}
        />
      )}
    </Panel>
  );
}

/** Typed values, and a function that saves it unless the record has another version than `base`. */
function useProfile({ record: user, onChange }: UserSection) {
  const [draft, setDraft] = useState(() => createDraft(user));
  useEffect(() => setDraft((last) => follow(last, user)), [user.version]);
  const save = async (base: User, typed: FormValues) => {
    const saved = await saveProfile(base, typed);
    if (saved.isConflict) return setDraft((last) => ({ ...last, stored: saved.user }));
    setDraft(createDraft(saved.user));
    announce(
      saved.user === base
        ? 'Nothing has to be saved: this is the stored profile.'
        : `The profile of ${toLabel(saved.user)} was saved.`,
    );
    onChange();
  };
  return { draft, setDraft, save };
}

/** Follows a change of the record, unless it concerns a field in which something else was typed. */
function follow({ base, typed, stored }: Draft, user: User): Draft {
  if (user.version <= base.version) return { base, typed, stored };
  if (isConflict(base, typed, user)) return { base, typed, stored: user };
  return { base: user, typed: rebase(base, typed, user), stored: null };
}

/** Returns `base` itself if nothing differs from it. In a conflict, another person changed the user: nothing is saved. */
async function saveProfile(base: User, typed: FormValues) {
  if (!isChanged(base, typed)) return { user: base, isConflict: false };
  try {
    return { user: await users.change({ record: base }, getChanges(base, typed)), isConflict: false };
  } catch (error) {
    if (!isOutdated(error)) throw error;
    return { user: await users.read(base.id), isConflict: true };
  }
}

interface ProfileFormProps {
  readonly draft: Draft;
  readonly action: Action;
  readonly onType: (changes: Partial<FormValues>) => void;
  readonly onSave: () => Promise<void>;
  readonly onDiscard: () => void;
}

function ProfileForm({ draft: { base, typed }, action, onType, onSave, onDiscard }: ProfileFormProps) {
  const isNewEmail = typed.email !== (base.email ?? '');
  const emailHint = isNewEmail
    ? 'A new email counts as not verified, and revokes the links that were sent.'
    : formatVerification(base);
  const fields: readonly FormField<FormValues>[] = [
    { name: 'name', label: 'Name', direction: 'auto' },
    { name: 'email', label: 'Email', type: 'email', hint: emailHint },
    { name: 'level', label: 'Level', hint: 'For your application; it grants nothing here.' },
    { name: 'locale', label: 'Language', hint: 'For mail to the user: a tag such as de or pt-BR.' },
    { name: 'zoneinfo', label: 'Time zone', options: listZoneOptions(base.zoneinfo) },
  ];
  return (
    <ActionForm
      class="body"
      action={action}
      onSubmit={onSave}
      failure="The profile was not saved"
      fields={FIELD_NAMES}
    >
      <div class="grid">
        <FormFields fields={fields} typed={typed} set={onType} error={action.error} />
      </div>
      <div class="buttons">
        <Submit text="Save profile" action={action} />
        {isChanged(base, typed) && <Button text="Discard changes" class="plain" onClick={onDiscard} />}
      </div>
    </ActionForm>
  );
}

const listZoneOptions = (stored: string | null) => [
  ['', 'not known'] as const,
  ...listZoneChoices(stored).map((zone) => [zone, zone] as const),
];

function formatVerification({ email, email_verified_at }: User): string {
  if (email === null) return 'No email is stored.';
  return email_verified_at === null ? 'Not verified.' : `Verified ${formatTime(email_verified_at)}.`;
}
