/** The settings of an application. */
import type { Application } from '../../common/api-types.ts';
import { FieldGroup } from '../../common/form.tsx';
import { CheckList, type FormField, type RecordForm, type SetTyped } from '../records/record-form.tsx';
import { KINDS } from './record.ts';
import { UriList } from './uri-list.tsx';
import { type AllowedGroups, WhoMaySignIn } from './who-may-sign-in.tsx';

/** An application as it is typed. */
interface TypedApplication
  extends Pick<
    Application,
    'name' | 'kind' | 'id_token_alg' | 'require_pkce' | 'device' | 'refresh' | 'refresh_ends_with_session'
  > {
  readonly allowed_groups: AllowedGroups;
  readonly redirect_uris: readonly string[];
  readonly post_logout_redirect_uris: readonly string[];
  readonly scopes: readonly string[];
  readonly token_lifetime_days: string;
  /** Separated by commas. */
  readonly jwt_audiences: string;
  readonly access_token_minutes: string;
  readonly refresh_idle_days: string;
  readonly refresh_days: string;
}

const NEW: TypedApplication = {
  name: '',
  kind: 'web',
  allowed_groups: null,
  redirect_uris: [''],
  post_logout_redirect_uris: [],
  scopes: ['self:read'],
  token_lifetime_days: '',
  jwt_audiences: '',
  id_token_alg: 'RS256',
  require_pkce: false,
  refresh: false,
  access_token_minutes: '60',
  refresh_idle_days: '30',
  refresh_days: '180',
  refresh_ends_with_session: false,
  device: false,
};

export const APPLICATION_FORM: RecordForm<Application, TypedApplication> = {
  toTyped: (application) =>
    application === null
      ? NEW
      : {
          ...application,
          jwt_audiences: application.jwt_audiences.join(', '),
          token_lifetime_days: `${application.token_lifetime_days ?? ''}`,
          access_token_minutes: `${application.access_token_minutes}`,
          refresh_idle_days: `${application.refresh_idle_days}`,
          refresh_days: `${application.refresh_days}`,
        },
  toBody,
  getFields: (typed, set, application) => [
    {
      name: 'name',
      label: 'Name',
      direction: 'auto',
      hint: `People read it: “Sign in to ${typed.name || 'Orders'}”.`,
    },
    ...(application === null ? [KIND] : []),
    createUriField('redirect_uris', typed, set),
    ...(application === null
      ? []
      : [
          createUriField('post_logout_redirect_uris', typed, set),
          createGroupField(typed, set, application),
          ...listTokenFields(typed, set),
          {
            name: 'refresh',
            check: 'Let programs stay signed in with refresh tokens (offline_access)',
          } as const,
          ...(typed.refresh ? REFRESH_FIELDS : []),
        ]),
  ],
};

const KIND: FormField<TypedApplication> = {
  name: 'kind',
  label: 'Kind',
  tiles: {
    web: [KINDS.web, 'Keeps a secret. PKCE, or a nonce.'],
    public: [KINDS.public, 'A page without a server, an app or a program: no secret, PKCE only.'],
  },
};

const URI_TEXTS = {
  redirect_uris: {
    label: 'Redirect URIs',
    hint: 'Where people return to after they have signed in. Compared character by character; patterns such as * are not possible.',
  },
  post_logout_redirect_uris: {
    label: 'URIs after signing out',
    hint: 'Where people may return to after they have signed out.',
  },
} as const;

function createUriField(
  name: keyof typeof URI_TEXTS,
  typed: TypedApplication,
  set: SetTyped<TypedApplication>,
): FormField<TypedApplication> {
  const onUris = (uris: readonly string[]) => set({ [name]: uris });
  const list = { ...URI_TEXTS[name], kind: typed.kind, uris: typed[name], onUris };
  return { name, render: (errors) => <UriList key={name} {...list} errors={errors} /> };
}

