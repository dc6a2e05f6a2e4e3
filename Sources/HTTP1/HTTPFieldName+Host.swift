public import HTTPTypes

extension HTTPField.Name {
  /// `Host`. HTTPTypes marks its own constant unavailable, since later versions of HTTP carry the authority
  /// elsewhere; in HTTP/1.1 it is a field.
  public static let hostField: HTTPField.Name = {
    guard let name = HTTPField.Name("Host") else { preconditionFailure("Host is a token") }
    return name
  }()
}
