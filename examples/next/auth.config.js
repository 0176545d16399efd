/** Settings of Auth.js for people who sign in with Frontdesk. */

// #region config
export const config = {
  providers: [
    {
      id: 'frontdesk',
      name: 'Frontdesk',
      type: 'oidc',
      issuer: process.env.AUTH_FRONTDESK_ISSUER,
      clientId: process.env.AUTH_FRONTDESK_ID,
      clientSecret: process.env.AUTH_FRONTDESK_SECRET,
      checks: ['pkce', 'state'],
    },
  ],
  callbacks: {
    // Auth.js makes a new id with each sign-in; `sub` is the id of the person, which never changes.
    jwt: ({ token, profile }) => (profile ? { ...token, sub: profile.sub } : token),
    session: ({ session, token }) => ({ ...session, user: { ...session.user, id: token.sub } }),
  },
};
// #endregion
