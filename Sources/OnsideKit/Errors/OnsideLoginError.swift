/// Why a login failed (bridge reference, "OnsideLoginError").
public enum OnsideLoginError: String, OnsideError, CaseIterable, Codable {
  /// The person dismissed the login.
  case loginDiscarded
}
