public import BridgeCore
package import BridgeRuntime

/// GBGBridge in one session: connects the hosts of its pages to its sheets.
@BridgeActor
package final class GBGSession: SessionBridge {
  private let configuration: GBGConfiguration
  private let capture: SheetCapture

  package init(_ configuration: GBGConfiguration, _ context: SessionContext) {
    self.configuration = configuration
    capture = SheetCapture(presenter: context.presenter, random: context.random)
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
    return CameraReports(page, self)
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

/// Receives what a page's browser reports about its camera, so that the slots report the browser's real permission.
@BridgeActor
final class CameraReports: PageBridge {
  /// Page to host: whether the browser has a camera, and whether the page may use it.
  private static let action: StaticString = "footbridge.camera"

  private let page: any BridgePage
  private let gbg: GBGSession

  /// Creates the part of `page` whose slots use the browser's report.
  init(_ page: any BridgePage, _ gbg: GBGSession) {
    self.page = page
    self.gbg = gbg
  }

  func handleImmediately(request: BridgeMessage, responder: any BridgeResponder) -> Bool {
    guard request.hasAction(withPrefix: Self.action) else { return false }
    let data = request.payload.data ?? [:]
    guard let hardwareAvailable = data["hardwareAvailable"]?.boolValue,
      let permissionState = data["permissionState"]?.stringValue.flatMap(PermissionState.init)
    else {
      let error = BridgeErrorPayload(
        code: "bridge.invalidArguments",
        message: "A report on the camera needs hardwareAvailable and permissionState.",
        recoverable: false
      )
      responder.respond(status: .error, data: nil, error: error)
      return true
    }
    page.camera = CameraDetector.Result(hardwareAvailable: hardwareAvailable, permissionState: permissionState)
    if page.host.hasSlots { gbg.tellPermission(of: page) }
    responder.respond(status: .success, data: nil, error: nil)
    return true
  }
}
