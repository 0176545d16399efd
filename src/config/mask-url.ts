/** Masks the secrets of a URL that is a setting. */

const MASK = '***';
/** All others are masked, because drivers read passwords and keys from parameters as well. */
const SHOWN_PARAMETERS = ['host', 'port', 'user', 'sslmode', 'uselibpqcompat', 'application_name', 'tls'];

/** Returns the URL without its password and fragment, and without parameters that may be secret; null if it is none. */
export function maskUrl(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  // Some mail services use one secret for both.
  if (url.username !== '' && decoded(url.username) === decoded(url.password)) url.username = MASK;
  if (url.password !== '') url.password = MASK;
  url.hash = '';
  for (const name of [...url.searchParams.keys()])
    if (!SHOWN_PARAMETERS.includes(name)) url.searchParams.set(name, MASK);
  return url.href;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
