/** The page for somebody who may not use an application. */
import type { HostedPage, PageContext } from '../pages/hosted/page.ts';

/** Returns the page, which leads to the sign-in with another account. */
export function toDeniedPage(
  { texts: { text } }: PageContext,
  { application, signInUrl }: Readonly<Record<'application' | 'signInUrl', string>>,
) {
  return {
    tone: 'lock',
    title: text('page.authorize.denied.title', { application }),
    paragraphs: [text('page.authorize.denied.text', { application })],
    links: [{ href: signInUrl, label: text('page.authorize.denied.other') }],
  } satisfies HostedPage;
}
