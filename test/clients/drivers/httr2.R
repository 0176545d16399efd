suppressMessages(library(httr2))
# curl of R has a set of certificates of its own: what R itself sends goes by plain HTTP.
endpoint <- function(name, of = "HTTP_ISSUER") paste0(Sys.getenv(of), "/oauth/", name)
client <- oauth_client(Sys.getenv("CLIENT_ID"), endpoint("token"), secret = Sys.getenv("CLIENT_SECRET"))
pkce <- oauth_flow_auth_code_pkce()
state <- "a-state"
cat(oauth_flow_auth_code_url(client, endpoint("authorize", "ISSUER"), redirect_uri = Sys.getenv("REDIRECT_URI"),
  scope = "openid email profile", state = state,
  auth_params = list(code_challenge = pkce$challenge, code_challenge_method = pkce$method)), "\n", sep = "")
callback <- url_parse(readLines(file("stdin"), n = 1))
code <- oauth_flow_auth_code_parse(callback$query, state)
token <- httr2:::oauth_client_get_token(client, grant_type = "authorization_code", code = code,
  code_verifier = pkce$verifier, redirect_uri = Sys.getenv("REDIRECT_URI"))
response <- req_perform(req_auth_bearer_token(request(endpoint("userinfo")), token$access_token))
cat(jsonlite::toJSON(resp_body_json(response), auto_unbox = TRUE), "\n\n", sep = "")
