import BridgeCore
import BridgeRuntime
import Logging
import Onside

/// The sessions of the server, by the value of their cookie.
@BridgeActor
final class Sessions {
  private let options: FootbridgeOptions
  private let logger: Logger
  private let historySigner: any HistorySigner
  private let today: TodayBackend
  private let store: SessionStore?
  private let clock: any BridgeClock
  private let random: BridgeRandom
  private var sessionByID: [String: Session] = [:]

  init(
    options: FootbridgeOptions,
    logger: Logger,
    historySigner: any HistorySigner,
    today: TodayBackend,
    store: SessionStore?,
    clock: any BridgeClock,
    random: BridgeRandom
  ) {
    self.options = options
    self.logger = logger
    self.historySigner = historySigner
    self.today = today
    self.store = store
    self.clock = clock
    self.random = random
  }

  /// The session whose cookie has this value, launched if it is not running.
  ///
  /// A well-formed value that this server has not given is taken over: browsers send cookies to every port of a host, so that the cookie
  /// may come from another Footbridge, or from this one before it was restarted.
  func session(_ id: String) async -> Session {
    if let session = sessionByID[id] { return session }
    var state: OnsideState?
    do {
      state = try await store?.state(of: id)
    } catch {
      logger.error("A session's state could not be read: \(error). The session starts anew.")
    }
    // Another page of the session may have come while the store was read.
    return sessionByID[id] ?? launch(id, store: store, state: state)
  }

  private func launch(_ id: String, store: SessionStore?, state: OnsideState?) -> Session {
    let session = Session(
      id: id,
      options: options,
      logger: logger,
      historySigner: historySigner,
      today: today,
      store: store,
      state: state,
      clock: clock,
      random: random
    )
    sessionByID[id] = session
    return session
  }

  /// The id of a session that does not exist yet; it is launched when its first page comes.
  func newSessionID() -> String { random.token() }

  /// The pages of all sessions.
  var pages: [Page] { sessionByID.values.flatMap(\.pages) }

  /// The `TransactionHistory` of an order of any session that is running; nil when none has such an order.
  func transactionHistory(ofOrder orderID: String) -> JSONValue? {
    for session in sessionByID.values {
      if let history = session.transactionHistory(ofOrder: orderID) { return history }
    }
    return nil
  }

  /// A session that nobody else is in and that ends with its one connection: for clients without the cookie.
  func transient() -> Session {
    let session = launch(random.token(), store: nil, state: nil)
    session.onEmpty = { [weak self, id = session.id] in self?.sessionByID.removeValue(forKey: id)?.end() }
    return session
  }
}
