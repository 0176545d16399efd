/** The list of forms. */
import { listTimeZones, toCurrentZone } from '../../../src/lib/text/time-zones.ts';
import type { Form, ListedForm } from '../../common/api-types.ts';
import { Button, Failure, PageHead } from '../../common/components.tsx';
import { navigate, query } from '../../common/router.tsx';
import { ShortTime, timeZone } from '../../common/time.tsx';
import { useAction } from '../../common/use-action.ts';
import { FormCheck } from '../form-check/page.tsx';
import { useStarted } from '../records/create-record.tsx';
import { type Column, Empty, RecordList, usePages } from '../records/record-list.tsx';
import { post } from '../records/requests.ts';
import { may } from '../session.ts';
import { FormBadge, FormsTabs, formatTotal, forms, hasNewDraft, linkToForm, MAX_COUNTS } from './record.tsx';

const COLUMNS: readonly Column<ListedForm>[] = [
  {
    title: 'Title',
    class: 'grow',
    isMain: true,
    getHint: ({ title }) => title,
    render: ({ title }) => <bdi>{title}</bdi>,
    renderAfter: (form) => hasNewDraft(form) && <span class="description">changes not published</span>,
  },
  ...(['accepted', 'held'] as const).map((kind) => ({
    title: kind === 'held' ? 'Held' : 'Submissions',
    class: 'num',
    render: ({ submissions }: ListedForm) =>
      submissions[kind] === 0 ? null : formatTotal(submissions[kind], MAX_COUNTS.list),
  })),
  { title: 'Created', class: 'wide', render: ({ created_at }) => <ShortTime at={created_at} /> },
  { title: 'Changed', render: ({ updated_at }) => <ShortTime at={updated_at} /> },
  { title: 'State', class: 'state-cell', render: (form) => <FormBadge form={form} /> },
];

function Forms() {
  const pages = usePages<ListedForm>(forms.path);
  return (
    <>
      <PageHead title="Forms" context="Pages on which people leave answers, also inside pages of yours.">
        {may('forms:write') && <CreateForm />}
      </PageHead>
      <FormsTabs />
      <RecordList
        label="Forms"
        nouns={['form', 'forms']}
        pages={pages}
        columns={COLUMNS}
        to={({ id }) => linkToForm(id)}
        empty={
          <Empty
            icon="form"
            title="No forms yet"
            action={may('forms:write') ? forms.creation : null}
            docs="/docs/forms"
          >
            A form is a page on which people leave answers: a registration, a question, an application. Nobody
            else sees a new one until you publish it.
          </Empty>
        }
      />
    </>
  );
}

const NEW_FORM = {
  time_zone: listTimeZones().find((zone) => zone === toCurrentZone(timeZone)) ?? null,
  title: 'New form',
  fields: [
    { label: 'full_name', title: 'Full name', type: 'text', is_required: true },
    { label: 'email', title: 'Email', type: 'email', is_required: true },
    { label: 'message', title: 'Message', type: 'text', is_required: false, multiline: true },
  ],
};

/** Creates a draft with usual fields, and opens it. */
function CreateForm() {
  const action = useAction();
  const create = async () => navigate(linkToForm((await post<Form>(forms.path, NEW_FORM)).id));
  useStarted(forms.creation, () => void action.run(create));
  return (
    <>
      <Button
        icon="plus"
        text={forms.creation}
        class="primary"
        aria-busy={action.isBusy}
        onClick={() => action.run(create)}
      />
      {action.error && <Failure what="The form was not created" error={action.error} />}
    </>
  );
}

export function FormsPage() {
  return query.value.get('view') === 'check' ? <FormCheck /> : <Forms />;
}
