/// The way to a token endpoint: whoever implements it knows its URL and does the HTTP.
public protocol OAuthTokenEndpoint: Sendable {
  /// Posts `form` as `application/x-www-form-urlencoded` and returns the answer, whatever its status. Throws when there is none; the
  /// error goes no further, since nobody knows what is in it.
  func post(form: [(String, String)]) async throws -> (status: Int, body: [UInt8])
}
