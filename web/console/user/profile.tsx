/** The profile, editable. */
import { useEffect, useState } from 'preact/hooks';
import type { User } from '../../common/api-types.ts';
import { ActionForm, Field, Submit } from '../../common/form.tsx';
import { Panel } from '../../common/panel.tsx';
import { formatTime } from '../../common/time.tsx';
import { type Action, useAction } from '../../common/use-action.ts';
import { announce } from '../status.tsx';
import { changeUser, isOutdated, loadUser, toLabel } from '../users/record.tsx';
import { Conflict } from './conflict.tsx';
import { FIELD_NAMES, type FieldName, type FormValues, getChanges, isChanged, isConflict, rebase, toFormValues } from './merge.ts';
import type { UserSection } from './user-section.ts';

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
          onType={(field, text) => setDraft((last) => ({ ...last, typed: { ...last.typed, [field]: text } }))}
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
function useProfile({ user, onChange }: UserSection) {
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

interface Saved {
  readonly user: User;
  /** Another person has changed the user meanwhile, and nothing was saved. */
  readonly isConflict: boolean;
}

/** Returns `base` itself if nothing differs from it. */
async function saveProfile(base: User, typed: FormValues): Promise<Saved> {
  if (!isChanged(base, typed)) return { user: base, isConflict: false };
  try {
    return { user: await changeUser(base, getChanges(base, typed)), isConflict: false };
  } catch (error) {
    if (!isOutdated(error)) throw error;
    return { user: await loadUser(base.id), isConflict: true };
  }
}

interface ProfileFormProps {
  readonly draft: Draft;
  readonly action: Action;
  readonly onType: (field: FieldName, text: string) => void;
  readonly onSave: () => Promise<void>;
  readonly onDiscard: () => void;
}

function ProfileForm({ draft: { base, typed }, action, onType, onSave, onDiscard }: ProfileFormProps) {
  const field = (name: FieldName) => ({
    name,
    value: typed[name],
    error: action.error,
    onValue: (text: string) => onType(name, text),
    autocomplete: 'off' as const,
  });
  const isNewEmail = typed.email !== (base.email ?? '');
  const emailHint = isNewEmail
    ? 'A new email counts as not verified, and revokes the links that were sent.'
    : formatVerification(base);
  return (
    <ActionForm
      class="body"
      action={action}
      onSubmit={onSave}
      failure="The profile was not saved"
      fields={FIELD_NAMES}
    >
      <div class="grid">
        <Field {...field('name')} label="Name" direction="auto" />
        <Field {...field('email')} label="Email" type="email" hint={emailHint} />
        <Field {...field('level')} label="Level" hint="For your application; it grants nothing here." />
        <Field
          {...field('locale')}
          label="Language"
          hint="For mail to the user: a tag such as de or pt-BR."
        />
      </div>
      <div class="buttons">
        <Submit action={action}>Save profile</Submit>
        {isChanged(base, typed) && (
          <button type="button" class="plain" onClick={onDiscard}>
            Discard changes
          </button>
        )}
      </div>
    </ActionForm>
  );
}

function formatVerification({ email, email_verified_at }: User): string {
  if (email === null) return 'No email is stored.';
  return email_verified_at === null ? 'Not verified.' : `Verified ${formatTime(email_verified_at)}.`;
}
