package com.example.app

import android.content.Intent
import android.net.Uri
import net.openid.appauth.AuthorizationException
import net.openid.appauth.AuthorizationRequest
import net.openid.appauth.AuthorizationResponse
import net.openid.appauth.AuthorizationService
import net.openid.appauth.AuthorizationServiceConfiguration
import net.openid.appauth.ResponseTypeValues
import net.openid.appauth.TokenResponse

// #region sign-in
val ISSUER: Uri = Uri.parse("https://accounts.example.com")
val REDIRECT_URI: Uri = Uri.parse("com.example.app:/callback")
const val CLIENT_ID = "the id of the application"

/** Reads the configuration of Frontdesk, and passes on the intent that opens its pages. */
fun startSignIn(service: AuthorizationService, launch: (Intent) -> Unit) =
    AuthorizationServiceConfiguration.fetchFromIssuer(ISSUER) { configuration, error ->
        if (configuration == null) throw error!!
        val request = AuthorizationRequest
            .Builder(configuration, CLIENT_ID, ResponseTypeValues.CODE, REDIRECT_URI)
            .setScopes("openid", "email", "profile", "offline_access")
            .build()
        launch(service.getAuthorizationRequestIntent(request))
    }

/** Exchanges the code of the result. AppAuth has sent and compares state, nonce and PKCE itself. */
fun completeSignIn(service: AuthorizationService, result: Intent, onTokens: (TokenResponse) -> Unit) {
    val response = AuthorizationResponse.fromIntent(result) ?: throw AuthorizationException.fromIntent(result)!!
    service.performTokenRequest(response.createTokenExchangeRequest()) { tokens, error ->
        onTokens(tokens ?: throw error!!)
    }
}
// #endregion
