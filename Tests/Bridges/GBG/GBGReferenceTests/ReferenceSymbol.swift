import GBGBridge
import Testing

/// One public symbol of the reference, and code that touches it.
struct ReferenceSymbol: Sendable, CustomTestStringConvertible {
  /// The symbol as the reference's headings and tables name it, with its type in front.
  let name: String
  /// Uses the symbol and tells whether it did what it should. What each does in detail is tested in `BridgeCoreTests`.
  let touch: @Sendable @MainActor () async throws -> Bool

  init(_ name: String, _ touch: @escaping @Sendable @MainActor () async throws -> Bool) {
    self.name = name
    self.touch = touch
  }

  var testDescription: String { name }

  /// Every symbol, in the reference's order.
  static let all = entryPoints + capabilities + configuration + messages + protocols + handlers
}

@Suite struct ReferenceSymbolTests {
  @Test(arguments: ReferenceSymbol.all)
  func `every symbol of the reference exists and can be used`(symbol: ReferenceSymbol) async throws {
    #expect(try await symbol.touch())
  }

  @Test func `each symbol of the reference is listed once`() {
    #expect(Set(ReferenceSymbol.all.map(\.name)).count == ReferenceSymbol.all.count)
  }
}
