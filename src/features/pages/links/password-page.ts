/** What the page of a link shows that sets a password or claims an account. */
import type { UserRow } from '../../users/records/queries.ts';
import type { HostedPage, PageContext } from '../hosted/page.ts';
import { createForm } from '../hosted/page-forms.ts';

export type PasswordKind = 'reset_password' | 'claim_account';

/**
 * A rejected password is not shown again. `other`: who would be signed out; without `hasPassword`, the form claims the
 * account.
 */
export function toPasswordPage(
  context: PageContext,
  kind: PasswordKind,
  shown: {
    readonly username: string;
    readonly other?: { readonly userId: string; readonly user: Pick<UserRow, 'email'> } | undefined;
    readonly hasPassword?: boolean;
  },
): HostedPage {
  const { username, other, hasPassword = true } = shown;
  const { text } = context.texts;
  const fields = hasPassword ? (['password'] as const) : [];
  const form = { path: null, fields, isMain: true, ...(hasPassword && { username }) };
  const about = hasPassword ? null : username;
  const title = text(`page.${kind}.title`);
  const paragraphs = [text(hasPassword ? `page.${kind}.text` : 'page.claim_account.without_password')];
  if (other === undefined) {
    const label = text(hasPassword ? 'page.password.action' : 'page.claim_account.action');
    return { title, about, paragraphs, forms: [createForm(context, { ...form, label })] };
  }
  const email = other.user.email ?? '';
  const label = text('page.password.other_action', { email });
  return {
    ...{ title, about },
    paragraphs: [...paragraphs, text('page.password.other', { email, username })],
    forms: [createForm(context, { ...form, label, hidden: [['ends', other.userId]] })],
    links: [{ href: context.toUrl('/account'), label: text('page.password.stay', { email }) }],
  };
}
