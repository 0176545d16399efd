require 'json'
require 'oauth2'
require 'uri'

settings = JSON.parse(ENV['SETTINGS'], symbolize_names: true)
client = OAuth2::Client.new(ENV['CLIENT_ID'], ENV['CLIENT_SECRET'], site: ENV['ISSUER'])
$stdout.sync = true
redirect_uri = ENV['REDIRECT_URI']
puts client.auth_code.authorize_url(redirect_uri: redirect_uri, scope: 'openid email profile', **settings)
code = URI.decode_www_form(URI($stdin.gets.strip).query).to_h['code']
token = client.auth_code.get_token(code, redirect_uri: redirect_uri)
puts JSON.generate(token.get('/oauth/userinfo').parsed)
puts ''
