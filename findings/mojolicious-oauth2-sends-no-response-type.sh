#!/bin/sh
# Mojolicious::Plugin::OAuth2 sends no response_type, also if it has read the endpoint from the provider's discovery document,
# in which nobody can write one. Its own providers have it in their URLs; for others, each get_token_p needs authorize_query.
# Expected: response_type=code, which is required (RFC 6749 section 4.1.1), as the plugin knows no other flow.
# Needs Debian 12's libmojolicious-plugin-oauth2-perl and libmojo-jwt-perl.
set -eu
fail() { echo "$*" >&2; exit 1; }
for package in libmojolicious-plugin-oauth2-perl:2.02 libmojolicious-perl:9.31 libmojo-jwt-perl:0.09; do
  version=$(dpkg-query -W -f '${Version}' "${package%%:*}" 2>/dev/null) || fail "${package%%:*} is not installed"
  case "$version" in "${package##*:}"*) echo "${package%%:*} $version" ;; *) fail "unexpected: ${package%%:*} $version" ;; esac
done
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
cat > check.pl <<'END'
use Mojolicious::Lite -signatures;
app->log->level('fatal');
get '/configuration' => sub ($c) {
  $c->render(json => {
    issuer                 => 'https://op.example',
    authorization_endpoint => 'https://op.example/authorize',
    token_endpoint         => 'https://op.example/token',
    jwks_uri               => $c->url_for('/keys')->to_abs,
  });
};
get '/keys' => sub ($c) { $c->render(json => { keys => [] }) };
plugin OAuth2 => {
  found   => { key => 'portal', secret => 's', well_known_url => '/configuration' },
  written => { key => 'portal', secret => 's', authorize_url  => 'https://op.example/authorize' },
};
get '/login/:provider' => sub ($c) {
  my $query = $c->param('query') ? { authorize_query => { response_type => 'code' } } : {};
  $c->oauth2->get_token_p($c->param('provider'), { redirect_uri => 'https://app.example/login', %$query });
};
my $ua = Mojo::UserAgent->new;
$ua->server->app(app);
for my $path ('found', 'written', 'written?query=1') {
  my $url = Mojo::URL->new($ua->get("/login/$path")->res->headers->location);
  print "$path: ", join(' ', sort @{ $url->query->names }), "\n";
}
END
/usr/bin/perl check.pl > seen 2>/dev/null
cat seen
cat > expected <<'END'
found: client_id redirect_uri scope
written: client_id redirect_uri
written?query=1: client_id redirect_uri response_type
END
diff expected seen && echo 'as expected'
