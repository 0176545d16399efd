/** One application. */
import { useState } from 'preact/hooks';
import type { Application } from '../../common/api-types.ts';
import { Failure } from '../../common/components.tsx';
import { ActionForm, Submit } from '../../common/form.tsx';
import { PageHead, Panel } from '../../common/panel.tsx';
import { ShortTime } from '../../common/time.tsx';
import { useAction } from '../../common/use-action.ts';
import { Fact } from '../records/facts.tsx';
import { BackLink, isNotFound, MissingRecord, type RecordList } from '../records/record-page.tsx';
import { may } from '../permissions.ts';
import { useView } from '../session.ts';
import { announce } from '../status.tsx';
import { orReload } from '../user/user-section.ts';
import { ApplicationFields } from './form.tsx';
import { APPLICATIONS, type ApplicationSection, applicationPath, changeApplication, KINDS } from './record.ts';
import { SecretPanel } from './secret.tsx';
import { DeleteApplication } from './delete-application.tsx';
import { ProgramFacts, ProgramSnippets, useMetadata } from './program.tsx';
import { Rejections } from './rejections.tsx';
import { FIELDS, toBody, toTyped, useTyped } from './typed.ts';

const LIST: RecordList = { name: 'applications', to: APPLICATIONS };

export function ApplicationView({ id }: { readonly id: string }) {
  const [revision, setRevision] = useState(0);
  const [loaded, retry] = useView<{ data: Application }>(applicationPath({ id }), revision);
  const metadata = useMetadata();
  const application = loaded.data?.data;
  if (application === undefined || isNotFound(loaded))
    return <MissingRecord noun="application" list={LIST} loaded={loaded} retry={retry} />;
  const section = { application, onChange: () => setRevision((count) => count + 1) };
  const program = { application, metadata };
  return (
    <>
      {loaded.state === 'failed' && (
        <Failure what="The application could not be loaded" error={loaded.error} retry={retry} />
      )}
      <PageHead
        title={application.name}
        heading={<bdi>{application.name}</bdi>}
        back={<BackLink {...LIST} />}
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
          {may('applications:write') && <DeleteApplication {...section} />}
        </div>
        <div class="stack">
          <ProgramFacts {...program} />
        </div>
      </div>
    </>
  );
}

function Settings({ application, onChange }: ApplicationSection) {
  const [typed, change] = useTyped(application);
  const action = useAction();
  const save = async () => {
    change(toTyped(await orReload(changeApplication(application, toBody(typed)), onChange)));
    announce(`The application ${typed.name} was saved.`);
    onChange();
  };
  return (
    <Panel title="Settings" id="settings">
      <div class="body">
        <ActionForm action={action} onSubmit={save} failure="The application was not saved" fields={FIELDS}>
          <ApplicationFields typed={typed} onTyped={change} action={action} isNew={false} />
          <div class="row">
            <Submit action={action}>Save application</Submit>
            <button type="button" class="plain" onClick={() => change(toTyped(application))}>
              Discard
            </button>
          </div>
        </ActionForm>
      </div>
    </Panel>
  );
}

function ReadOnly({ application }: { readonly application: Application }) {
  const { redirect_uris, post_logout_redirect_uris, scopes, token_lifetime_days, jwt_audiences } =
    application;
  return (
    <Panel title="Settings" id="settings">
      <dl class="facts addresses">
        <Fact name="Redirect URIs">{redirect_uris.join(', ')}</Fact>
        <Fact name="URIs after signing out">{post_logout_redirect_uris.join(', ') || 'none'}</Fact>
        <Fact name="Scopes">{scopes.join(', ') || 'none'}</Fact>
        <Fact name="Days until its tokens expire">{token_lifetime_days ?? 'as those of a login'}</Fact>
        <Fact name="Audiences of its JSON Web Tokens">{jwt_audiences.join(', ') || 'none'}</Fact>
      </dl>
    </Panel>
  );
}
