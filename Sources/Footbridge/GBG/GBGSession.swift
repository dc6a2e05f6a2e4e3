import BridgeCore
import BridgeRuntime

/// The GBGBridge side of one session: joins the hosts of its pages to its sheets.
@BridgeActor
final class GBGSession {
  /// The version that hosts tell.
  let hostVersion: String

  /// Whether pages have the channel.
  var isEnabled: Bool { configuration.isEnabled }

  private let configuration: GBGConfiguration
  private let capture: SheetCapture

  init(_ configuration: GBGConfiguration, presenter: any SheetPresenter, random: BridgeRandom) {
    self.configuration = configuration
    hostVersion = configuration.hostVersion
    capture = SheetCapture(presenter: presenter, random: random)
    for (kind, standIn) in configuration.standIns { capture.standIns[kind] = standIn }
  }

  /// Prepares the host of a new page.
  func configure(_ page: Page) {
    guard isEnabled else { return }
    let host = page.host
    host.prepareSlots = { [self] host in
      capture.configure(host: host)
      tellPermission(of: page)
    }
    if configuration.declarations != GBGDeclarations() { host.apply(configuration.declarations) }
  }

  /// Has the slots of a page tell what its browser says of the camera, if it has said anything. A permission that was declared stays as
  /// declared.
  func tellPermission(of page: Page) {
    guard let permission = page.camera?.permissionState else { return }
    let capabilities = configuration.declarations.capabilities
    for slot in page.host.slots where capabilities[slot.id]?.info.permissionState == nil {
      slot.permissionState = permission
    }
  }
}
