/** Published hashes of other implementations. */

export const FOREIGN_HASHES = [
  // The example of password_verify in the manual of PHP, whose hashes Laravel uses.
  {
    service: 'Laravel',
    password: 'rasmuslerdorf',
    hash: '$2y$07$BCryptRequires22Chrcte/VlQH0piJtjXl.0t1XkA8pw9dMXTpOq',
  },
  // From the tests of golang.org/x/crypto/bcrypt, which both use.
  {
    service: 'Supabase and PocketBase',
    password: 'allmine',
    hash: '$2a$10$XajjQvNhvvRt5GSeFk1xFeyqRrsxkhBkUiQeg0dt.wU1qD4aFDcga',
  },
  // The example in the README of the reference implementation of argon2.
  {
    service: 'argon2i',
    password: 'password',
    hash: '$argon2i$v=19$m=65536,t=2,p=4$c29tZXNhbHQ$RdescudvJCsgt3ub+b+dWRWJTmaaJObG',
  },
  // Made by the function of better-auth: scrypt of the NFKC form with the hexadecimal text of the salt.
  {
    service: 'better-auth',
    password: '\uFB01ne pass\uFF57ord',
    hash: '8f14e45fceea167a5a36dedd4bea2543:bd4e1200adcd81aee34e359c5bbe1c24562a196ac8af13f960a15a6c6f20b78b3db85a3570494efe2719313565879e02d7dc1afc38e3080239e03dc8528bff43',
  },
] as const;
