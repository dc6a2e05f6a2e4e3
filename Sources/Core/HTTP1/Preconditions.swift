public import HTTPTypes

/// The preconditions of a request (RFC 9110, section 13). The results depend only on the request and on the state of
/// the resource that you pass.
public struct Preconditions: Sendable {
  /// The result of a request's conditions.
  public enum Outcome: Sendable, Hashable {
    /// Perform the method.
    case proceed
    /// Answer 304 (Not Modified).
    case notModified
    /// Answer 412 (Precondition Failed).
    case preconditionFailed
  }

  /// The validators of the current representation (RFC 9110, section 8.8).
  public struct Validators: Sendable, Hashable {
    /// The `ETag` that is sent with the representation.
    public var entityTag: EntityTag?
    /// The `Last-Modified` that is sent with the representation.
    public var lastModified: HTTPDate?

    /// Creates the validators of a representation.
    public init(entityTag: EntityTag? = nil, lastModified: HTTPDate? = nil) {
      self.entityTag = entityTag
      self.lastModified = lastModified
    }
  }

  private let method: HTTPRequest.Method
  private let fields: HTTPFields
  private let now: HTTPDate

  /// Reads a request's conditions.
  /// - Parameters:
  ///   - method: The request's method.
  ///   - fields: The request's fields.
  ///   - now: The current time.
  public init(method: HTTPRequest.Method, fields: HTTPFields, now: HTTPDate) {
    self.method = method
    self.fields = fields
    self.now = now
  }

  /// Evaluates the conditions in the order of RFC 9110, section 13.2.2. Call it only if the response would be a success
  /// without them.
  /// - Parameter current: The validators of the current representation; nil when there is no current representation.
  public func evaluate(against current: Validators?) -> Outcome {
    if let list = EntityTagList(.ifMatch, in: fields) {
      guard matches(list, current, by: { $0.stronglyMatches($1) }) else { return .preconditionFailed }
    } else if let date = date(.ifUnmodifiedSince), let lastModified = current?.lastModified, lastModified > date {
      return .preconditionFailed
    }
    let isRetrieval = method == .get || method == .head
    if let list = EntityTagList(.ifNoneMatch, in: fields) {
      if matches(list, current, by: { $0.weaklyMatches($1) }) {
        return isRetrieval ? .notModified : .preconditionFailed
      }
    } else if isRetrieval, let date = date(.ifModifiedSince), let lastModified = current?.lastModified,
      lastModified <= date
    {
      return .notModified
    }
    return .proceed
  }

  /// The ranges to send (RFC 9110, sections 13.1.5 and 14.2). Nil to send the whole representation: the method is not
  /// GET, there is no valid `Range`, or `If-Range` names another representation.
  ///
  /// A date in `If-Range` must equal `Last-Modified`, and must be before the current second. Otherwise the file could
  /// change again and keep its date (RFC 9110, section 8.8.2.2). An entity tag is the safer condition.
  public func ranges(against current: Validators) -> [ByteRange]? {
    let values = fields[values: .range]
    guard method == .get, values.count == 1, let ranges = ByteRange.parse(values[0]) else { return nil }
    let conditions = fields[values: .ifRange]
    guard let condition = conditions.first else { return ranges }
    guard conditions.count == 1 else { return nil }
    if let tag = EntityTag(condition) {
      return current.entityTag?.stronglyMatches(tag) == true ? ranges : nil
    }
    guard let date = HTTPDate(condition, now: now), date == current.lastModified, date < now else { return nil }
    return ranges
  }

  private func matches(
    _ list: EntityTagList, _ current: Validators?, by isMatch: (EntityTag, EntityTag) -> Bool
  ) -> Bool {
    guard let current else { return false }
    switch list {
    case .any: return true
    case .tags(let tags):
      guard let entityTag = current.entityTag else { return false }
      return tags.contains { isMatch($0, entityTag) }
    }
  }

  /// The date of a field; nil when the field is absent, repeated or malformed. The condition is then ignored.
  private func date(_ name: HTTPField.Name) -> HTTPDate? {
    let values = fields[values: name]
    guard values.count == 1 else { return nil }
    return HTTPDate(values[0], now: now)
  }
}
