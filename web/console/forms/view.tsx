/** One form: its fields, submissions, settings, and how to share it. */
import type { Form } from '../../common/api-types.ts';
import { capitalize, Fact, PageHead, Panel } from '../../common/components.tsx';
import { Link } from '../../common/router.tsx';
import { BackLink, RecordPage } from '../records/record-page.tsx';
import { may } from '../session.ts';
import { FormActions, StateActions } from './actions.tsx';
import { describeField, formatMember } from './changes.ts';
import { UnsavedChanges, useDraft } from './draft.tsx';
import { Editor, Preview } from './editor/editor.tsx';
import { FormBadge, type FormTab, formatTotal, forms, hasNewDraft, linkToForm } from './record.tsx';
import { SettingFacts, Settings } from './settings.tsx';
import { Share } from './share.tsx';
import { Submissions } from './submissions/page.tsx';
import { toFieldName, toTypedForm } from './typed.ts';

export function FormView({ id, tab }: { readonly id: string; readonly tab: FormTab }) {
  return (
    <RecordPage<Form> records={forms} id={id}>
      {({ record, onChange }) => <FormPage form={record} tab={tab} onChange={onChange} />}
    </RecordPage>
  );
}

interface FormPageProps {
  readonly form: Form;
  readonly tab: FormTab;
  readonly onChange: () => void;
}

function FormPage({ form: loaded, tab, onChange }: FormPageProps) {
  const draft = useDraft(loaded, onChange);
  // What was saved is known before the form is loaded again.
  const form = draft.base.revision > loaded.revision ? draft.base : loaded;
  const mayWrite = may('forms:write');
  const { state, closes_at, time_zone, published_version } = form;
  const context = (
    <span class="row">
      <FormBadge form={form} />
      {state === 'published' && closes_at !== null && <span>until {formatMember(closes_at, time_zone)}</span>}
      {published_version !== null && <span>Version {published_version}</span>}
      {hasNewDraft(form) && <span class="badge note">Changes not published</span>}
    </span>
  );
  return (
    <>
      <PageHead title={form.title} back={<BackLink {...forms.list} />} context={context}>
        {mayWrite && <StateActions form={form} draft={draft} onChange={onChange} />}
      </PageHead>
      <Tabs form={form} tab={tab} />
      {tab === 'fields' && (mayWrite ? <Editor draft={draft} /> : <FieldFacts form={form} />)}
      {tab === 'submissions' && <Submissions form={form} onChange={onChange} />}
      {tab === 'settings' && (mayWrite ? <Settings draft={draft} /> : <SettingFacts draft={draft} />)}
      {tab === 'settings' && mayWrite && <FormActions record={form} onChange={onChange} />}
      {tab === 'share' && <Share form={form} />}
      {mayWrite && <UnsavedChanges draft={draft} />}
    </>
  );
}

const TABS: readonly FormTab[] = ['fields', 'submissions', 'settings', 'share'];

function Tabs({ form: { id, submissions }, tab }: Pick<FormPageProps, 'form' | 'tab'>) {
  return (
    <nav class="tabs" aria-label="Form">
      {TABS.filter((each) => each !== 'submissions' || may('submissions:read')).map((each) => (
        <Link key={each} to={linkToForm(id, each)} aria-current={each === tab ? 'page' : undefined}>
          {capitalize(each)}{' '}
          {each === 'submissions' && (
            <span key={submissions.accepted} class="muted">
              {formatTotal(submissions.accepted)}
            </span>
          )}
        </Link>
      ))}
    </nav>
  );
}

/** For those who may not change the form. */
function FieldFacts({ form }: { readonly form: Form }) {
  return (
    <div class="columns even">
      <Panel title="Fields" id="fields">
        <dl class="facts">
          {form.fields.map((field) => (
            <Fact key={field.label} name={toFieldName(field)}>
              <code>{field.label}</code>: {describeField(field)}
            </Fact>
          ))}
        </dl>
      </Panel>
      <Preview form={toTypedForm(form)} />
    </div>
  );
}
