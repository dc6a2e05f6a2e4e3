import BridgeCore
import Foundation
import OnsideKit

/// Real StoreKit configurations with holes: the first byte of an input chooses the file, and from 128 on, holes are in its offers only. Each
/// two bytes after it make one hole.
///
/// A hole is a value that is missing, null, empty or of another kind, as files have that somebody has filled in halfway. In an offer, it
/// never stops the reader. Elsewhere, the reader takes the file or says what is wrong.
enum HolesFuzz {
  static func check(_ input: [UInt8]) throws {
    let files = try realFiles.get()
    guard let first = input.first else { return }
    var document = files[Int(first) % files.count]
    let areAllInOffers = first >= 128
    for index in stride(from: 1, to: min(input.count - 1, 2 * mostHoles), by: 2) {
      let places = document.places().filter { $0.isInOffer || !areAllInOffers }
      guard !places.isEmpty else { break }
      // A fixed step through the places, so that neighbouring bytes do not make neighbouring holes.
      let place = places[(Int(input[index]) * 31 + Int(input[index + 1]) / kinds.count) % places.count]
      document = document.replacing(place.path[...], with: kinds[Int(input[index + 1]) % kinds.count]) ?? .null
    }
    let text = Array(document.jsonText.utf8)
    try StoreKitFuzz.check(text)
    guard areAllInOffers else { return }
    do throws(StoreKitConfigurationError) {
      _ = try StoreKitConfiguration(data: Data(text))
    } catch {
      throw FuzzFinding(description: "A hole in an offer stops the reader: \(error)")
    }
  }

  private static let mostHoles = 8
  /// What a hole is; nil takes the value away.
  private static let kinds: [JSONValue?] = [nil, .null, "", "none", 0, false, [], [:]]

  private static let realFiles = Result {
    let project = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return try [
      "Tests/Bridges/Onside/OnsideKitTests/Fixtures/storehelper-sample.storekit",
      "Tests/Bridges/Onside/OnsideKitTests/Fixtures/onsidekit-example.storekit", "web/demo/demo.storekit",
    ].map { try JSONValue(parsing: Data(contentsOf: project.appending(path: $0))) }
  }
}

/// A step from a value to one of its members or elements.
private enum Step {
  case member(String)
  case element(Int)
}

/// A place for a hole.
private struct Place {
  let path: [Step]
  let isInOffer: Bool
}

extension JSONValue {
  private static let singleOffers: Set = ["introductoryOffer"]
  private static let offerLists: Set = ["introductoryOffers", "adHocOffers", "promotionalOffers", "winbackOffers"]

  /// All members and elements of the document, in a fixed order.
  fileprivate func places(below path: [Step] = [], isInOffer: Bool = false, isOfferList: Bool = false) -> [Place] {
    let steps: [(Step, JSONValue)] =
      switch self {
      case .object(let members): members.sorted { $0.key < $1.key }.map { (.member($0.key), $0.value) }
      case .array(let elements): elements.enumerated().map { (.element($0.offset), $0.element) }
      default: []
      }
    return steps.flatMap { step, value -> [Place] in
      var (isOffer, isList) = (isInOffer || isOfferList, false)
      if case .member(let name) = step {
        isOffer = isOffer || Self.singleOffers.contains(name)
        isList = Self.offerLists.contains(name)
      }
      return [Place(path: path + [step], isInOffer: isOffer)]
        + value.places(below: path + [step], isInOffer: isOffer, isOfferList: isList)
    }
  }

  /// The document with another value at a path, or without the value.
  fileprivate func replacing(_ path: ArraySlice<Step>, with value: JSONValue?) -> JSONValue? {
    guard let step = path.first else { return value }
    switch (self, step) {
    case (.object(var members), .member(let name)):
      members[name] = members[name]?.replacing(path.dropFirst(), with: value)
      return .object(members)
    case (.array(var elements), .element(let index)) where elements.indices.contains(index):
      if let new = elements[index].replacing(path.dropFirst(), with: value) {
        elements[index] = new
      } else {
        elements.remove(at: index)
      }
      return .array(elements)
    default:
      return self
    }
  }
}
