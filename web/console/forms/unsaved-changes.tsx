/** Bar with the changes that are not saved. */
import { useEffect } from 'preact/hooks';
import { Failure } from '../../common/components.tsx';
import { announce } from '../status.tsx';
import { listChangedMembers, listFieldChanges, MEMBER_NAMES } from './changes.ts';
import { type FormDraft, toStoredBody } from './draft.tsx';
import { toFieldName } from './field-kinds.ts';
import { counted } from './record.tsx';
import { type FormBody, type FormMember, toBody } from './typed.ts';

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
        <button type="button" class="plain compact" onClick={draft.discard}>
          Discard
        </button>
        <button
          type="button"
          class="primary compact"
          aria-busy={isBusy}
          onClick={() => draft.save(() => announce('The form was saved.'))}
        >
          Save
        </button>
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
