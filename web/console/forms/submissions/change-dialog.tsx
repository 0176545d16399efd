/** Releases or deletes submissions, one after the other, after a question. */
import { useState } from 'preact/hooks';
import type { Form, Submission } from '../../../common/api-types.ts';
import { ConfirmDialog } from '../../../common/confirm-dialog.tsx';
import { request } from '../../session.ts';
import { announce } from '../../status.tsx';
import { counted, formPath } from '../record.tsx';
import { getName } from './answers.tsx';

const KINDS = {
  release: {
    ...({ verb: 'Release', done: 'released', method: 'POST', path: '/release' } as const),
    effect: 'They count as accepted, also beyond the maximum of the form.',
  },
  delete: {
    ...({ verb: 'Delete', done: 'deleted', method: 'DELETE', path: '' } as const),
    effect: 'Their answers are deleted at once. This cannot be undone.',
  },
};

interface ChangeDialogProps {
  readonly form: Form;
  readonly kind: keyof typeof KINDS;
  readonly submissions: readonly Submission[];
  /** @param isDone whether submissions were changed */
  readonly onClose: (isDone: boolean) => void;
}

export function ChangeDialog({ form, kind, submissions, onClose }: ChangeDialogProps) {
  const { verb, done, effect, method, path } = KINDS[kind];
  const [left, setLeft] = useState(submissions);
  const count = counted(left.length, 'submission');
  const run = async () => {
    for (const [index, { id }] of left.entries()) {
      await request(`${formPath(form.id)}/submissions/${id}${path}`, { method });
      setLeft(left.slice(index + 1));
    }
    onClose(true);
    announce(`${counted(submissions.length, 'submission')} ${done}.`);
  };
  return (
    <ConfirmDialog
      title={`${verb} ${count}?`}
      verb={`${verb} ${count}`}
      failure={`${count} not ${done}`}
      isDestructive={kind === 'delete'}
      onConfirm={run}
      onClose={() => onClose(left.length < submissions.length)}
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long list scrolls, also by keyboard */}
      <ul class="affected" aria-label="Submissions" tabIndex={0}>
        {left.map((submission) => (
          <li key={submission.id}>
            <bdi>{getName(submission, form.fields)}</bdi>
          </li>
        ))}
      </ul>
      <p>{effect}</p>
    </ConfirmDialog>
  );
}
