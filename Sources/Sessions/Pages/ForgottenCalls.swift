/// What a store has of the calls of a page that were run and whose answers are forgotten.
struct ForgottenCalls: Sendable, Hashable, Codable {
  /// The calls of one series of correlation ids.
  struct Series: Sendable, Hashable, Codable {
    /// What the ids have in common.
    let prefix: String
    /// All calls up to this number have been run, …
    let through: Int
    /// … but for these, which had no answer yet.
    let unanswered: [Int]
  }

  /// The series of which answers are forgotten.
  var series: [Series] = []
}
