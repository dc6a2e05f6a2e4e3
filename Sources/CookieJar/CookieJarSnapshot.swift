/// The persistent cookies of a ``CookieJar``, to be kept between two runs. Encoding it writes the values; printing it does not.
public struct CookieJarSnapshot: Sendable, Hashable, Codable {
  /// The cookies, in the order of their creation.
  public let cookies: [Cookie]
}
