public import OnsideKit

extension OnsideJS: PageBridge {
  /// A page of an earlier run of the server may come back.
  public func expect(_ page: any BridgePage) {
    expect(host: page.host)
  }

  /// The page opens.
  public func open(_ page: any BridgePage) {
    open(host: page.host)
  }

  /// The page has ended.
  public func close(_ page: any BridgePage) {
    detach()
  }
}
