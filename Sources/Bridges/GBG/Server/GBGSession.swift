public import BridgeCore
package import BridgeRuntime
package import Sessions

/// GBGBridge in one session: connects the hosts of its pages to its sheets.
@BridgeActor
package final class GBGSession: SessionBridge {
  private let configuration: GBGConfiguration
  private let capture: SheetCapture
  private let context: SessionContext

  package init(_ configuration: GBGConfiguration, _ context: SessionContext) {
    self.configuration = configuration
    self.context = context
    capture = SheetCapture(
      presenter: context.presenter, random: context.random, delay: configuration.captureDelay)
    for (kind, standIn) in configuration.standIns { capture.standIns[kind] = standIn }
  }

  /// Prepares the host of a new page.
  package func makePage(_ page: any BridgePage) -> (any PageBridge)? {
    let host = page.host
    host.prepareSlots = { [self] host in
      capture.configure(host: host)
      tellPermission(of: page)
    }
    if configuration.declarations != GBGDeclarations() { host.apply(configuration.declarations) }
    return GBGPage(page, self)
  }

  /// A rule of the linter has found a mistake in a page. If a test's rule has answered `capability.query`, L25 is not the page's mistake.
  func report(_ finding: LintFinding) {
    if finding.rule == "L25", context.isDecided("capability.query") { return }
    context.report(finding)
  }

  /// Updates the slots of a page from the browser's report about the camera, if there is one. A declared permission stays.
  func tellPermission(of page: any BridgePage) {
    guard let permission = page.camera?.permissionState else { return }
    let capabilities = configuration.declarations.capabilities
    for slot in page.host.slots where capabilities[slot.id]?.info.permissionState == nil {
      slot.permissionState = permission
    }
  }
}

/// The configuration of GBGBridge: what the host of a page says and does on the channel `gbgBridge`.
public struct GBGConfiguration: Sendable {
  /// Whether pages have the channel, and hosts the two capture slots.
  public var isEnabled = true
  /// The host app's version in the answer to `capability.query`; nil for Footbridge's version.
  public var hostVersion: String?
  /// Custom capabilities, canned answers, and requests that wait for an answer from a test.
  public var declarations = GBGDeclarations()
  /// The results of captures if nobody takes a photo (`--present auto`). By default the built-in samples.
  public var standIns: [CaptureKind: CaptureResult] = [:]
  /// How long a capture takes at least if nobody is asked (`--present auto`, rules), in real time.
  public var captureDelay = Duration.milliseconds(50)
  /// How messages reach the page.
  public var delivery = GBGDelivery()

  /// The default configuration: both slots, and nothing else.
  public init() {}
}

/// How messages reach a GBGBridge page. The vendor's way is not documented, so all of this is ours.
public struct GBGDelivery: Sendable, Hashable {
  /// The path of a function from `window`, such as `GBGBridge.onNativeMessage`. It is looked up for each message.
  public var function: String?
  /// The name of a `CustomEvent` that is dispatched on `window`; its `detail` is the message.
  public var event: String?
  /// Whether the message is passed as JSON text instead of an object.
  public var asText = false
  /// JavaScript that runs in each document before its own scripts: the body of a function with the parameter `footbridge`. If it sets
  /// `footbridge.onmessage`, that gets every message, and `function` and `event` have no effect.
  public var bootstrapScript: String?

  /// The default delivery: `GBGBridge.onNativeMessage` if the page defines it, and the event `gbgbridge:message`.
  public init(
    function: String? = "GBGBridge.onNativeMessage",
    event: String? = "gbgbridge:message",
    asText: Bool = false,
    bootstrapScript: String? = nil
  ) {
    self.function = function
    self.event = event
    self.asText = asText
    self.bootstrapScript = bootstrapScript
  }
}
