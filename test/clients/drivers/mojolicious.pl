use Mojolicious::Lite -signatures;
use Mojo::JSON 'decode_json';
my $settings = decode_json($ENV{SETTINGS});
my $claims = {};
plugin OAuth2 => { providers => { frontdesk => {
  key => $ENV{CLIENT_ID}, secret => $ENV{CLIENT_SECRET}, scope => 'openid email profile',
  authorize_url => "$ENV{ISSUER}/oauth/authorize", token_url => "$ENV{ISSUER}/oauth/token" } } };
get '/' => sub ($c) { $c->render(text => 'the site') };
get '/login' => sub ($c) {
  my $options = { redirect_uri => "$ENV{BASE}/login", authorize_query => $settings };
  $c->oauth2->get_token_p(frontdesk => $options)->then(sub ($data) {
    return unless $data;
    $claims = $c->ua->get("$ENV{ISSUER}/oauth/userinfo", { Authorization => "Bearer $data->{access_token}" })->res->json;
    $c->redirect_to('/claims');
  })->catch(sub ($error) { $c->render(text => "$error", status => 500) });
};
get '/claims' => sub ($c) { $c->render(json => $claims) };
app->log->level('fatal');
app->start('daemon', '-l', "http://localhost:$ENV{PORT}");
