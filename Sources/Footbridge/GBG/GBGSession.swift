import BridgeCore
import BridgeRuntime

/// The GBGBridge side of one session: joins the hosts of its pages to its sheets.
@BridgeActor
final class GBGSession {
  /// The version that hosts tell.
  let hostVersion: String

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
    guard configuration.isEnabled else { return }
    let host = page.host
    capture.configure(host: host)
    // A permission that was declared stays as declared.
    let capabilities = configuration.declarations.capabilities
    let slots = [host.documentCapture, host.selfieCapture]
      .filter { capabilities[$0.id]?.info.permissionState == nil }
    host.register(handler: CameraHandler(page, slots: slots))
    host.apply(configuration.declarations)
  }
}