function createGroupField(
  { allowed_groups: allowed }: TypedApplication,
  set: SetTyped<TypedApplication>,
  { allowed_groups: before }: Application,
): FormField<TypedApplication> {
  const onAllowed = (chosen: AllowedGroups) => set({ allowed_groups: chosen });
  const name = 'allowed_groups';
  return {
    name,
    render: (errors) => <WhoMaySignIn key={name} {...{ before, allowed, onAllowed, errors }} />,
  };
}

/** What its tokens permit, when they expire, and how its ID tokens and JSON Web Tokens are made. */
function listTokenFields(
  { scopes, kind }: TypedApplication,
  set: SetTyped<TypedApplication>,
): readonly FormField<TypedApplication>[] {
  const onScopes = (chosen: readonly string[]) => set({ scopes: chosen });
  return [
    {
      name: 'scopes',
      render: (errors) => (
        <FieldGroup legend="What its tokens permit in the API of this service" errors={errors}>
          <CheckList options={SCOPES} chosen={scopes} onChosen={onScopes} />
        </FieldGroup>
      ),
    },
    {
      name: 'token_lifetime_days',
      label: 'Days until its tokens expire (optional)',
      hint: 'Empty: as long as the tokens of a sign-in. They end with the session of the browser at the latest.',
    },
    {
      name: 'jwt_audiences',
      label: 'Audiences of its JSON Web Tokens (optional)',
      hint: 'Names of JWT_AUDIENCES, separated by commas. Empty: it gets no JSON Web Tokens.',
    },
    {
      name: 'id_token_alg',
      label: 'Signature of ID tokens',
      options: [
        ['RS256', 'RS256: every client knows it'],
        ['ES256', 'ES256: shorter, if the client accepts it'],
      ],
    },
    ...(kind === 'public' ? [] : [REQUIRE_PKCE]),
    DEVICE,
  ];
}

/** How long a program stays signed in. */
const REFRESH_FIELDS: readonly FormField<TypedApplication>[] = [
  { name: 'access_token_minutes', label: 'Minutes until an access token expires' },
  { name: 'refresh_idle_days', label: 'Days without use until a program is signed out' },
  { name: 'refresh_days', label: 'Days until a program is signed out in any case' },
  { name: 'refresh_ends_with_session', check: 'Sign programs out when the person signs out of the browser' },
];

const REQUIRE_PKCE: FormField<TypedApplication> = {
  name: 'require_pkce',
  check: 'Reject sign-ins without PKCE, even if they have a nonce',
};

const DEVICE: FormField<TypedApplication> = {
  name: 'device',
  check: 'Let programs without a browser sign in by a code that people confirm on another device',
};

/** Lines that were left empty are no URIs, and texts between commas no audiences. */
function toBody(typed: TypedApplication, application: Application | null) {
  const { name, kind, scopes, token_lifetime_days: days, id_token_alg, require_pkce, device } = typed;
  const { refresh, refresh_ends_with_session } = typed;
  const toList = (lines: readonly string[]) => lines.map((line) => line.trim()).filter((line) => line !== '');
  return {
    ...{ name, scopes, id_token_alg, require_pkce, device },
    ...(application === null && { kind }),
    ...(application !== null && { allowed_groups: typed.allowed_groups }),
    redirect_uris: toList(typed.redirect_uris),
    post_logout_redirect_uris: toList(typed.post_logout_redirect_uris),
    jwt_audiences: toList(typed.jwt_audiences.split(',')),
    token_lifetime_days: days.trim() === '' ? null : Number(days),
    ...{ refresh, refresh_ends_with_session },
    access_token_minutes: Number(typed.access_token_minutes),
    refresh_idle_days: Number(typed.refresh_idle_days),
    refresh_days: Number(typed.refresh_days),
  };
}

const SCOPES = ['self:read', 'self:write', 'tokens:manage'].map(
  (scope) => [scope, <code key={scope}>{scope}</code>] as const,
);
