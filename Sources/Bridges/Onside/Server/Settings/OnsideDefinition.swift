public import BridgeCore
public import BridgeRuntime
import BridgeServer
import Essentials
public import OnsideKit
public import Sessions
import SiteServer

/// OnsideKit as the server knows it: `window.onside`.
public struct OnsideDefinition: BridgeDefinition {
  /// The name.
  public let name = "onside"
  /// Whether the bridge is switched on.
  public var isEnabled = true
  /// The store: catalogue, accounts and settings.
  @Shared public var configuration = OnsideConfiguration()
  /// The credentials of the publisher's backend at the Merchant API.
  public var merchant = MerchantCredentials()
  /// The settings of notifications to the publisher's backend; nil for none.
  var notifications: NotificationSettings?
  /// The maximum number of transactions and orders that the pages of a session may create.
  public var bounds = OnsideLimits()
  /// The name of the world that all sessions share, as the devices of one person; nil if each session has its own.
  public var world: String?
  /// Called with OnsideKit of each launch of a session, before its first page. A program adds its transaction observers here, or sets the
  /// session as `Onside.current`. An observer resumes the payment queue, even without a page.
  public var onLaunch: (@Sendable @BridgeActor (Onside) -> Void)?
  /// The section of the file, to apply to a configuration that is read from another file.
  package var section = OnsideSection()

  /// The usual store.
  public init() {}

  /// The traits of its messages.
  public var messages: BridgeMessageTraits { [.madeByShim, .tellsOfState, .sharesData] }
  /// The account token of a transaction is not secret, and tests need it.
  public var marks: JournalMarks { JournalMarks(publicMembers: ["appaccounttoken"]) }
  /// The kinds of the native screens that it shows.
  public var sheetKinds: [String] {
    ["login", "payment", "paymentMethods", "priceChange", "priceIncrease", "unavailable"]
  }

  /// The rules of the linter.
  public var lintRules: [LintRule] { OnsideLintRules.all }

  /// Its part of the shim.
  public var shim: ShimPart {
    var part = ShimPart()
    part.variant = ShimPart.Variant(member: "onsideContract", usual: configuration.settings.contract.rawValue)
    part.files = ["onside/shim.js"]
    part.lintFiles = ["onside/lint/callbacks.js", "onside/lint/rejections.js"]
    return part
  }

  /// A reset keeps the contract, and the notifications that wait. A new device gets the contract, since both have the same version of the
  /// app. Waiting notifications are sent by this session only.
  public var profile: ProfilePolicy {
    var policy = ProfilePolicy()
    policy.membersAfterReset = [SessionProfile.onsideContractMember, SessionProfile.outboxMember]
    policy.membersOfNewDevice = [SessionProfile.onsideContractMember]
    policy.ownMembers = [SessionProfile.outboxMember]
    policy.unstoredErrorCode = { OnsideCall(action: $0)?.unkeptErrorCase ?? "bridge.brokenRequest" }
    policy.lookup = MerchantAPI.lookup
    policy.newState = OnsideState(settings: configuration.settings).joining(world: world)
    return policy
  }

  /// The server starts.
  public func start(_ server: ServerContext) throws -> BridgeSessionMaker {
    let keys = try SigningKeys(state: server.storage, fileName: MerchantAPI.keyFileName, clock: server.clock)
    server.retain(keys, of: name)
    // The secret for development is published, so the journal may show it.
    if merchant.secret != MerchantCredentials.developmentSecret { server.leaveOut(Secret(merchant.secret)) }
    var configuration = configuration
    configuration.limits = bounds
    server.serve(
      keys: keys.presentPublicKeys, at: "onside/.well-known/jwks.json",
      purpose: "the keys that verify signed histories and notifications")
    server.onRefresh { await keys.refresh() }
    let merchantAPI = MerchantAPI(credentials: merchant, server: server, signer: keys, clock: server.clock)
    server.serve(MerchantAPI.historyPath, purpose: "an order's signed history, for your backend (Merchant API)") {
      await merchantAPI.answerHistory($0, orderID: $1)
    }
    let shared = Shared(wrappedValue: configuration)
    let sender = notifications.flatMap { NotificationSender($0, signer: keys) }
    if let sender {
      server.onBegin { [weak server] in
        await server?.sessions?.launchStored(withMember: SessionProfile.outboxMember, of: "onside")
      }
      server.onStop { sender.stop() }
    }
    let worlds = OnsideWorlds(usual: server.isShared ? nil : world)
    return { [onLaunch, clock = server.clock] in
      OnsideSession(
        $0, configuration: shared, worlds: worlds, historySigner: keys, notifications: sender, serverClock: clock,
        onLaunch: onLaunch)
    }
  }
}

/// The demo, which the server shows if there is no site.
public enum Demo {
  /// The demo's products.
  ///
  /// - Throws: ``SiteError/incompleteBuild`` if the program was built without them.
  public static func storeKitConfiguration() throws -> StoreKitConfiguration {
    guard let file = EmbeddedFile.all["demo/demo.storekit"] else { throw SiteError.incompleteBuild }
    return try StoreKitConfiguration(data: Data(file.bytes))
  }
}
