import BridgeCore
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
