/** One application. */
import { basePath } from '../../common/api.ts';
import type { Application, AuditEvent } from '../../common/api-types.ts';
import { Button, Facts, PageHead, Panel } from '../../common/components.tsx';
import { ActionForm, Submit, useAction } from '../../common/form.tsx';
import { ShortTime, Time } from '../../common/time.tsx';
import { ConfirmAction, type RecordDialogProps, useRecordActions } from '../records/record-actions.tsx';
import { FormFields, listErrorNames, useTyped } from '../records/record-form.tsx';
import { BackLink, recordView } from '../records/record-page.tsx';
import type { Section } from '../records/requests.ts';
import { LAST_OVERLAP, RotateSecret } from '../records/secret.tsx';
import { may, useData } from '../session.ts';
import { announce } from '../status.tsx';
import { APPLICATION_FORM } from './form.tsx';
import { ProgramFacts, ProgramSnippets, useMetadata } from './program.tsx';
import { applications, KINDS, SECRET, type SecretApplication } from './record.ts';
import { AllowedGroupNames } from './who-may-sign-in.tsx';

export const ApplicationView = recordView(applications, Page);

function Page(section: Section<Application>) {
  const application = section.record;
  const program = { application, metadata: useMetadata() };
  return (
    <>
      <PageHead
        title={application.name}
        back={<BackLink {...applications.list} />}
        context={
          <>
            {KINDS[application.kind]} · created <ShortTime at={application.created_at} />
          </>
        }
      />
      <div class="columns aside">
        <div class="stack">
          {may('applications:write') ? <Settings {...section} /> : <ReadOnly application={application} />}
          {application.kind === 'web' && <SecretPanel {...section} />}
          {may('events:read') && <Rejections application={application} />}
          <ProgramSnippets {...program} />
          {may('applications:write') && <DeletePanel {...section} />}
        </div>
        <div class="stack">
          <ProgramFacts {...program} />
        </div>
      </div>
    </>
  );
}

function Settings(section: Section<Application>) {
  const { toTyped, toBody, getFields } = APPLICATION_FORM;
  const { record, onChange } = section;
  const [typed, set] = useTyped(() => toTyped(record));
  const action = useAction();
  const fields = getFields(typed, set, record);
  const save = async () => {
    set(toTyped(await applications.change(section, toBody(typed, record))));
    announce(`The application ${typed.name} was saved.`);
    onChange();
  };
  const errorNames = listErrorNames(fields);
  return (
    <Panel title="Settings" id="settings" body="">
      <ActionForm action={action} onSubmit={save} failure="The application was not saved" fields={errorNames}>
        <FormFields fields={fields} typed={typed} set={set} error={action.error} />
        <div class="row">
          <Submit text="Save application" action={action} />
          <Button text="Discard" class="plain" onClick={() => set(toTyped(record))} />
        </div>
      </ActionForm>
    </Panel>
  );
}

function ReadOnly({ application }: { readonly application: Application }) {
  const { redirect_uris, post_logout_redirect_uris, scopes, token_lifetime_days, jwt_audiences, device } =
    application;
  return (
    <Panel title="Settings" id="settings">
      <Facts
        class="addresses"
        facts={{
          'Redirect URIs': redirect_uris.join(', '),
          'URIs after signing out': post_logout_redirect_uris.join(', ') || 'none',
          'Who may sign in': <AllowedGroupNames allowed={application.allowed_groups} />,
          Scopes: scopes.join(', ') || 'none',
          'Days until its tokens expire': token_lifetime_days ?? 'as those of a sign-in',
          'Audiences of its JSON Web Tokens': jwt_audiences.join(', ') || 'none',
          'Programs stay signed in': application.refresh
            ? `${application.refresh_days} days, ${application.refresh_idle_days} without use`
            : 'no',
          'Devices without a browser': device ? 'sign in by a code' : 'cannot sign in',
        }}
      />
    </Panel>
  );
}

function SecretPanel({ record, onChange }: Section<Application>) {
  const { renderButtons, result } = useRecordActions([record], onChange);
  const { first_characters, created_at, rotated_at, previous_until } = record;
  return (
    <Panel
      title="Client secret"
      id="secret"
      beside={may('applications:write') && renderButtons(record, [ROTATE])}
    >
      <Facts
        facts={{
          Secret: <code>{first_characters}…</code>,
          Created: <Time at={rotated_at ?? created_at} />,
          'Earlier secret valid until': previous_until !== null && <Time at={previous_until} />,
        }}
      />
      {result}
    </Panel>
  );
}

const ROTATE = { label: 'Rotate secret…', class: 'compact end', Dialog: RotateDialog };

function RotateDialog(dialog: RecordDialogProps<Application>) {
  const { name, previous_until } = dialog.record;
  const rotate = async (body: object) =>
    (await applications.act<SecretApplication>(dialog.record, 'rotate-secret', body)).client_secret;
  return (
    <RotateSecret
      {...dialog}
      kind={SECRET}
      title={`Rotate the secret of ${name}?`}
      newTitle={`The new secret of ${name}`}
      failure="The secret was not replaced"
      verb="Rotate secret"
      rotate={rotate}
    >
      A new secret replaces the present one. People stay signed in.
      {previous_until !== null && LAST_OVERLAP}
    </RotateSecret>
  );
}

const SHOWN = '5';

/** Why requests of the application were rejected: its own pages often do not show it. */
function Rejections({ application }: { readonly application: Application }) {
  const filters = { subject: `application:${application.id}`, type: 'application.rejected', limit: SHOWN };
  const [{ data }] = useData<readonly AuditEvent[]>(`/api/v1/events?${new URLSearchParams(filters)}`);
  if (!data?.length) return null;
  return (
    <Panel title="Rejected sign-ins" id="rejections">
      <ol class="timeline">
        {data.map(({ id, time, details }) => (
          <li key={id}>
            <span>{details?.description}</span>
            <ShortTime at={time} />
            {details?.redirect_uri && <code>{details.redirect_uri}</code>}
          </li>
        ))}
      </ol>
      <p>
        <a href={`${basePath}/docs/oidc#when-it-does-not-work`}>What to do</a>
      </p>
    </Panel>
  );
}

function DeletePanel({ record, onChange }: Section<Application>) {
  const { renderButtons, result } = useRecordActions([record], onChange);
  return (
    <Panel title="Delete this application" id="delete" body="stack tight">
      <p class="small">Nobody can sign in to it any more. Accounts stay.</p>
      <div>{renderButtons(record, [DELETE])}</div>
      {result}
    </Panel>
  );
}

const DELETE = { label: 'Delete…', class: 'danger', Dialog: DeleteDialog };

function DeleteDialog(dialog: RecordDialogProps<Application>) {
  const { name } = dialog.record;
  return (
    <ConfirmAction
      {...dialog}
      title={`Delete ${name}?`}
      verb="Delete application"
      failure="The application was not deleted"
      act={() => applications.remove(dialog)}
      done={`The application ${name} was deleted.`}
      to={applications.page}
    >
      <p>With it, you lose:</p>
      <ul class="bullets">
        <li>its tokens: people who are signed in to it are signed out at once</li>
        <li>its client id and secret: another application with this name gets others</li>
      </ul>
      <p>Accounts stay. This cannot be undone.</p>
    </ConfirmAction>
  );
}
