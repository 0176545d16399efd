/** The settings of an application. */
import { Field } from '../../common/form.tsx';
import { Tiles } from '../../common/tiles.tsx';
import { KINDS } from './record.ts';
import { TokenFields } from './token-fields.tsx';
import type { ApplicationFieldsProps } from './typed.ts';
import { UriList } from './uri-list.tsx';

const KIND_TILES = {
  web: [KINDS.web, 'Keeps a secret. PKCE, or a nonce.'],
  public: [KINDS.public, 'A page without a server, an app or a program: no secret, PKCE only.'],
} as const;

export function ApplicationFields(props: ApplicationFieldsProps) {
  const { typed, onTyped, action, isNew } = props;
  return (
    <>
      <Field
        label="Name"
        name="name"
        value={typed.name}
        onValue={(name) => onTyped({ name })}
        error={action.error}
        autocomplete="off"
        direction="auto"
        hint={`People read it: “Sign in to ${typed.name || 'Orders'}”.`}
      />
      {isNew && (
        <Tiles
          legend="Kind"
          name="kind"
          options={KIND_TILES}
          value={typed.kind}
          onValue={(kind) => onTyped({ kind })}
        />
      )}
      <Uris {...props} member="redirect_uris" />
      {!isNew && <Uris {...props} member="post_logout_redirect_uris" />}
      {!isNew && <TokenFields {...props} />}
    </>
  );
}

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

type UrisProps = ApplicationFieldsProps & { readonly member: keyof typeof URI_TEXTS };

function Uris({ typed, onTyped, action, member }: UrisProps) {
  return (
    <UriList
      {...URI_TEXTS[member]}
      kind={typed.kind}
      uris={typed[member]}
      onUris={(uris) => onTyped({ [member]: uris })}
      errors={action.error?.errors[member] ?? []}
    />
  );
}
