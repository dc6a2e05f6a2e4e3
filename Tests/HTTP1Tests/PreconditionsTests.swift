import HTTP1
import HTTPTypes
import Testing

@Suite struct PreconditionsTests {
  private static let modified = "Sun, 06 Nov 1994 08:49:37 GMT"
  private static let earlier = "Sun, 06 Nov 1994 08:49:36 GMT"
  private static let later = "Sun, 06 Nov 1994 08:49:38 GMT"
  private static let now = HTTPDate(secondsSinceEpoch: 784_111_777 + 3600)

  private static let strong = Preconditions.Validators(
    entityTag: EntityTag(opaqueTag: "a"), lastModified: HTTPDate(secondsSinceEpoch: 784_111_777))
  private static let weak = Preconditions.Validators(entityTag: EntityTag(opaqueTag: "a", isWeak: true))

  private func outcome(
    _ fields: HTTPFields, _ current: Preconditions.Validators? = strong, method: HTTPRequest.Method = .get
  ) -> Preconditions.Outcome {
    Preconditions(method: method, fields: fields, now: Self.now).evaluate(against: current)
  }

  @Test func `a request without conditions proceeds`() {
    #expect(outcome([:]) == .proceed)
    #expect(outcome([:], nil) == .proceed)
  }

  @Test(arguments: ["\"a\"", "W/\"a\"", "\"b\", \"a\"", "\"b\" ,, W/\"a\"", "*", "\"x,y\", \"a\""])
  func `If-None-Match with the current tag is 304 for GET and HEAD, and 412 for other methods`(_ value: String) {
    for current in [Self.strong, Self.weak] {
      #expect(outcome([.ifNoneMatch: value], current) == .notModified)
      #expect(outcome([.ifNoneMatch: value], current, method: .head) == .notModified)
      #expect(outcome([.ifNoneMatch: value], current, method: .put) == .preconditionFailed)
    }
  }

  @Test(arguments: ["\"b\"", "\"A\"", "a", "\"a", "\"a\" \"b\"", "", "\"a\", *", "w/\"a\"", "\"b,a\""])
  func `a request whose If-None-Match lacks the current tag or is malformed proceeds`(_ value: String) {
    #expect(outcome([.ifNoneMatch: value]) == .proceed)
  }

  @Test func `If-Match and If-None-Match with * match any existing representation`() {
    #expect(outcome([.ifNoneMatch: "*"], nil, method: .put) == .proceed)
    #expect(outcome([.ifMatch: "*"], nil, method: .put) == .preconditionFailed)
    #expect(outcome([.ifMatch: "*"]) == .proceed)
    #expect(outcome([.ifNoneMatch: "*"], .init()) == .notModified)
  }

  @Test func `If-None-Match over several lines is one list`() {
    var fields = HTTPFields()
    fields.append(HTTPField(name: .ifNoneMatch, value: "\"b\""))
    fields.append(HTTPField(name: .ifNoneMatch, value: "\"a\""))
    #expect(outcome(fields) == .notModified)
  }

  @Test func `If-Match requires the current tag, strong on both sides`() {
    #expect(outcome([.ifMatch: "\"b\", \"a\""], method: .put) == .proceed)
    #expect(outcome([.ifMatch: "W/\"a\""], method: .put) == .preconditionFailed)
    #expect(outcome([.ifMatch: "\"a\""], Self.weak, method: .put) == .preconditionFailed)
    #expect(outcome([.ifMatch: "\"b\""]) == .preconditionFailed)
    #expect(outcome([.ifMatch: "a"]) == .preconditionFailed)
  }

  @Test func `If-Modified-Since with the current date or a later one is 304 for GET and HEAD only`() {
    #expect(outcome([.ifModifiedSince: Self.modified]) == .notModified)
    #expect(outcome([.ifModifiedSince: Self.later], method: .head) == .notModified)
    #expect(outcome([.ifModifiedSince: Self.earlier]) == .proceed)
    #expect(outcome([.ifModifiedSince: Self.modified], method: .post) == .proceed)
    #expect(outcome([.ifModifiedSince: "yesterday"]) == .proceed)
    #expect(outcome([.ifModifiedSince: Self.modified], .init(entityTag: EntityTag(opaqueTag: "a"))) == .proceed)
  }

