/** A list of submissions with the answers to the first fields, and actions on those that are selected. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Form, FormField, Submission } from '../../../common/api-types.ts';
import { ConfirmDialog } from '../../../common/confirm-dialog.tsx';
import { withQuery } from '../../../common/router.tsx';
import { ShortTime } from '../../../common/time.tsx';
import type { Filter } from '../../records/filters.tsx';
import { type Column, type Pages, RecordList } from '../../records/record-list.tsx';
import { type Selected, SelectionBar } from '../../records/selection.tsx';
import { may, request } from '../../session.ts';
import { announce } from '../../status.tsx';
import { counted, forms, linkToForm } from '../record.tsx';
import { toFieldName } from '../typed.ts';
import { formatAnswer, getName, listShownFields, MAX_ANSWERS } from './answers.tsx';

/** Several fields may have the same name: the titles of the columns differ. */
function listAnswerColumns(shown: readonly FormField[]): Column<Submission>[] {
  const names = shown.map(toFieldName);
  return shown.map((field, index) => {
    const name = names[index]!;
    return {
      title: names.indexOf(name) === index ? name : `${name} (${field.label})`,
      header: (
        <span class="cut" title={name}>
          {name}
        </span>
      ),
      class: index < 2 ? 'grow' : `short${shown.length > MAX_ANSWERS ? '' : ' wide'}`,
      isMain: index === 0,
      getHint: (submission) => formatAnswer(submission, field),
      render: (submission) => {
        const text = formatAnswer(submission, field);
        return text && <bdi>{text}</bdi>;
      },
    };
  });
}

const COLUMNS: readonly Column<Submission>[] = [
  { title: 'Version', class: 'num wide', render: ({ version }) => version },
  { title: 'Received', class: 'num', render: ({ received_at }) => <ShortTime at={received_at} /> },
];
const STATE: Column<Submission> = {
  title: 'State',
  class: 'state-cell',
  render: (submission) => <SubmissionBadge {...submission} />,
};

const REASONS = { decoy: 'hidden field', too_fast: 'too fast', too_many: 'too many' } as const;

export function SubmissionBadge({ held, held_reason: why }: Pick<Submission, 'held' | 'held_reason'>) {
  return held ? (
    <span class="badge warn">Held{why && `: ${REASONS[why]}`}</span>
  ) : (
    <span class="badge usual">Accepted</span>
  );
}

interface SubmissionListProps {
  readonly form: Form;
  readonly label: string;
  readonly fields: readonly FormField[];
  /** Fields with a column; by default the first ones. */
  readonly shown?: readonly FormField[];
  /** What the list shows: the page of a submission leads to those beside it, and back. */
  readonly filter: Filter;
  readonly pages: Pages<Submission>;
  /** Whether held submissions are among others. */
  readonly hasHeld?: boolean;
  readonly isInPanel?: boolean;
  readonly empty: ComponentChildren;
  /** Called after submissions were changed. */
  readonly onChange: () => void;
}

export function SubmissionList(props: SubmissionListProps) {
  const { form, fields, shown = listShownFields(fields), filter, hasHeld = false, onChange, ...list } = props;
  const [selected, onSelect] = useState<Selected<Submission>>(new Map());
  const [kind, setKind] = useState<'release' | 'delete' | null>(null);
  const submissions = [...selected.values()];
  const release = submissions.every(({ held }) => held) ? { release: 'Release…' } : {};
  const clear = () => onSelect(new Map());
  const close = (isDone: boolean) => {
    setKind(null);
    if (!isDone) return;
    clear();
    onChange();
  };
  const selection = {
    ...{ label: `Select all: ${list.label}`, selected, onSelect },
    getName: (each: Submission) => getName(each, fields),
  };
  return (
    <>
      <RecordList
        {...list}
        nouns={['submission', 'submissions']}
        columns={[...listAnswerColumns(shown), ...COLUMNS, ...(hasHeld ? [STATE] : [])]}
        to={({ id }) => withQuery(`${linkToForm(form.id, 'submissions')}/${id}`, filter)}
        selection={may('forms:write') ? selection : undefined}
      />
      {submissions.length > 0 && (
        <SelectionBar
          count={submissions.length}
          actions={{ ...release, delete: 'Delete…' }}
          onStart={(action) => setKind(action as 'release' | 'delete')}
          onClear={clear}
        />
      )}
      {kind && <ChangeDialog form={form} kind={kind} submissions={submissions} onClose={close} />}
    </>
  );
}

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
      await request(forms.pathTo(form.id, `/submissions/${id}${path}`), { method });
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
