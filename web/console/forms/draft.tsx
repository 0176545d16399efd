/** Unsaved changes of forms. They stay while other views are open, and the browser asks before it discards them. */
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ApiError } from '../../common/api.ts';
import type { Form } from '../../common/api-types.ts';
import { Button, Failure } from '../../common/components.tsx';
import { type Action, useAction } from '../../common/use-action.ts';
import { ifMatch, isOutdated } from '../records/requests.ts';
import { read } from '../session.ts';
import { announce } from '../status.tsx';
import { listChangedMembers, listFieldChanges, MEMBER_NAMES } from './changes.ts';
import { toPageMessage } from './messages.ts';
import { counted, forms } from './record.tsx';
import { type FormBody, type FormMember, type TypedForm, toBody, toFieldName, toTypedForm } from './typed.ts';

interface Draft {
  /** The stored form on which the typed one is based. */
  readonly base: Form;
  readonly typed: TypedForm;
}

const drafts = signal<ReadonlyMap<string, Draft>>(new Map());

addEventListener('beforeunload', (event) => {
  if ([...drafts.value.values()].some(isDirty)) event.preventDefault();
});

export const toStoredBody = (form: Form) => toBody(toTypedForm(form));
const listOwnChanges = ({ base, typed }: Draft) => listChangedMembers(toStoredBody(base), toBody(typed));
const isDirty = (draft: Draft) => listOwnChanges(draft).length > 0;

/** Returns the unsaved changes of the form, or the form as it is stored. */
function getDraft(form: Form): Draft {
  const kept = drafts.value.get(form.id);
  const isOld = kept === undefined || (kept.base.revision < form.revision && !isDirty(kept));
  return isOld ? { base: form, typed: toTypedForm(form) } : kept;
}

function setDraft(draft: Draft): void {
  drafts.value = new Map(drafts.value).set(draft.base.id, draft);
}

export function forgetDraft(id: string): void {
  drafts.value = new Map([...drafts.value].filter(([each]) => each !== id));
}

export interface FormDraft extends Draft {
  readonly isDirty: boolean;
  /**
   * Of the last save. The names of its errors are those of members, and of members of fields after their keys:
   * `new-1/label`.
   */
  readonly error: ApiError | null;
  readonly isBusy: Action['isBusy'];
  readonly set: (members: Partial<TypedForm> | ((typed: TypedForm) => Partial<TypedForm>)) => void;
  /** Saves, then calls `onSaved`. */
  readonly save: (onSaved: () => void) => void;
  readonly discard: () => void;
}

/** @param onChange is called after the stored form was changed */
export function useDraft(form: Form, onChange: () => void): FormDraft {
  const { error, isBusy, run } = useAction();
  const draft = getDraft(form);
  return {
    ...{ ...draft, isDirty: isDirty(draft), error, isBusy },
    set: (change) => {
      const { base, typed } = getDraft(form);
      setDraft({ base, typed: { ...typed, ...(typeof change === 'function' ? change(typed) : change) } });
    },
    save: (onSaved) =>
      void run(async () => {
        const saved = await saveOrMerge(draft);
        // What was typed meanwhile stays.
        const later = Object.entries(getDraft(form).typed).filter(
          ([member, value]) => value !== draft.typed[member as FormMember],
        );
        setDraft({ base: saved.base, typed: { ...saved.typed, ...Object.fromEntries(later) } });
        onChange();
        onSaved();
      }),
    discard: () => {
      forgetDraft(form.id);
      announce('The changes were discarded.', { undo: async () => setDraft(draft) });
    },
  };
}

/** Saves also when another person has changed other members since. @throws ApiError when they are the same */
async function saveOrMerge(draft: Draft): Promise<Draft> {
  try {
    return await saveDraft(draft);
  } catch (error) {
    if (!isOutdated(error)) throw error;
  }
  const stored = await forms.read(draft.base.id);
  const [theirs, own] = [
    listChangedMembers(toStoredBody(draft.base), toStoredBody(stored)),
    listOwnChanges(draft),
  ];
  const mine = Object.fromEntries(own.map((member) => [member, draft.typed[member]]));
  const merged = { base: stored, typed: { ...toTypedForm(stored), ...mine } };
  const conflicts = listOwnChanges(merged).filter((member) => theirs.includes(member));
  if (conflicts.length === 0) return saveDraft(merged);
  setDraft(merged);
  const names = conflicts.map((member) => MEMBER_NAMES[member]).join(', ');
  const text = `Another person has changed it since: ${names}. This is your version, in the form of the other person. Save it to replace theirs, or discard it to see theirs.`;
  throw new ApiError(412, { error: text, code: 'precondition_failed' });
}

async function saveDraft({ base, typed }: Draft): Promise<Draft> {
  const headers = { ...ifMatch(base), Accept: 'application/problem+json' };
  try {
    const options = { method: 'PUT', headers, body: toBody(typed) } as const;
    const stored = await read<Form>(forms.pathTo(base.id), options);
    const fields = typed.fields.map((field) => ({ ...field, isNew: false }));
    return { base: { ...base, ...stored }, typed: { ...typed, fields } };
  } catch (error) {
    throw error instanceof ApiError ? nameErrors(error, typed) : error;
  }
}

function nameErrors({ status, message, code, pointedErrors, retryAfter }: ApiError, { fields }: TypedForm) {
  const named = pointedErrors.map(({ pointer, detail }) => {
    const [, member = '', index, name = 'label'] = pointer.split('/');
    const isOfField = member === 'fields' && index !== undefined;
    return [isOfField ? `${fields[Number(index)]?.key}/${name}` : member, [toPageMessage(detail)]] as const;
  });
  const errors = Object.fromEntries(named);
  return new ApiError(status, { error: message, code, errors }, retryAfter);
}

export function UnsavedChanges({ draft }: { readonly draft: FormDraft }) {
  const { base, typed, error, isBusy } = draft;
  useEffect(() => {
    // The view has shown the first error before.
    if (error !== null) requestAnimationFrame(focusInvalid);
  }, [error]);
  if (!draft.isDirty) return null;
  const wrong = listWrong(draft);
  return (
    <>
      {error !== null && wrong.length === 0 && <Failure what="The form was not saved" error={error} />}
      <section class="bulk" aria-label="Unsaved changes">
        <p role="status">
          {counted(countChanges(toStoredBody(base), toBody(typed)), 'unsaved change')}
          {wrong.length > 0 && <span class="error">. Not saved, see {wrong.join(', ')}.</span>}
        </p>
        <Button text="Discard" class="plain compact" onClick={draft.discard} />
        <Button
          text="Save"
          class="primary compact"
          aria-busy={isBusy}
          onClick={() => draft.save(() => announce('The form was saved.'))}
        />
      </section>
    </>
  );
}

function focusInvalid(): void {
  const field = document.querySelector<HTMLElement>('main [aria-invalid=true]');
  field?.focus();
  // Not below the bar.
  field?.scrollIntoView({ block: 'center' });
}

/** Returns the names of what the service has rejected. */
function listWrong({ error, typed }: FormDraft): readonly string[] {
  const names = Object.keys(error?.errors ?? {}).map((name) => {
    const field = typed.fields.find(({ key }) => key === name.split('/')[0]);
    return field === undefined ? MEMBER_NAMES[name as FormMember] : toFieldName(field);
  });
  return [...new Set(names)];
}

/** Each field that differs counts. */
function countChanges(before: FormBody, after: FormBody): number {
  const members = listChangedMembers(before, after).filter((member) => member !== 'fields');
  return members.length + listFieldChanges(before.fields, after.fields).length;
}
