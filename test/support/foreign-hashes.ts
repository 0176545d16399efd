/** Hashes of other implementations: published ones, and others made by the library that each comment names. */

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
  // From the README of the library that Firebase has published.
  {
    service: 'Firebase',
    password: 'user1password',
    hash: '$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,sk=jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==$42xEC+ixf3L2lw==$lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==',
  },
  // By passlib 1.7.4.
  {
    service: 'passlib (PBKDF2 with SHA-256)',
    password: 'password',
    hash: '$pbkdf2-sha256$29000$rDWmtJay1jqH8P5/LyWE0A$rtk/ySWWCKeW8vkdoVILKLIa1tUI96TKLdzuHPYsQ0E',
  },
  {
    service: 'passlib (PBKDF2 with SHA-1)',
    password: 'password',
    hash: '$pbkdf2$1000$UyolZEwJ4dy7915rbU2ptQ$dxqj9dcPuftbpDMn.4Num20vY3Y',
  },
  {
    service: 'passlib (PBKDF2 with SHA-512)',
    password: 'pässwörd',
    hash: '$pbkdf2-sha512$1000$L0WolVKKcS7FGKNUSolxjg$xAq58SjHsynPDTezygwidmBzUgTRfuy6cuWouJq9ixNxcI23IZ4S3d4KKzASxYFhZ.uaf55sga8ch6MVDX4Kdg',
  },
  {
    service: 'passlib (scrypt)',
    password: 'password',
    hash: '$scrypt$ln=10,r=8,p=1$N4YwJqTUem9tbc35v5fSug$E7n5cbBfvVt5JApH9BEufYG6i3IWEbUOeIntsbDDhf0',
  },
  // From the tests of phpass.
  { service: 'WordPress', password: 'test12345', hash: '$P$9IQRaTwmfeRo7ud9Fh4E2PdI0S3r.L0' },
  // By passlib 1.7.4.
  { service: 'phpBB', password: 'password', hash: '$H$6Ke4EdH6jv64ptSif1M4/YztVOLpcq1' },
  // By crypt(3) of glibc, with passwords and salts of the specification of SHA-crypt.
  {
    service: 'SHA-256-crypt',
    password: 'Hello world!',
    hash: '$5$saltstring$5B8vYYiY.CVt1RlTTf8KbXBH3hsxY/GNooZaBBGWEc5',
  },
  {
    service: 'SHA-512-crypt with rounds',
    password: 'Hello world!',
    hash: '$6$rounds=10000$saltstringsaltst$OW1/O6BYHV6BcXZu8QVeXbDWra3Oeqh0sbHbbMCVNSnCM/UrjmM0Dp8vOuZeHBy/YTBmSK6H9qs/y3RnOaw5v.',
  },
  // By Django 5.2.
  {
    service: 'Django (PBKDF2 with SHA-256)',
    password: 'lètmein',
    hash: 'pbkdf2_sha256$1000$seasalt$JgZryXe2Ga8ysg6XbzkLpTdyPQrHqsinbL9BnnhgX4A=',
  },
  {
    service: 'Django (PBKDF2 with SHA-1)',
    password: 'lètmein',
    hash: 'pbkdf2_sha1$1000$seasalt$ljleU4wBmTtz/MoG5YTwxpM0d7I=',
  },
  {
    service: 'Django (scrypt)',
    password: 'lètmein',
    hash: 'scrypt$1024$seasalt$8$5$ozpUt/qDR/QLBzi9csaWJofO252yHC+Oxl5cycNUQkna/BBjumDq5KMXPAq1Xi3sxxGWxqtAlQmEE+DSWNl+FQ==',
  },
  // The digest of the password by node:crypto, as Django does it, and its hash by bcryptjs.
  {
    service: 'Django (bcrypt of SHA-256)',
    password: 'lètmein',
    hash: 'bcrypt_sha256$$2b$04$nRyNs6Ty8kZLpMWyQAvTnerL2kfInOJVuxL6AfgqpLemRkevaAs4C',
  },
  // The example of argon2 above, as Django stores it.
  {
    service: 'Django (argon2)',
    password: 'password',
    hash: 'argon2$argon2i$v=19$m=65536,t=2,p=4$c29tZXNhbHQ$RdescudvJCsgt3ub+b+dWRWJTmaaJObG',
  },
] as const;
