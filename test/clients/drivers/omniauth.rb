require 'json'
require 'rack'
require 'rack/handler/webrick'
require 'omniauth_openid_connect'

settings = JSON.parse(ENV['SETTINGS'], symbolize_names: true)
OmniAuth.config.allowed_request_methods = %i[get post]
OmniAuth.config.silence_get_warning = true
OmniAuth.config.on_failure = proc { |env| [401, {}, [env['omniauth.error'].inspect + env['omniauth.error.type'].to_s]] }
claims = {}
app = Rack::Builder.new do
  use Rack::Session::Cookie, secret: 's' * 64
  use OmniAuth::Builder do
    provider :openid_connect, {
      name: :frontdesk, issuer: ENV['ISSUER'], discovery: true, scope: %i[openid email profile],
      client_options: { identifier: ENV['CLIENT_ID'], secret: ENV['CLIENT_SECRET'], redirect_uri: ENV['REDIRECT_URI'] },
      post_logout_redirect_uri: ENV['BASE'] + '/'
    }.merge(settings)
  end
  run(lambda do |env|
    case env['PATH_INFO']
    when '/auth/frontdesk/callback'
      auth = env['omniauth.auth']
      claims = { sub: auth.uid, email: auth.info.email }
      [302, { 'Location' => '/claims' }, []]
    when '/claims' then [200, {}, [JSON.generate(claims)]]
    else [200, {}, ['the site']]
    end
  end)
end
Rack::Handler::WEBrick.run(app, Host: 'localhost', Port: ENV['PORT'].to_i, Logger: WEBrick::Log.new(File::NULL), AccessLog: [])
