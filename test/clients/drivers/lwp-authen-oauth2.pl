use strict; use warnings;
use JSON::PP; use LWP::Authen::OAuth2; use URI;
$| = 1;
my $settings = decode_json($ENV{SETTINGS});
my $strict = delete $settings->{strict} // {};
my $client = LWP::Authen::OAuth2->new(%$strict, client_id => $ENV{CLIENT_ID}, client_secret => $ENV{CLIENT_SECRET},
  redirect_uri => $ENV{REDIRECT_URI}, scope => 'openid email profile',
  authorization_endpoint => "$ENV{ISSUER}/oauth/authorize", token_endpoint => "$ENV{ISSUER}/oauth/token");
print $client->authorization_url(%$settings), "\n";
my %callback = URI->new(scalar(<STDIN>) =~ s/\s+$//r)->query_form;
$client->request_tokens(code => $callback{code});
print encode_json(decode_json($client->get("$ENV{ISSUER}/oauth/userinfo")->decoded_content)), "\n\n";
