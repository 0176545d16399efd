import AppAuth
import UIKit

// #region sign-in
let issuer = URL(string: "https://accounts.example.com")!
let redirectUri = URL(string: "com.example.app:/callback")!
let clientId = "the id of the application"

/// Opens the pages of Frontdesk. Keep the result until the sign-in is complete.
@MainActor
func signIn(
    from controller: UIViewController, completed: @escaping (OIDAuthState?, Error?) -> Void
) async throws -> OIDExternalUserAgentSession {
    let configuration = try await OIDAuthorizationService.discoverConfiguration(forIssuer: issuer)
    let request = OIDAuthorizationRequest(
        configuration: configuration, clientId: clientId, clientSecret: nil,
        scopes: ["openid", "email", "profile", "offline_access"], redirectURL: redirectUri,
        responseType: OIDResponseTypeCode, additionalParameters: nil)
    return OIDAuthState.authState(byPresenting: request, presenting: controller, callback: completed)
}
// #endregion