  @Test func `If-None-Match overrides If-Modified-Since`() {
    #expect(outcome([.ifNoneMatch: "\"b\"", .ifModifiedSince: Self.modified]) == .proceed)
    #expect(outcome([.ifNoneMatch: "\"a\"", .ifModifiedSince: Self.earlier]) == .notModified)
  }

  @Test func `If-Unmodified-Since with an earlier date is 412, unless If-Match stands beside it`() {
    #expect(outcome([.ifUnmodifiedSince: Self.earlier], method: .put) == .preconditionFailed)
    #expect(outcome([.ifUnmodifiedSince: Self.modified], method: .put) == .proceed)
    #expect(outcome([.ifUnmodifiedSince: "x"], method: .put) == .proceed)
    #expect(outcome([.ifUnmodifiedSince: Self.earlier], Self.weak, method: .put) == .proceed)
    #expect(outcome([.ifUnmodifiedSince: Self.earlier, .ifMatch: "\"a\""], method: .put) == .proceed)
  }

  @Test func `If-Match is evaluated before If-None-Match`() {
    #expect(outcome([.ifMatch: "\"b\"", .ifNoneMatch: "\"a\""]) == .preconditionFailed)
    #expect(outcome([.ifMatch: "\"a\"", .ifNoneMatch: "\"a\""]) == .notModified)
  }

  private func ranges(
    _ ifRange: String?, _ current: Preconditions.Validators = strong, method: HTTPRequest.Method = .get,
    now: HTTPDate = now
  ) -> [ByteRange]? {
    var fields: HTTPFields = [.range: "bytes=0-4"]
    fields[.ifRange] = ifRange
    return Preconditions(method: method, fields: fields, now: now).ranges(against: current)
  }

  @Test func `ranges are used for GET with a single Range field only`() {
    #expect(ranges(nil) == [.from(0, through: 4)])
    #expect(ranges(nil, method: .head) == nil)
    #expect(Preconditions(method: .get, fields: [:], now: Self.now).ranges(against: Self.strong) == nil)
    var twice: HTTPFields = [.range: "bytes=0-4"]
    twice.append(HTTPField(name: .range, value: "bytes=5-9"))
    #expect(Preconditions(method: .get, fields: twice, now: Self.now).ranges(against: Self.strong) == nil)
  }

  @Test func `If-Range requires the current strong tag or exactly the current date`() {
    #expect(ranges("\"a\"") != nil)
    #expect(ranges("W/\"a\"") == nil)
    #expect(ranges("W/\"a\"", Self.weak) == nil)
    #expect(ranges("\"b\"") == nil)
    #expect(ranges("\"a\", \"b\"") == nil)
    #expect(ranges("*") == nil)
    #expect(ranges(Self.modified) != nil)
    #expect(ranges(Self.later) == nil)
    #expect(ranges(Self.earlier) == nil)
    #expect(ranges(Self.modified, now: HTTPDate(secondsSinceEpoch: 784_111_777)) == nil)
    #expect(ranges("\"a\"", .init()) == nil)
  }

  @Test(arguments: [("\"\"", "", false), ("W/\"x\"", "x", true), ("\"!#~ü\"", "!#~ü", false)])
  func `an entity tag is read and written`(_ text: String, _ opaqueTag: String, _ isWeak: Bool) throws {
    let tag = try #require(EntityTag(text))
    #expect(tag.opaqueTag == opaqueTag && tag.isWeak == isWeak && tag.description == text)
  }

  @Test(arguments: [
    "", "a", "\"", "\"a", "a\"", "\"a\"b", "\"a b\"", "W\"a\"", "w/\"a\"", "W/ \"a\"", "\"\u{7F}\"", "\"\t\"",
  ])
  func `any other text is not an entity tag`(_ text: String) {
    #expect(EntityTag(text) == nil)
  }

  @Test func `entity tags are compared by their bytes, not by Unicode equivalence`() throws {
    let composed = try #require(EntityTag(opaqueTag: "\u{E9}"))
    let decomposed = try #require(EntityTag(opaqueTag: "e\u{301}"))
    #expect(!composed.weaklyMatches(decomposed))
    #expect(EntityTag(opaqueTag: "a\"b") == nil)
  }
}
