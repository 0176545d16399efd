#!/bin/sh
# Apache with mod_auth_openidc. Its page shows claims by server-side includes.
set -e
site="$DIRECTORY/apache-$PORT"
mkdir -p "$site/www"
echo '{"sub":"<!--#echo var="OIDC_CLAIM_sub" -->","email":"<!--#echo var="OIDC_CLAIM_email" -->"}' > "$site/www/claims.shtml"
echo 'the site' > "$site/www/index.html"
chmod -R a+rX "$site"
modules=/usr/lib/apache2/modules
{
  for name in mpm_event authn_core authz_core authz_user mime include alias dir auth_openidc; do
    echo "LoadModule ${name}_module $modules/mod_$name.so"
  done
  cat <<CONF
ServerName localhost
Listen 127.0.0.1:$PORT
PidFile $site/pid
ErrorLog $site/error.log
DocumentRoot $site/www
User www-data
Group www-data
DirectoryIndex index.html
TypesConfig /dev/null
Alias /login $site/www/claims.shtml
Alias /claims $site/www/claims.shtml
OIDCProviderMetadataURL $ISSUER/.well-known/openid-configuration
OIDCClientID $CLIENT_ID
OIDCClientSecret $CLIENT_SECRET
OIDCRedirectURI $REDIRECT_URI
OIDCCryptoPassphrase passphrase
OIDCCABundlePath $SSL_CERT_FILE
OIDCScope "openid email profile"
<LocationMatch "^/(login|claims|callback)">
  AuthType openid-connect
  Require valid-user
</LocationMatch>
<Directory $site/www>
  Options +Includes
  AddType text/html .shtml
  AddOutputFilter INCLUDES .shtml
  Require all granted
</Directory>
CONF
} > "$site/apache.conf"
exec /usr/sbin/apache2 -f "$site/apache.conf" -DFOREGROUND
