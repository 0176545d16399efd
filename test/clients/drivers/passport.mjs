import express from 'express';
import session from 'express-session';
import passport from 'passport';
import {
  CLIENT_ID,
  CLIENT_SECRET,
  endpoint,
  ISSUER,
  PORT,
  REDIRECT_URI,
  readUserinfo,
  scope,
  settings,
} from './lines.mjs';

const [, , library] = process.argv;
const { Strategy } = await import(library).then((module) => module.default ?? module);
const options = {
  ...{ clientID: CLIENT_ID, clientSecret: CLIENT_SECRET, callbackURL: REDIRECT_URI, scope: scope.split(' ') },
  ...{ issuer: ISSUER, authorizationURL: endpoint('authorize'), tokenURL: endpoint('token') },
  ...{ userInfoURL: endpoint('userinfo'), ...settings },
};
const verify =
  library === 'passport-openidconnect'
    ? (_issuer, profile, done) => done(null, { sub: profile.id, email: profile.emails?.[0]?.value })
    : (token, _refresh, _profile, done) => readUserinfo(token).then((claims) => done(null, claims), done);
passport.use('frontdesk', new Strategy(options, verify));
passport.serializeUser((user, done) => done(null, user));
passport.deserializeUser((user, done) => done(null, user));

const app = express();
app.use(session({ secret: 'the secret of a test', resave: false, saveUninitialized: true }));
app.use(passport.session());
app.get('/', (_request, response) => response.send('the site'));
app.get('/login', passport.authenticate('frontdesk'));
app.get('/callback', passport.authenticate('frontdesk', { failWithError: true }), (_request, response) =>
  response.redirect('/claims'),
);
app.get('/claims', (request, response) => response.json(request.user ?? {}));
app.listen(PORT);
