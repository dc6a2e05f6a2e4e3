public import BridgeRuntime

/// A native screen that waits for an answer: login, payment, payment methods, price change, capture.
///
/// A ``SheetPresenter`` shows it. In the server, the page draws it with the scripts in `web/sheets` and those of the bridges: one file for each ``kind``.
public struct Sheet: Sendable, Identifiable, Hashable {
  /// Identifies the sheet in its session.
  public let id: String
  /// The kind of screen, such as `login` or `payment`.
  public let kind: String
  /// The content of the screen. Its members depend on ``kind``.
  public var content: [String: JSONValue] { storedContent.members }
  /// The names of the answer's fields that are secret: the journal does not show them.
  public let secretFields: Set<String>
  /// The page that asked for the sheet; nil if no page did.
  public let asker: BridgeHost.ID?

  /// The content, or how it is made.
  package let storedContent: SheetContent

  /// Creates a sheet.
  public init(
    id: String,
    kind: String,
    content: [String: JSONValue],
    secretFields: Set<String> = [],
    asker: BridgeHost.ID? = nil
  ) {
    self.init(id: id, kind: kind, content: .members(content), secretFields: secretFields, asker: asker)
  }

  /// Creates a sheet whose content may be made later.
  package init(
    id: String, kind: String, content: SheetContent, secretFields: Set<String> = [], asker: BridgeHost.ID? = nil
  ) {
    self.id = id
    self.kind = kind
    storedContent = content
    self.secretFields = secretFields
    self.asker = asker
  }

  /// The same sheet with its content made, for those who read it more than once.
  package var made: Sheet {
    guard case .later = storedContent else { return self }
    return Sheet(id: id, kind: kind, content: content, secretFields: secretFields, asker: asker)
  }
}

/// The answer to a ``Sheet``.
public struct SheetAnswer: Sendable, Hashable {
  /// Whether the person bought, logged in or confirmed; false if they dismissed the sheet.
  public let approved: Bool
  /// The choices and entries, such as the account of a login. Members depend on the kind of the sheet.
  public let fields: [String: JSONValue]
  /// Whether a policy or a rule has given it at once, and no person or test was asked. On a device, nothing is that quick: the flow that
  /// has asked takes a little longer.
  public private(set) var isAutomatic = false

  /// The same answer, given by a policy or a rule.
  public var automatic: SheetAnswer {
    var answer = self
    answer.isAutomatic = true
    return answer
  }

  private init(approved: Bool, fields: [String: JSONValue]) {
    self.approved = approved
    self.fields = fields
  }

  /// Creates the answer of a person who approved, with these choices.
  public static func approve(_ fields: [String: JSONValue] = [:]) -> SheetAnswer {
    SheetAnswer(approved: true, fields: fields)
  }

  /// The person dismissed the sheet.
  public static let cancel = SheetAnswer(approved: false, fields: [:])
}

/// Shows native screens. In the server, the list of a session's open sheets implements it: a page, a test or the option `--present auto`
/// answers them.
@BridgeActor
public protocol SheetPresenter: AnyObject {
  /// Shows `sheet` and waits for its answer.
  ///
  /// - Returns: the answer. If the task is cancelled, the sheet goes away and the answer is ``SheetAnswer/cancel``.
  func present(_ sheet: Sheet) async -> SheetAnswer

  /// Called when a request of the page `asker` must wait for a sheet that is already open. If that sheet is on another page, tells the
  /// person so.
  func noteWaiting(_ asker: BridgeHost.ID)
}

/// A presenter leaves this out if nobody waits, or if nobody needs to know.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension SheetPresenter {
  public func noteWaiting(_ asker: BridgeHost.ID) {}
}
