import { PAGE_URL_RULE, parsePageUrl } from '../lib/outbound/redirect-policy.ts';
import { quoted } from '../settings/rules.ts';
import { ConfigError, type Reader } from './reader.ts';

/** Reads origins and prefixes of URLs to which the pages of links may lead. @throws ConfigError */
export function redirectUrls(read: Reader, name: string): string[] {
  return read.list(name).map((given) => {
    const url = parsePageUrl(given);
    if (url !== null && url.search === '') return url.href;
    const examples = 'https://app.example.com or https://app.example.com/welcome';
    // The text before an "@" may contain a password.
    const shown = given.includes('@') ? '' : `, not ${quoted(given)}`;
    throw new ConfigError(name, `must list URLs such as ${examples}, ${PAGE_URL_RULE}, no query${shown}`);
  });
}
