use strict; use warnings;
use JSON::PP; use Net::OAuth2::Profile::WebServer; use URI;
$| = 1;
my $settings = decode_json($ENV{SETTINGS});
my $client = Net::OAuth2::Profile::WebServer->new(name => 'Frontdesk', site => $ENV{ISSUER},
  client_id => $ENV{CLIENT_ID}, client_secret => $ENV{CLIENT_SECRET}, redirect_uri => $ENV{REDIRECT_URI},
  authorize_path => '/oauth/authorize', access_token_path => '/oauth/token', scope => 'openid email profile');
print $client->authorize(%$settings), "\n";
my %callback = URI->new(scalar(<STDIN>) =~ s/\s+$//r)->query_form;
my $token = $client->get_access_token($callback{code});
print encode_json(decode_json($token->get('/oauth/userinfo')->decoded_content)), "\n\n";
