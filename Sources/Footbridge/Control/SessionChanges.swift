import BridgeCore
import BridgeRuntime
import OnsideKit

/// Changes to a session, which are read completely before any is made.
struct SessionChanges {
  private let members: [String: InputNode]
  private var name: String??
  private var account: String??
  private var country: String?
  private var platform: Platform?
  private var contract: OnsideContract?
  private var present: PresentationMode?
  private var isSignedInToToday: Bool?
  private var clock = ClockChange()
  private var settings = OnsideSettingsChanges()
  private var purchases: [SeededPurchase] = []
  private var transactions: [SeededTransaction] = []
  private var scenario: String?
  private var rules: [Rule] = []

  private static let onsideKeys = ["account", "storefront", "onsideContract", "settings", "purchases", "transactions"]

  /// How long a session's name may be, in bytes.
  static let nameLimit = 200

  /// Reads a body. Only that of a new session can have settings, a clock, a scenario, rules, purchases and transactions.
  init(_ body: InputNode, isNew: Bool, _ bridges: BridgeTable) throws(OptionError) {
    let known = ["name", "account", "storefront", "platform", "onsideContract", "present", "today"]
    let beginnings = ["settings", "clock", "purchases", "transactions", "scenario", "rules"]
    members = try body.section(isNew ? known + beginnings : known)
    if let node = members["name"] { name = .some(try Self.name(node)) }
    if let node = members["account"] { account = .some(node.isNull ? nil : try node.text()) }
    country = try members["storefront"]?.country()
    platform = try members["platform"]?.choice(Platform.self)
    contract = try members["onsideContract"]?.choice(OnsideContract.self)
    present = try members["present"]?.choice(PresentationMode.self)
    isSignedInToToday = try members["today"]?.section(["signedIn"])["signedIn"]?.bool()
    if let node = members["clock"] { clock = try ClockChange(node) }
    scenario = try members["scenario"]?.text()
    if let node = members["rules"] { rules = try RuleNode.rules(node, bridges) }
    purchases = try members["purchases"]?.list { node throws(OptionError) in try node.seededPurchase() } ?? []
    transactions =
      try members["transactions"]?.list { node throws(OptionError) in try node.seededTransaction() } ?? []
    if let node = members["settings"] { settings = try node.onsideSettings(withCalls: true) }
  }

  /// The name of a new session; empty when it has none.
  var newName: String { (name ?? nil) ?? "" }

  /// Whether a new session begins with a scenario of its own.
  var hasScenario: Bool { scenario != nil }

  /// Makes the changes. Throws, before any change, if the session has no such account; and for a new session if a purchase or transaction
  /// is not possible.
  @BridgeActor
  func apply(to session: Session) throws(OptionError) {
    let onside = session.onside
    if onside == nil, let name = members.keys.sorted().first(where: Self.onsideKeys.contains), let node = members[name]
    {
      throw node.expected("left out: the bridge onside is switched off")
    }
    if session.today == nil, let node = members["today"] {
      throw node.expected("left out: the bridge today is switched off")
    }
    if let onside, let id = account ?? nil, !onside.accounts.contains(where: { $0.id == id }),
      let node = members["account"]
    {
      throw node.expected("null or one of: \(onside.accounts.map(\.id).joined(separator: ", "))")
    }
    clock.apply(to: session)
    if let scenario { try session.begin(scenario: scenario) }
    for rule in rules { _ = session.rules.add(rule) }
    var profile = session.profile
    if let name { profile.name = name }
    if let platform { profile.platform = platform }
    if let contract { profile.onsideContract = contract }
    if let present { profile.present = present }
    if let isSignedInToToday { profile.isSignedInToToday = isSignedInToToday }
    session.profile = profile
    guard let onside else { return }
    settings.apply(to: &onside.settings)
    if let country { onside.settings.storefront = country }
    switch account {
    case .some(let id?): session.signIn(account: id)
    case .some(nil): onside.logout()
    case nil: break
    }
    if let country, let account = onside.account { onside.move(account: account.id, to: country) }
    for purchase in purchases { _ = try purchase.make(in: session) }
    for transaction in transactions { _ = try transaction.make(in: session) }
  }

  private static func name(_ node: InputNode) throws(OptionError) -> String? {
    if node.isNull { return nil }
    let name = try node.text()
    guard name.utf8.count <= nameLimit else { throw node.expected("null, or a text of at most \(nameLimit) bytes") }
    return name
  }
}
