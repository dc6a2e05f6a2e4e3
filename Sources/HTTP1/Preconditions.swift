public import HTTPTypes

/// The conditions that a request may make, as pure functions over its fields and the state of the resource (RFC 9110,
/// section 13).
public struct Preconditions: Sendable {
  /// What a request's conditions come to.
  public enum Outcome: Sendable, Hashable {
    /// Do what the method says.
    case proceed
    /// Answer 304 (Not Modified).
    case notModified
    /// Answer 412 (Precondition Failed).
    case preconditionFailed
  }

  /// By what the present representation can be told from others.
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

  /// Takes a request's conditions.
  /// - Parameters:
  ///   - method: the request's method.
  ///   - fields: the request's fields.
  ///   - now: the present.
  public init(method: HTTPRequest.Method, fields: HTTPFields, now: HTTPDate) {
    self.method = method
    self.fields = fields
    self.now = now
  }

  /// Evaluates the conditions in the order of RFC 9110, section 13.2.2. To be asked when the response would otherwise
  /// be a success.
  /// - Parameter current: the validators of the present representation; nil when the resource has none.
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

  /// The ranges to send, or nil when the whole representation is: the method is not GET, there is no usable `Range`,
  /// or `If-Range` names another representation (RFC 9110, sections 13.1.5 and 14.2).
  ///
  /// A date in `If-Range` must be exactly the present one, and its second must be over, so that a change from now on
  /// gives another date (RFC 9110, section 8.8.2.2). An entity tag is the safer condition.
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

  /// The date of a field; nil when it is absent, repeated or malformed, so that the condition does not count.
  private func date(_ name: HTTPField.Name) -> HTTPDate? {
    let values = fields[values: name]
    guard values.count == 1 else { return nil }
    return HTTPDate(values[0], now: now)
  }
}
