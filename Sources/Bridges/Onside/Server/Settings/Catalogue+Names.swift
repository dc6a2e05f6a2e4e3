import BridgeCore
import OnsideKit

extension Catalogue {
  /// Says that there is no such product, and which one was probably meant, in whole sentences; nil if there is one.
  func problem(with product: String) -> String? {
    if products.isEmpty {
      return "The store sells nothing. Start the server with --catalog and a StoreKit configuration file."
    }
    guard self[product] == nil else { return nil }
    return "The catalogue has no product \(product)\(nearest(to: product).map { "; did you mean \($0)?" } ?? ".")"
  }

  /// Says that a pattern names a misspelled product; nil if it names none. Pages may ask for any product, so one that is like none of the
  /// catalogue's may be meant.
  func problem(withPattern pattern: JSONValue) -> String? {
    for (name, value) in (pattern.objectValue ?? [:]).sorted(by: { $0.key < $1.key }) {
      if name.hasPrefix("productIdentifier") {
        let named = [value, value["$contains"]].compactMap { $0?.stringValue }
        if let wrong = named.first(where: { self[$0] == nil && nearest(to: $0) != nil }) { return problem(with: wrong) }
      } else if let problem = problem(withPattern: value) {
        return problem
      }
    }
    return nil
  }

  private func nearest(to product: String) -> String? { Spelling.nearest(to: product, in: products.map(\.id)) }
}
