/// Which published contract is played.
public enum OnsideContract: String, Sendable, Codable, CaseIterable {
  /// The SDK documentation: the contract of record.
  case docs
  /// `onside.d.ts` as published with SDK 1.3.
  case version1_3 = "1.3"
}
