/** How people sign in: the hosted pages, and identity providers. */
import { useState } from 'preact/hooks';
import { basePath } from '../../common/api.ts';
import type { IdentityProvider, SettingList } from '../../common/api-types.ts';
import { CodeBlock } from '../../common/code-block.tsx';
import { LoadState, PageHead, Panel } from '../../common/components.tsx';
import { CloseButton } from '../../common/dialog.tsx';
import { Icon } from '../../common/icon.tsx';
import { CreateRecord } from '../records/create-record.tsx';
import { type Column, RecordList, usePages } from '../records/record-list.tsx';
import { may, useData } from '../session.ts';
import { createChangeSetting } from '../settings/change-setting.ts';
import { SettingTable } from '../settings/setting-table.tsx';
import { ProviderChecks, ProviderDetail, providers } from './detail.tsx';
import { PROVIDER_FORM } from './form.tsx';

/** What the operator switches. */
const SWITCHES: readonly string[] = [
  'HOSTED_PAGES',
  'PASSWORD_SIGN_IN',
  'EMAIL_CODE_SIGN_IN',
  'REGISTRATION',
  'REQUIRE_VERIFIED_EMAIL',
];

const COLUMNS: readonly Column<IdentityProvider>[] = [
  { title: 'Name', isMain: true, render: ({ name }) => <bdi>{name}</bdi> },
  {
    title: 'Issuer',
    class: 'grow',
    getHint: ({ issuer }) => issuer,
    render: ({ issuer }) => <code>{issuer.replace(/^https:\/\//, '')}</code>,
  },
  {
    title: 'Emails',
    class: 'wide',
    render: ({ trust_email }) =>
      trust_email ? <span class="badge warn">All trusted</span> : 'If the provider says verified',
  },
  {
    title: 'State',
    class: 'state-cell',
    render: ({ enabled }) => <span class={`badge ${enabled ? 'usual' : ''}`}>{enabled ? 'On' : 'Off'}</span>,
  },
];

export function SignInWays() {
  const pages = usePages<IdentityProvider>(providers.path);
  return (
    <>
      <PageHead title="Sign-in" context="How people sign in on the pages of this service.">
        <div class="row">
          <a class="button" href={`${basePath}/sign-in`} target="_blank" rel="noreferrer">
            <Icon name="open" />
            Open the page
          </a>
          <AddProvider onAdded={pages.reload} />
        </div>
      </PageHead>
      {may('settings:read') && <Switches />}
      <Panel
        title="Identity providers"
        id="providers"
        beside={<p class="context">In the order of the page</p>}
      >
        <RecordList
          nouns={['identity provider', 'identity providers']}
          pages={pages}
          columns={COLUMNS}
          isInPanel
          detail={(provider) => <ProviderDetail record={provider} onChange={pages.reload} />}
          empty="There are no identity providers yet. Add one, such as Google or your own Keycloak, and people can sign in with their account there."
        />
      </Panel>
    </>
  );
}

function Switches() {
  const [revision, setRevision] = useState(0);
  const [loaded, again] = useData<SettingList>('/api/v1/admin/settings', revision);
  const members = loaded.data?.settings.filter(({ name }) => SWITCHES.includes(name));
  const change = createChangeSetting(() => setRevision((count) => count + 1));
  if (members === undefined) return <LoadState loaded={loaded} what="the settings" retry={again} />;
  return <SettingTable group={{ id: 'switches', title: 'Pages and accounts', members }} change={change} />;
}

function AddProvider({ onAdded }: { readonly onAdded: () => void }) {
  return (
    <CreateRecord
      verb="Add provider"
      records={providers}
      form={PROVIDER_FORM}
      failure="The provider was not added"
      getTitle={({ name }: IdentityProvider) => `${name} was added`}
      result={(provider, onClose) => (
        <>
          <p>Register this redirect URI at the provider. Until then, it sends nobody back.</p>
          <CodeBlock label="Redirect URI" text={provider.redirect_uri} wraps />
          <ProviderChecks provider={provider} isImmediate />
          <CloseButton onClose={onClose} />
        </>
      )}
      canEscape={() => true}
      onCreated={onAdded}
      getMessage={({ name }) => `The identity provider ${name} was added.`}
    />
  );
}
