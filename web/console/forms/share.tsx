/** How people reach a form: its page, inside pages of the operator. */
import { basePath } from '../../common/api.ts';
import type { Form } from '../../common/api-types.ts';
import { CodeBlock } from '../../common/code-block.tsx';
import { Panel } from '../../common/components.tsx';
import { Icon } from '../../common/icon.tsx';
import { Link } from '../../common/router.tsx';
import { linkToForm } from './record.tsx';
import { createEmbedSnippet, createPageSnippet } from './snippets.ts';

export function Share({ form }: { readonly form: Form }) {
  const address = `${location.origin}${basePath}/f/${form.id}`;
  const notice = findNotice(form);
  return (
    <>
      {notice && (
        <p class="notice">
          <span>
            {notice} <Link to={linkToForm(form.id, 'settings')}>Settings</Link>
          </span>
        </p>
      )}
      {form.access === 'public' &&
        listWays(form, address).map(({ id, title, text, code }) => (
          <Panel
            key={id}
            title={title}
            id={id}
            beside={id === 'page' && form.state !== 'draft' && <OpenLink address={address} />}
            body="stack tight"
          >
            <p class="small">{text}</p>
            <CodeBlock label={title} text={code} wraps={id === 'page'} />
          </Panel>
        ))}
    </>
  );
}

/** Returns what has to be done before. */
function findNotice({ access, state, allowed_origins }: Form): string | null {
  if (access === 'token') return 'Your application sends this form over the API, with the token of a user.';
  if (state === 'draft') return 'Nobody can open this form until it is published.';
  if (state === 'closed') return 'The form is closed: it accepts no submissions.';
  return allowed_origins.length === 0 ? 'No page of yours may embed the form or post to it yet.' : null;
}

const listWays = (form: Form, address: string) => [
  {
    id: 'page',
    title: 'Its own page',
    text: 'Send the address to people, or link to it. The page works without JavaScript.',
    code: address,
  },
  {
    id: 'embed',
    title: 'Inside a page of yours',
    text: 'A frame that is as high as the form: put it where the form should be.',
    code: createEmbedSnippet(form, address),
  },
  {
    id: 'own-page',
    title: 'HTML of your own',
    text: 'Names of inputs are labels of fields. After errors, people see the page of the form with what they have typed.',
    code: createPageSnippet(form, address),
  },
];

function OpenLink({ address }: { readonly address: string }) {
  return (
    <a class="button compact end" href={address} target="_blank" rel="noreferrer">
      <Icon name="open" />
      Open the page
    </a>
  );
}
