import { ConfigError, quoted, type Reader } from './reader.ts';
import { publicUrl } from './urls.ts';

const MAX_AUDIENCES = 50;
const MAX_LENGTH = 255;

/** Reads the services for which JSON Web Tokens are issued, by the values of their claim `aud`. @throws ConfigError */
export function jwtAudiences(read: Reader, name: string): string[] {
  const audiences = read.list(name);
  const wrong = audiences.find((audience) => !isAudience(audience));
  if (wrong !== undefined)
    throw new ConfigError(
      name,
      `must list names or URLs of at most ${MAX_LENGTH} visible ASCII characters, such as orders or https://orders.example.com, not ${quoted(wrong)}`,
    );
  if (new Set(audiences).size < audiences.length) throw new ConfigError(name, 'must list each audience once');
  if (audiences.length > MAX_AUDIENCES)
    throw new ConfigError(name, `must list at most ${MAX_AUDIENCES} audiences`);
  if (audiences.length > 0 && publicUrl(read, 'PUBLIC_URL') === '')
    throw new ConfigError('PUBLIC_URL', `is required with ${name}, because it is the issuer of the tokens`);
  return audiences;
}

/** A text with a colon is a URI (StringOrURI, RFC 7519 section 2). */
function isAudience(text: string): boolean {
  if (!/^[\x21-\x7e]+$/.test(text) || text.length > MAX_LENGTH) return false;
  return !text.includes(':') || URL.canParse(text);
}
